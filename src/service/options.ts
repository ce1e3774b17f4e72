/**
 * The table of all flags of the service. The command line, the environment, `--help` and the type `Options` derive
 * from it. Every limit in time or size is a flag and an environment variable `SPOTTER_…` (decisions §10), so add a
 * new limit here.
 */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { isProviderAddress } from '../contract/provider-address.ts';
import { readOrigins } from './http/origins.ts';
import { mailFault } from './mail/mail-options.ts';
import { readMorePorts } from './webhooks/destination-ports.ts';

interface Kinds {
  /** True or false; takes no value on the command line. */
  flag: boolean;
  /** `500ms`, `30s`, `15m`, `1h`, `7d`: milliseconds. */
  duration: number;
  /** A duration used for a timer. */
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
  /** The default value in command-line syntax. */
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
    'names besides localhost and that of --public-url by which /healthz, /readyz, /metrics and /docs may be asked: a.example,b or *',
  ),
  'allowed-origins': option(
    'text',
    '',
    'origins of web pages that may call the API (CORS): https://board.example,http://localhost:5173; none unless set',
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
    'for the app: the company of this laptop and a fresh token of its user in the first line',
  ),
  plain: option(
    'flag',
    'false',
    'without our additions to the API (tagged extension in /openapi.json), as another server has it',
  ),
  'free-space': option(
    'size',
    '256MiB',
    '/healthz fails when fewer bytes are free in the data folder; 0 looks at none',
  ),
  'clock-tolerance': option(
    'duration',
    '5m',
    '/healthz fails when the clock is further behind what is recorded, or from PostgreSQL’s; 0 looks at none',
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
  'bodies-per-token': option(
    'size',
    '64MiB',
    'bytes of JSON bodies that one token may be sending at once, beyond which 429; 0 is no limit',
  ),
  'bodies-in-all': option(
    'size',
    '256MiB',
    'bytes of JSON bodies that all may be sending at once, beyond which 503; 0 is no limit',
  ),
  'compress-above': option(
    'size',
    '4KiB',
    'longer JSON answers are packed (br, gzip) for clients that take it; 0 packs none',
  ),
  'enrolment-window': option('duration', '7d', 'how long a code that sets up a laptop is valid'),
  'enrolment-rate': option(
    'count',
    '10',
    'wrong codes, and wrong secrets of service accounts, per address and minute, ten times as many in all; 0 is no limit',
  ),
  'sign-in-issuer': option(
    'text',
    '',
    'issuer of the identity provider that users sign in with (OpenID Connect): https://login.example.com/firm; none unless set',
  ),
  'sign-in-client-id': option('text', '', 'id of Spotter at that provider, as a public client'),
  'sign-in-client-secret': option(
    'text',
    '',
    'only for a provider that wants one of desktop apps too (Google): every laptop gets it, so it is none',
  ),
  'sign-in-scope': option(
    'text',
    'openid email profile offline_access',
    'what laptops ask the provider for; offline_access brings the refresh token',
  ),
  'sign-in-claim': option(
    'text',
    'email',
    'claim of the ID token that is the login of the user; an email counts unless the provider says that it is not verified',
  ),
  'sign-in-new-users': option(
    'count',
    '0',
    'id of the company in which whoever signs in without an account becomes a standard user; 0 refuses them',
  ),
  'sign-in-window': option(
    'duration',
    '90m',
    'how long a bearer is valid that a laptop gets for an ID token',
  ),
  'account-bearer-window': option(
    'duration',
    '90m',
    'how long a bearer is valid that a service account gets at /oauth/token',
  ),
  'account-secret-overlap': option(
    'duration',
    '24h',
    'after a new secret of a service account, the old one is valid too for this long',
  ),
  'token-use-interval': option('wait', '1m', 'how often the last use of tokens is written'),
  'shift-length': option(
    'duration',
    '24h',
    'how long somebody who took over a shift may answer the reports of the project',
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
  'stop-delay': option(
    'wait',
    '0s',
    'on SIGTERM, requests are still answered for this long while /readyz says 503 to load balancers',
  ),
  'stop-timeout': option('wait', '30s', 'on SIGTERM, running requests get this long'),
  'idempotency-window': option(
    'duration',
    '30d',
    'how long answers are kept for repeated requests; 7d at least',
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
  'retention-interval': option(
    'wait',
    '1h',
    'how often reports are looked for that a company keeps no longer',
  ),
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
  'webhook-workers': option('count', '16', 'endpoints sent to at the same time; 0 sends nothing'),
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

  'mail-server': option(
    'text',
    '',
    'server that takes the mail: smtp://user:password@smtp.firm.example:587 (STARTTLS) or smtps://…:465 (prefer the variable: others see flags); no mail unless set',
  ),
  'mail-from': option('text', '', 'sender of the mail: Spotter <spotter@firm.example>'),
  'mail-without-tls': option(
    'flag',
    'false',
    'send mail, and the password, without TLS to a server that is not on this machine',
  ),
  'mail-timeout': option('wait', '30s', 'the server must have taken a mail by then'),
  'mail-first-retry': option('duration', '1m', 'wait after the first failure; doubles'),
  'mail-longest-retry': option('duration', '1h', 'the longest wait between two attempts'),
  'mail-give-up': option('duration', '2d', 'a mail that failed this long is given up'),
  'mail-workers': option('count', '4', 'mails sent at the same time; 0 sends nothing'),
  'mail-interval': option('wait', '30s', 'how often mails are looked for that nobody told of'),
  'mail-window': option('duration', '30d', 'how long mails are listed; 10d at least'),
} as const satisfies Record<string, Option>;

type Table = typeof optionTable;
export type OptionName = keyof Table;
export type Options = { readonly [N in OptionName]: Kinds[Table[N]['kind']] };

const DURATION = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const SIZE = { '': 1, B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 } as const;

/** An error for the user of the command; the CLI prints it and exits 2. */
export class OptionError extends Error {}

/** Longer values overflow: Node's setTimeout fires after 1 ms, PostgreSQL rejects them. */
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
export const environmentName = (name: string): string =>
  `SPOTTER_${name.toUpperCase().replaceAll('-', '_')}`;

/** @throws {OptionError} without the address, because it contains a password */
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
  // An empty host would make Node listen on every address of this machine.
  if (String(out['host']).trim() === '')
    throw new OptionError('--host must be an address to listen on, such as 127.0.0.1 or 0.0.0.0.');
  if (readOrigins(String(out['allowed-origins'])) === null)
    throw new OptionError(
      '--allowed-origins must be origins such as https://board.example,http://localhost:5173, without a path; * is not taken.',
    );
  const address = String(out['public-url']);
  if (address === '') return;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.search + url.hash + url.username !== '')
    throw new OptionError('--public-url must be an address such as https://spotter.example.com.');
};

