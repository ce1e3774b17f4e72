/**
 * Every flag of the service in one table: the command line, the environment and `--help` are made from it, and so is
 * the type that the rest of the service reads. A new limit is a line here (decisions §10: every limit in time or
 * size is a flag and an environment variable `SPOTTER_…`).
 */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { readMorePorts } from './webhooks/destination-ports.ts';

interface Kinds {
  /** True or false; takes no value on the command line. */
  flag: boolean;
  /** `500ms`, `30s`, `15m`, `1h`, `7d`: milliseconds. */
  duration: number;
  /** A duration that a timer is set to. */
  wait: number;
  /** `512`, `256KiB`, `100MiB`, `2GiB`: bytes. */
  size: number;
  /** A whole number, 0 or more. */
  count: number;
  text: string;
}
type Kind = keyof Kinds;

interface Option<K extends Kind = Kind> {
  readonly kind: K;
  /** As it would be typed. */
  readonly default: string;
  readonly help: string;
}

const option = <K extends Kind>(kind: K, standard: string, help: string): Option<K> => ({
  kind,
  default: standard,
  help,
});

export const optionTable = {
  host: option('text', '127.0.0.1', 'address to listen on'),
  port: option('count', '3210', 'port to listen on; 0 takes a free one'),
  'data-dir': option('text', 'spotter-data', 'folder for the database and the files'),
  'database-url': option(
    'text',
    '',
    'postgres://user:password@host:5432/database instead of SQLite (prefer the variable: others see flags)',
  ),
  'database-pool': option(
    'count',
    '10',
    'PostgreSQL: most connections for reading, and for writing',
  ),
  'database-pooler': option(
    'flag',
    'false',
    'PostgreSQL behind a pooler that gives connections by transaction (PgBouncer): nothing is prepared or set in one',
  ),
  'daily-copies': option(
    'count',
    '0',
    'SQLite: how many daily copies to keep in the data folder (the app keeps 7)',
  ),
  'database-busy-timeout': option(
    'duration',
    '5s',
    'SQLite: how long a request waits while another process holds the database; then 503',
  ),
  'import-wait': option(
    'duration',
    '10m',
    'SQLite: how long a request waits while `import` writes a file; then 503',
  ),
  'database-timeout': option('wait', '30s', 'PostgreSQL: no statement lasts longer'),
  'file-store': option(
    'text',
    '',
    'where photos go: s3://bucket/prefix?endpoint=…&region=…; a folder in the data folder unless set',
  ),
  'public-url': option('text', '', 'address clients use, when it differs (behind a proxy)'),
  'allowed-hosts': option(
    'text',
    '',
    'names besides localhost and that of --public-url by which /healthz, /metrics and /docs may be asked: a.example,b or *',
  ),
  demo: option(
    'flag',
    'false',
    'seed the demo company into an empty data folder, print fresh tokens',
  ),
  'demo-bare': option(
    'flag',
    'false',
    'no photos, files and insurances for the demo company: ready a second sooner',
  ),
  embedded: option('flag', 'false', 'run inside the app: one local company; ends when stdin ends'),
  laptop: option(
    'flag',
    'false',
    'for the app: the firm of this laptop and a fresh token of its user in the first line',
  ),
  plain: option(
    'flag',
    'false',
    'without our additions to the API (tagged extension in /openapi.json), as another server has it',
  ),
  'log-level': option('text', 'info', 'fatal, error, warn, info, debug, trace or silent (stderr)'),
  metrics: option('text', 'loopback', 'who may read /metrics: off, loopback (this machine) or all'),

  'max-body': option('size', '1MiB', 'largest JSON body'),
  'max-upload-body': option('size', '4MiB', 'largest JSON body of an upload with many segments'),
  'max-bulk-body': option(
    'size',
    '16MiB',
    'largest JSON body of a sync, of an import, and of a bulk removal, whose surplus is ignored',
  ),
  'compress-above': option(
    'size',
    '1KiB',
    'longer JSON answers are packed (br, gzip) for clients that take it; 0 packs none',
  ),
  'rate-limit': option('count', '6000', 'requests per token and minute; 0 is no limit'),
  'headers-timeout': option('wait', '15s', 'a client must have sent its headers by then'),
  'body-timeout': option(
    'wait',
    '30s',
    'how long a JSON body may stand still, or be slower than --body-rate in all',
  ),
  'body-rate': option('size', '4000', 'bytes per second that a JSON body must come with'),
  'idle-timeout': option('wait', '2m', 'a connection on which nothing moves is closed after this'),
  'request-timeout': option('wait', '2h', 'no request lasts longer, file uploads included'),
  'keep-alive-timeout': option('wait', '72s', 'an idle connection is closed after this'),
  'stop-timeout': option('wait', '30s', 'on SIGTERM, running requests get this long'),
  'idempotency-window': option(
    'duration',
    '30d',
    'how long answers are kept for repeated requests',
  ),
  'idempotency-max-keys': option(
    'count',
    '500000',
    'most answers kept so of one user in one company; 0 is no limit',
  ),
  'idempotency-max-size': option(
    'size',
    '512MiB',
    'most bytes of answers kept so of one user in one company; 0 is no limit',
  ),

  'upload-post-window': option('duration', '1h', 'a form post must have started by then'),
  'upload-association-window': option(
    'duration',
    '7d',
    'an upload must belong to a record by then',
  ),
  'upload-segment-window': option('duration', '1h', 'how long a segment address holds'),
  'upload-max-size': option('size', '5GiB', 'largest file'),
  'upload-max-waiting': option(
    'size',
    '20GiB',
    'most bytes of one user in one company that belong to no record yet; 0 is no limit',
  ),
  'upload-max-waiting-count': option('count', '10000', 'most such uploads; 0 is no limit'),
  'upload-max-stored': option('size', '1024GiB', 'most bytes of files of a company; 0 is no limit'),
  'upload-sweep-interval': option('wait', '60s', 'how often expired uploads are looked for'),
  'file-url-window': option('duration', '24h', 'how long an address to read a file from holds'),
  'thumbnail-side': option('count', '480', 'longest side of a thumbnail in pixels'),
  'thumbnail-max-pixels': option(
    'count',
    '80000000',
    'larger images get no thumbnail; formats that cost more have lower limits of their own',
  ),
  'thumbnail-memory': option(
    'size',
    '768MiB',
    'most memory of the decoder of images; it takes 256MiB to start',
  ),
  'thumbnail-timeout': option('wait', '30s', 'a thumbnail must be made by then'),
  'thumbnail-max-size': option('size', '100MiB', 'larger files get no thumbnail'),

  'allow-private-webhooks': option(
    'flag',
    'false',
    'let webhooks go to private, loopback and link-local addresses',
  ),
  'webhook-ports': option(
    'text',
    '',
    'ports that webhooks may go to besides 80, 443 and those above 1024 without a well-known service: 25,8025 or all',
  ),
  'webhook-timeout': option('wait', '5s', 'a webhook must be answered in full by then'),
  'webhook-first-retry': option('duration', '1s', 'wait after the first failure; doubles'),
  'webhook-longest-retry': option('duration', '1h', 'the longest wait between two attempts'),
  'webhook-give-up': option('duration', '12h', 'an event that failed this long is given up'),
  'webhook-max-response': option('size', '1MiB', 'a longer answer of an endpoint is a failure'),
  'webhook-workers': option('count', '16', 'endpoints sent to at the same time'),
  'webhook-interval': option('wait', '30s', 'how often events are looked for that nobody told of'),
  'webhook-deliveries-window': option('duration', '30d', 'how long deliveries are listed'),
  'webhook-secret-overlap': option(
    'duration',
    '24h',
    'after a new signing secret, the old one signs too for this long',
  ),
  'webhook-max-hooks': option('count', '100', 'hooks of one company at most'),
  'webhook-key': option(
    'text',
    '',
    'seals headers and secrets, 32 bytes in base64; else webhook.key in --data-dir (prefer the variable: others see flags)',
  ),
} as const satisfies Record<string, Option>;

