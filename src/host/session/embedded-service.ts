/**
 * Defines how a shell starts and stops the embedded service, whatever kind of process it uses: flags, environment and shutdown
 * order. Both shells share it, so that they behave alike.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { ownProgram } from '../../disk/own-program.ts';

/** Path of the service's command line, for a shell that runs it with Node. */
export const serviceProgram = (): string =>
  ownProgram('service', import.meta.url, '../../service/cli.ts');

/** Time allowed for a clean stop before the process is killed, in milliseconds. Running requests get half of it. */
const STOP_MS = 10_000;
/** Time allowed after SIGTERM, in milliseconds. Windows has no SIGTERM. */
const TERM_MS = 5_000;

/** The two embedded services: sample data, and the local company. */
export type OwnServiceKind = 'sample' | 'company';

export const serviceArguments = (folder: string, kind: OwnServiceKind): string[] => {
  // No rate limit, because there is one local user. Daily copies, because the database may have no other backup.
  const limits = [
    '--stop-timeout',
    `${STOP_MS / 2}ms`,
    '--rate-limit',
    '0',
    '--daily-copies',
    '7',
    // No compression, because the loopback connection is faster than the compressor.
    '--compress-above',
    '0',
  ];
  const data = kind === 'sample' ? '--demo' : '--laptop';
  return [data, '--port', '0', '--log-level', 'warn', ...limits, '--data-dir', folder];
};

/** Result of a service command. `said`: its JSON line, null if it failed. `why`: the last output of a failure. */
export interface CommandEnd {
  readonly said: string | null;
  readonly code: number | null;
  readonly why: string;
}
/**
 * Runs a command of the service (`copies`, `copies restore NAME`) in a separate process, on the embedded service's data folder.
 */
export type RunCommand = (words: readonly string[]) => Promise<CommandEnd>;

export const commandArguments = (words: readonly string[], folder: string): string[] => [
  ...words,
  '--data-dir',
  folder,
];

/** Timeout of a command, in milliseconds. Restoring reads, checks and writes a whole database. */
export const COMMAND_MS = 10 * 60_000;

/**
 * Environment variables passed to the service: locations, language, time zone, extra certificates, and the paths Node needs.
 * Anything that could redirect the service is left out: `SPOTTER_HOST` would open it to the network; `SPOTTER_DATABASE_URL`,
 * `PGHOST` or `AWS_PROFILE` would connect it elsewhere.
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

/** Compares names in upper case, because Windows may spell `PATH` as `Path`. */
export const serviceEnvironment = (environment: Environment): Record<string, string> => {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    const upper = name.toUpperCase();
    if (value !== undefined && (KNOWN.has(upper) || upper.startsWith('LC_'))) kept[name] = value;
  }
  return kept;
};

export interface ServiceProcess {
  /** Requests a graceful stop by message. Not by a signal, because on Windows every signal kills. */
  ask(): void;
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
  readonly exited: Promise<unknown>;
}

/** Requests a graceful stop, waits, then kills the process. */
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