const SIGN_IN = ['sign-in-issuer', 'sign-in-client-id'] as const;

/** @throws {OptionError} */
const checkSignIn = (out: Readonly<Record<string, unknown>>): void => {
  const given = SIGN_IN.filter((name) => out[name] !== '');
  if (given.length === 1)
    throw new OptionError('--sign-in-issuer and --sign-in-client-id must be given together.');
  if (given.length > 0 && !isProviderAddress(String(out['sign-in-issuer'])))
    throw new OptionError(
      '--sign-in-issuer must be an https address without a query, as the provider spells it: https://login.example.com/firm.',
    );
  // An ID token is bound to the address that its laptop connected to.
  if (given.length > 0 && out['public-url'] === '')
    throw new OptionError(
      '--sign-in-issuer needs --public-url, the address that laptops connect to.',
    );
  if (Number(out['sign-in-window']) < 1000)
    throw new OptionError('--sign-in-window must be at least 1s.');
};

/** @throws {OptionError} */
const checkMail = (out: Readonly<Record<string, unknown>>): void => {
  const fault = mailFault({
    server: String(out['mail-server']),
    from: String(out['mail-from']),
    public_url: String(out['public-url']),
    without_tls: out['mail-without-tls'] === true,
  });
  if (fault !== null) throw new OptionError(fault);
  // A reminder of a follow-up is not repeated, because its mail is still listed (decisions §16.3).
  if (Number(out['idempotency-window']) < 7 * DURATION.d)
    throw new OptionError('--idempotency-window must be at least 7d: laptops rely on it.');
  if (Number(out['mail-window']) < 10 * DURATION.d)
    throw new OptionError('--mail-window must be at least 10d.');
};

/** @throws {OptionError} */
const checkWaits = (out: Readonly<Record<string, unknown>>): void => {
  // 0 means no limit.
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

/** Precedence: command line, environment, defaults. */
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
  checkSignIn(out);
  checkMail(out);
  if (out['demo-bare'] === true && out['demo'] !== true)
    throw new OptionError('--demo-bare says how to seed the demo company: give --demo with it.');
  return out as unknown as Options;
};

/** The milliseconds of a command's own flag. @throws {OptionError} */
export const readDuration = (raw: string, flag: string): number => {
  const value = parsers.duration(raw);
  if (typeof value === 'string') throw new OptionError(`${flag} must be ${value}; it is "${raw}".`);
  return value;
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads flags, then the environment, then defaults. @throws {OptionError} with a sentence that names what is wrong
 * and what to do.
 */
export const parseOptions = (
  argv: readonly string[],
  environment: Environment = {},
): Options & { readonly help: boolean; readonly version: boolean } => {
  const page = { type: 'boolean' as const };
  const options = { ...flags, help: page, version: page };
  const { values } = readFlags({ args: [...argv], options, allowPositionals: false });
  const asked = { help: values['help'] === true, version: values['version'] === true };
  return { ...resolveOptions(values, environment), ...asked };
};

/** Like `parseOptions`, for a command such as `token create` with words and its own text flags. @throws {OptionError} */
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

/** Defaults with some options replaced, for tests and the app's shells. */
export const withDefaults = (some: Partial<Options>): Options => ({ ...parseOptions([]), ...some });