type Table = typeof optionTable;
export type OptionName = keyof Table;
export type Options = { readonly [N in OptionName]: Kinds[Table[N]['kind']] };

const DURATION = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const SIZE = { '': 1, B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 } as const;

/** A sentence for whoever typed the command; the CLI prints it and exits 2. */
export class OptionError extends Error {}

/** Node takes more for a millisecond, and PostgreSQL for no number. */
const LONGEST_WAIT = 24 * DURATION.d;

const parsers: { readonly [K in Kind]: (raw: string) => Kinds[K] | string } = {
  flag: (raw) =>
    raw === 'true' || raw === '1' ? true : raw === 'false' || raw === '0' ? false : 'true or false',
  duration: (raw) => {
    const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(raw);
    return match
      ? Number(match[1]) * DURATION[match[2] as keyof typeof DURATION]
      : 'a duration such as 500ms, 30s, 15m, 1h or 7d';
  },
  wait: (raw) => {
    const given = parsers.duration(raw);
    return typeof given === 'string' || given <= LONGEST_WAIT ? given : 'a duration of at most 24d';
  },
  size: (raw) => {
    const match = /^(\d{1,9})(B|KiB|MiB|GiB|)$/.exec(raw);
    return match
      ? Number(match[1]) * SIZE[match[2] as keyof typeof SIZE]
      : 'a size such as 512, 256KiB, 100MiB or 2GiB';
  },
  count: (raw) => (/^\d{1,12}$/.test(raw) ? Number(raw) : 'a whole number, 0 or more'),
  text: (raw) => raw as never,
};

