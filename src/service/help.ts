/** The pages of `--help`: all options in groups, and one page for each command with examples. */
import { environmentName, optionTable, type OptionName } from './options.ts';
import { version } from './version.ts';

/** How the reader started this program: from the sources, or from the npm package, where it is built. */
const program = import.meta.url.endsWith('.ts') ? 'npm run -s service --' : 'spotter service';

/** The first group with a matching name takes an option. `Requests` has the rest. */
const groups: readonly (readonly [title: string, names: RegExp])[] = [
  ['Where it answers', /^(host|port|public-url|allowed-(hosts|origins))$/],
  ['Database', /^(data-dir|database-.*|daily-copies|import-wait)$/],
  ['Photos and files', /^(file-.*|upload-.*|thumbnail-.*)$/],
  ['Webhooks', /^(allow-private-webhooks|webhook-.*)$/],
  ['Mail', /^mail-/],
  ['Users', /^(enrolment-.*|sign-in-.*|account-.*|shift-length|token-.*)$/],
  ['Health and logs', /^(log-level|metrics|free-space|clock-tolerance|stop-.*)$/],
  ['To try it, and for the app', /^(demo|demo-bare|embedded|laptop|plain)$/],
  ['Requests', /^/],
];

const groupOf = (name: string): string => groups.find(([, names]) => names.test(name))?.[0] ?? '';

const optionLines = (name: OptionName): string => {
  const { kind, default: standard, help } = optionTable[name];
  const left = kind === 'flag' ? `--${name}` : `--${name} <${kind === 'wait' ? 'duration' : kind}>`;
  const shown = kind === 'flag' || standard === '' ? '' : ` (default ${standard})`;
  return `  ${left.padEnd(38)}${help}${shown}\n${' '.repeat(40)}${environmentName(name)}`;
};

interface CommandHelp {
  readonly summary: string;
  readonly usage: readonly string[];
  readonly text: readonly string[];
  readonly examples: readonly string[];
  /** False: it does not open the database of the service. */
  readonly database?: boolean;
}

