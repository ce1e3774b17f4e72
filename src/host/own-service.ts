/**
 * How a shell starts and ends the service on this laptop, whatever kind of process it makes of it: with which flags, in which
 * environment, and in which order it is stopped. Both shells use it, so that what holds in one holds in the other.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { ownProgram } from '../disk/own-program.ts';

/** The service's command line, for a shell that starts it with Node. */
export const serviceProgram = (): string =>
  ownProgram('service', import.meta.url, '../service/cli.ts');

/** What a clean stop may take before the process is ended from outside. Running requests get half of it. */
const STOP_MS = 10_000;
/** What a SIGTERM may take, where there is such a thing. */
const TERM_MS = 5_000;

/** Which of the two services of this laptop: made-up data to look around in, or the firm that works on it. */
export type OwnServiceKind = 'sample' | 'firm';

export const serviceArguments = (folder: string, kind: OwnServiceKind): string[] => {
  // One user on the laptop itself crowds nobody out, and may have no other copy of the database.
  const limits = [
    '--stop-timeout',
    `${STOP_MS / 2}ms`,
    '--rate-limit',
    '0',
    '--daily-copies',
    '7',
    // Between two programs of one machine nothing is slow but packing.
    '--compress-above',
    '0',
  ];
  const data = kind === 'sample' ? '--demo' : '--laptop';
  return [data, '--port', '0', '--log-level', 'warn', ...limits, '--data-dir', folder];
};

/** How a command of the service ended: `said` is its one line of JSON, null where it failed; `why` what it said last of that. */
export interface CommandEnd {
  readonly said: string | null;
  readonly code: number | null;
  readonly why: string;
}
/** Runs a command of the service (`copies`, `copies restore NAME`) in a process of its own, on the data folder of this laptop's. */
export type RunCommand = (words: readonly string[]) => Promise<CommandEnd>;

export const commandArguments = (words: readonly string[], folder: string): string[] => [
  ...words,
  '--data-dir',
  folder,
];

/** What a command may take. A restored copy is read whole, checked and written to the disk. */
export const COMMAND_MS = 10 * 60_000;

/**
 * What the service may know of this program's environment: where things are, language and time zone, extra certificates, and
 * what finds Node's own parts. Nothing that could turn it into another service: `SPOTTER_HOST` would open it to the
 * network, `SPOTTER_DATABASE_URL`, `PGHOST` or `AWS_PROFILE` would send it elsewhere.
 */
const KNOWN = new Set([
  'APPDATA',
  'COMSPEC',
  'HOME',
  'LANG',
  'LANGUAGE',
  'LD_LIBRARY_PATH',
  'LOCALAPPDATA',
  'NODE_COMPILE_CACHE',
  'NODE_EXTRA_CA_CERTS',
  'PATH',
  'PATHEXT',
  'PROGRAMDATA',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'TMPDIR',
  'TZ',
  'USERPROFILE',
  'WINDIR',
]);

type Environment = Readonly<Record<string, string | undefined>>;

/** Windows writes the same name as `Path` or `PATH`. */
export const serviceEnvironment = (environment: Environment): Record<string, string> => {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    const upper = name.toUpperCase();
    if (value !== undefined && (KNOWN.has(upper) || upper.startsWith('LC_'))) kept[name] = value;
  }
  return kept;
};

export interface ServiceProcess {
  /** Asks it to finish what runs and end. Never a signal: on Windows every signal is a kill. */
  ask(): void;
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
  readonly exited: Promise<unknown>;
}

/** Asks, waits, and only then ends the process from outside. */
export const stopService = async (
  { ask, kill, exited }: ServiceProcess,
  platform: NodeJS.Platform = process.platform,
  [stop_ms, term_ms]: readonly [number, number] = [STOP_MS, TERM_MS],
): Promise<void> => {
  const over = exited.then(
    () => true,
    () => true,
  );
  const within = (ms: number): Promise<boolean> =>
    Promise.race([over, pause(ms, false, { ref: false })]);
  ask();
  if (await within(stop_ms)) return;
  if (platform !== 'win32') {
    kill('SIGTERM');
    if (await within(term_ms)) return;
  }
  kill('SIGKILL');
  await over;
};