const names = Object.keys(optionTable) as OptionName[];
const environmentName = (name: string): string =>
  `SPOTTER_${name.toUpperCase().replaceAll('-', '_')}`;

/** @throws {OptionError} that does not repeat the address: it holds a password */
const checkDatabase = (out: Readonly<Record<string, unknown>>): void => {
  const url = String(out['database-url']);
  if (url !== '' && !(/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)))
    throw new OptionError(
      '--database-url must be an address such as postgres://user:password@host:5432/database.',
    );
  if (readMorePorts(String(out['webhook-ports'])) === null)
    throw new OptionError('--webhook-ports must be port numbers such as 25,8025 or all.');
  if (out['database-pool'] === 0) throw new OptionError('--database-pool must be at least 1.');
};

/** @throws {OptionError} */
const checkAddresses = (out: Readonly<Record<string, unknown>>): void => {
  // Node would listen on every address of this machine.
  if (String(out['host']).trim() === '')
    throw new OptionError('--host must be an address to listen on, such as 127.0.0.1 or 0.0.0.0.');
  const address = String(out['public-url']);
  if (address === '') return;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.search + url.hash + url.username !== '')
    throw new OptionError('--public-url must be an address such as https://spotter.example.com.');
};

/** @throws {OptionError} */
const checkWaits = (out: Readonly<Record<string, unknown>>): void => {
  // 0 is no limit.
  const whole = Number(out['request-timeout']);
  if (whole > 0 && Number(out['headers-timeout']) > whole)
    throw new OptionError('--headers-timeout must not be longer than --request-timeout.');
};

const parseOne = (name: OptionName, raw: string, source: string): unknown => {
  const kind: Kind = optionTable[name].kind;
  const value = parsers[kind](raw);
  if (kind !== 'text' && typeof value === 'string')
    throw new OptionError(`${source} must be ${value}; it is "${raw}".`);
  return value;
};

type Flags = NonNullable<ParseArgsConfig['options']>;

const flags: Flags = Object.fromEntries(
  names.map((name) => [
    name,
    { type: optionTable[name].kind === 'flag' ? ('boolean' as const) : ('string' as const) },
  ]),
);

const readFlags = (
  config: ParseArgsConfig,
): {
  readonly values: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
} => {
  try {
    return parseArgs({ ...config, strict: true });
  } catch (error) {
    const text = (error as Error).message.split('. ')[0] ?? '';
    throw new OptionError(`${text}. See --help for the list of options.`);
  }
};