const commands: Readonly<Record<string, CommandHelp>> = {
  token: {
    summary: 'gives, lists and revokes access',
    usage: [
      'token create --user LOGIN --company ID [--name TEXT] [--level LEVEL] [--expires 90d]',
      'token create --user LOGIN --new-user NAME --company ID',
      'token create --user LOGIN --new-user NAME --new-company NAME [--new-project NAME]',
      'token list [--user LOGIN]',
      'token revoke ID',
    ],
    text: [
      'A token is shown once, when it is created; the service keeps only its hash. It works beside a',
      'running service. Revoking takes effect at the next request of that token. LEVEL is read_only,',
      'reporter, standard or admin, and none that allows more than the level of the user.',
    ],
    examples: [
      "token create --user rita@firm.example --new-user Rita --new-company 'Rita and Sons'",
      "token create --user ivo@firm.example --new-user Ivo --company 1 --name 'Laptop 12'",
      "token create --user ivo@firm.example --company 1 --name 'Dashboard' --level read_only --expires 90d",
      'token revoke 3f9c2a7b10de',
    ],
  },
  user: {
    summary: 'adds, lists and deactivates users, and changes their levels and projects',
    usage: [
      'user add LOGIN --company ID --name NAME [--level LEVEL] [--projects 3,7]',
      'user list --company ID',
      'user role LOGIN --company ID [--level LEVEL] [--projects all]',
      'user deactivate LOGIN --company ID',
    ],
    text: [
      'LEVEL is read_only, reporter, standard (unless said) or admin. A login of another company is added',
      'without --name and has one login for both. Deactivating ends the tokens of the user in the company at',
      'once; the records stay.',
    ],
    examples: [
      "user add ana@firm.example --company 1 --name 'Ana Ruiz' --level reporter --projects 3",
      'user role ana@firm.example --company 1 --level standard --projects all',
    ],
  },
  account: {
    summary: 'adds, lists and deletes service accounts, and gives them new secrets',
    usage: [
      'account add NAME --company ID [--level LEVEL] [--projects 3,7]',
      'account list --company ID',
      'account rotate CLIENT_ID --company ID [--account-secret-overlap 24h]',
      'account delete CLIENT_ID --company ID',
    ],
    text: [
      'A program exchanges the client id and the secret for a bearer at /oauth/token. A secret is shown once,',
      'when it is made. After a rotation the old one is valid for --account-secret-overlap; 0s ends it, and its',
      'bearers, at once. Deleting ends all of them; the records stay.',
    ],
    examples: [
      "account add 'Crane telemetry' --company 1 --level reporter --projects 3",
      'account rotate account-3f9c2a7b10de3f9c2a7b10de --company 1',
    ],
  },
  'signing-key': {
    summary: 'lists and replaces the key that signs evidence packs',
    usage: ['signing-key list', 'signing-key rotate'],
    text: [
      'A rotation works beside a running service, which signs with the new key at once. Old public keys stay',
      'published, so that packs which they signed still verify. Every company sees the rotation in its log.',
    ],
    examples: ['signing-key rotate --data-dir /var/lib/spotter'],
  },
  mail: {
    summary: 'sends one mail, to try the mail options',
    usage: ['mail test ADDRESS'],
    text: [
      'It takes --mail-server, --mail-from and --public-url, or their variables, as the service does, and says',
      'what the mail server answered. It opens no database.',
    ],
    examples: ['mail test ana@firm.example'],
    database: false,
  },
  import: {
    summary: 'reads the choices of forms, or incidents, from a file',
    usage: [
      'import FILE --company ID --kind KIND [--dry-run]',
      'import FILE --company ID --kind incidents --project ID --user LOGIN [--dry-run]',
    ],
    text: [
      'FILE is CSV, .json or .jsonl. Errors name the line and the field, and one bad line prevents the whole',
      'import. It works beside a running service.',
    ],
    examples: ['import vendors.csv --company 1 --kind vendors --dry-run'],
  },
  backup: {
    summary: 'writes database, key and files into one archive (SQLite)',
    usage: ['backup FILE'],
    text: ['It works beside a running service, and compares every file with its sha256.'],
    examples: ['backup /var/backups/spotter.tar --data-dir /var/lib/spotter'],
  },
  restore: {
    summary: 'fills an empty data folder from such an archive',
    usage: ['restore FILE'],
    text: ['The data folder must not exist or be empty, and no service may use it.'],
    examples: ['restore /var/backups/spotter.tar --data-dir /var/lib/spotter-new'],
  },
  copies: {
    summary: 'lists the daily copies of --daily-copies, and restores one',
    usage: ['copies', 'copies restore NAME'],
    text: ['Restoring needs a stopped service. It keeps the replaced files.'],
    examples: ['copies restore spotter-2026-05-04.db --data-dir /var/lib/spotter'],
  },
};

const SAME_DATABASE =
  'It needs the same --data-dir or --database-url as the service, or their environment variables.';

const indented = (lines: readonly string[]): string[] =>
  lines.map((line) => `  ${program} ${line}`);

/** The page of `COMMAND --help`; the general page for a command that does not exist. */
export const commandHelpText = (name: string): string => {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) return helpText();
  return [
    `${name}: ${command.summary}.`,
    '',
    'Usage:',
    ...indented(command.usage),
    '',
    ...command.text,
    ...(command.database === false ? [] : [SAME_DATABASE]),
    '',
    'Examples:',
    ...indented(command.examples),
    '',
  ].join('\n');
};

const EXAMPLES = [
  '--demo                                    to try it, with sample data',
  '--port 8080 --data-dir /srv/spotter       on SQLite and a folder',
  '--public-url https://spotter.example.com  behind a proxy that ends TLS',
];

export const helpText = (): string =>
  [
    `Spotter service ${version}: near-miss records and photos over REST.`,
    '',
    'Usage:',
    ...indented(['[options]', 'COMMAND [options]', 'COMMAND --help']),
    '',
    'Commands:',
    ...Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(13)}${summary}`),
    '',
    'Examples:',
    ...indented(EXAMPLES),
    '',
    'Each option is also an environment variable. The command line wins.',
    ...groups.flatMap(([title]) => [
      '',
      `${title}:`,
      ...(Object.keys(optionTable) as OptionName[])
        .filter((name) => groupOf(name) === title)
        .map(optionLines),
    ]),
    '',
    `  ${'--help'.padEnd(38)}this page`,
    `  ${'--version'.padEnd(38)}the version of this program`,
    '',
    'The first line on stdout is one JSON object (url, docs; with --demo also token, company_id,',
    'project_id, tokens, other). Logs go to stderr. SIGTERM finishes running requests and exits 0.',
    '',
  ].join('\n');
