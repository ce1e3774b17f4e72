/** Runs programs, looks for them on the PATH, and installs Debian packages. */
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';

export interface Ran {
  readonly status: number | null;
  /** stdout and stderr together, the last 4,000 characters. */
  readonly output: string;
}

/** Runs a program to its end without showing its output, which is kept for an error sentence. */
export const runQuietly = (
  file: string,
  args: readonly string[],
  options: { readonly timeout_ms?: number; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Ran> =>
  new Promise((resolve) => {
    let output = '';
    const child = spawn(file, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: options.env ?? process.env,
      timeout: options.timeout_ms,
      killSignal: 'SIGKILL',
    });
    const keep = (part: Buffer) => (output = (output + part.toString()).slice(-4_000));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => resolve({ status: null, output: error.message }));
    child.on('close', (status) => resolve({ status, output }));
  });

/** Resolves with a child's exit status. A SIGTERM to this process is forwarded, so that the child ends first. */
const endOf = (child: ChildProcess): Promise<number> =>
  new Promise((resolve) => {
    const pass = (signal: NodeJS.Signals) => void child.kill(signal);
    // Ctrl+C reaches the whole process group. A SIGTERM to this process alone is forwarded.
    const ignore = () => undefined;
    process.on('SIGINT', ignore);
    process.on('SIGTERM', pass);
    const end = (status: number) => {
      process.off('SIGINT', ignore);
      process.off('SIGTERM', pass);
      resolve(status);
    };
    child.on('error', (error) => {
      console.error(error.message);
      end(1);
    });
    child.on('exit', (status) => end(status ?? 1));
  });

/** Runs a program in this terminal and returns its exit status. */
export const runHere = (
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> => endOf(spawn(file, args, { stdio: 'inherit', env }));

/** How long to wait for the last lines of an ended program, in milliseconds. Its own children may keep the pipe open. */
const LAST_LINES = 2_000;

/** Like runHere, but for programs that run at once: each line is prefixed with the program's name. */
export const runNamed = async (
  name: string,
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> => {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  const streams = [child.stdout, child.stderr];
  for (const stream of streams)
    createInterface({ input: stream }).on('line', (line) => console.log(`${name} | ${line}`));
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const status = await endOf(child);
  const late = setTimeout(() => streams.forEach((stream) => stream.destroy()), LAST_LINES);
  await closed;
  clearTimeout(late);
  return status;
};

/** True when a program of that name is on the PATH. */
export const onPath = (name: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** True when this process can install Debian packages. */
export const canUseApt = (): boolean =>
  process.platform === 'linux' && process.getuid?.() === 0 && onPath('apt-get');

/** Installs Debian packages. It updates the package lists first, because a minimal system has none. */
export const aptInstall = async (packages: readonly string[]): Promise<Ran> => {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const update = await runQuietly('apt-get', ['update', '-qq'], { env, timeout_ms: 300_000 });
  if (update.status !== 0) return update;
  return runQuietly('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
    env,
    timeout_ms: 900_000,
  });
};