/** What was typed, then the environment, then the defaults. */
const resolveOptions = (
  typed: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
): Options => {
  const out: Record<string, unknown> = {};
  for (const name of names) {
    const inherited = environment[environmentName(name)];
    if (typed[name] !== undefined) out[name] = parseOne(name, String(typed[name]), `--${name}`);
    else if (inherited !== undefined && inherited !== '')
      out[name] = parseOne(name, inherited, environmentName(name));
    else out[name] = parseOne(name, optionTable[name].default, `--${name}`);
  }
  const port = out['port'] as number;
  if (port > 65_535) throw new OptionError(`--port must be between 0 and 65535; it is ${port}.`);
  checkDatabase(out);
  checkAddresses(out);
  checkWaits(out);
  if (out['demo-bare'] === true && out['demo'] !== true)
    throw new OptionError('--demo-bare says how to seed the demo company: give --demo with it.');
  return out as unknown as Options;
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the flags, then the environment, then the defaults.
 * @throws {OptionError} with a sentence that names what is wrong and what to do.
 */
export const parseOptions = (
  argv: readonly string[],
  environment: Environment = {},
): Options & { readonly help: boolean } => {
  const options = { ...flags, help: { type: 'boolean' as const } };
  const { values } = readFlags({ args: [...argv], options, allowPositionals: false });
  return { ...resolveOptions(values, environment), help: values['help'] === true };
};

/**
 * The same for a command such as `token create`, which has words and flags (texts) of its own.
 * @throws {OptionError}
 */
export const parseCommand = <N extends string>(
  argv: readonly string[],
  environment: Environment,
  own: readonly N[],
): {
  readonly options: Options;
  readonly words: readonly string[];
  readonly own: Readonly<Partial<Record<N, string>>>;
} => {
  const mine: Flags = Object.fromEntries(own.map((name) => [name, { type: 'string' }]));
  const { values, positionals } = readFlags({
    args: [...argv],
    options: { ...flags, ...mine },
    allowPositionals: true,
  });
  const given = own.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]]));
  return {
    options: resolveOptions(values, environment),
    words: positionals,
    own: Object.fromEntries(given) as Partial<Record<N, string>>,
  };
};

/** Defaults with some options replaced: what tests and the app's shells start from. */
export const withDefaults = (some: Partial<Options>): Options => ({ ...parseOptions([]), ...some });

export const helpText = (): string =>
  [
    'Spotter service: near-miss records and photos over REST.',
    '',
    'Usage: npm run -s service -- [options]',
    '       npm run -s service -- token create --user LOGIN --company ID [--name TEXT]',
    '       npm run -s service -- token create --user LOGIN --new-user NAME --company ID',
    '       npm run -s service -- token create --user LOGIN --new-user NAME --new-company NAME [--new-project NAME]',
    '       npm run -s service -- token list [--user LOGIN]',
    '       npm run -s service -- token revoke ID',
    '       npm run -s service -- import FILE --company ID --kind vendors [--dry-run]',
    '       npm run -s service -- import FILE --company ID --kind incidents --project ID --user LOGIN [--dry-run]',
    '       npm run -s service -- backup FILE       also while the service runs',
    '       npm run -s service -- restore FILE      into a --data-dir that holds nothing yet',
    '       npm run -s service -- copies            the daily copies of a data folder',
    '       npm run -s service -- copies restore NAME',
    '',
    ...names.map((name) => {
      const { kind, default: standard, help } = optionTable[name];
      const left =
        kind === 'flag' ? `--${name}` : `--${name} <${kind === 'wait' ? 'duration' : kind}>`;
      const shown = kind === 'flag' || standard === '' ? '' : ` (default ${standard})`;
      return `  ${left.padEnd(38)}${help}${shown}\n${' '.repeat(40)}${environmentName(name)}`;
    }),
    `  ${'--help'.padEnd(38)}this page`,
    '',
    'The first line on stdout is one JSON object (url, docs; with --demo also token, company_id,',
    'project_id, other). Logs go to stderr. SIGTERM finishes running requests and exits 0.',
    '',
  ].join('\n');
