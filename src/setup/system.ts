/** What the set-up does to a machine: runs programs, asks whether one is there, installs Debian packages. */
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';

export interface Ran {
  readonly status: number | null;
  /** stdout and stderr together, the last 4,000 characters. */
  readonly output: string;
}

/** Runs a program to its end. Nothing is shown; the output is kept for the sentence that may be needed. */
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

/** The exit status of a program that was begun here. Signals to us go to it: it ends first. */
const endOf = (child: ChildProcess): Promise<number> =>
  new Promise((resolve) => {
    const pass = (signal: NodeJS.Signals) => void child.kill(signal);
    // Ctrl+C reaches the whole group by itself; a signal sent to this process alone is handed on.
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

/** Runs a program in this terminal and answers its exit status. */
export const runHere = (
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> => endOf(spawn(file, args, { stdio: 'inherit', env }));

/** How long the last lines of an ended program may take, in ms: what it left running must not hold us. */
const LAST_LINES = 2_000;

/** The same beside others: each line it says is shown with its name in front, as soon as the line is whole. */
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

/** Is a program of that name on the PATH? */
export const onPath = (name: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** Can this process install Debian packages? */
export const canUseApt = (): boolean =>
  process.platform === 'linux' && process.getuid?.() === 0 && onPath('apt-get');

/** Installs Debian packages, with their lists fetched first: a bare root has none. */
export const aptInstall = async (packages: readonly string[]): Promise<Ran> => {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const update = await runQuietly('apt-get', ['update', '-qq'], { env, timeout_ms: 300_000 });
  if (update.status !== 0) return update;
  return runQuietly('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
    env,
    timeout_ms: 900_000,
  });
};
