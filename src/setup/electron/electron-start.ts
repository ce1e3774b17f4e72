/**
 * Starts Electron and watches it until its window is up. It checks first what the system lacks. If Electron ends early or is
 * silent for too long, one sentence says why, and Chromium opens in the same start.
 */
import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { runQuietly } from '../system.ts';

/** The line that the main process prints when its window is up (SPOTTER_SAY_UP requests it). */
export const UP = 'spotter: up';
/** Time limit until the window is up. A cold start on a slow disk takes some seconds. */
const UP_MS = 60_000;

export type ElectronEnd =
  | { readonly kind: 'ran'; readonly status: number }
  /** Electron's window never came up. The sentence says why and what happens instead. */
  | { readonly kind: 'failed'; readonly sentence: string };

const SANDBOX =
  'this system lets no program make its own sandbox, and Spotter does not run without one. Install the Spotter package for your system, or let your administrator allow it (sysctl kernel.apparmor_restrict_unprivileged_userns=0)';

const isOne = (path: string, value: string): boolean => {
  try {
    return readFileSync(path, 'utf8').trim() === value;
  } catch {
    return false;
  }
};

/** The Linux sandbox needs user namespaces, or its helper with root's setuid bit, as a package installs it. */
const sandboxIsClosed = (binary: string, proc: string): boolean => {
  const closed =
    isOne(join(proc, 'sys/kernel/apparmor_restrict_unprivileged_userns'), '1') ||
    isOne(join(proc, 'sys/kernel/unprivileged_userns_clone'), '0') ||
    isOne(join(proc, 'sys/user/max_user_namespaces'), '0');
  if (!closed) return false;
  try {
    const { uid, mode } = statSync(join(dirname(binary), 'chrome-sandbox'));
    return uid !== 0 || (mode & 0o4000) === 0;
  } catch {
    return true;
  }
};

const withoutLibraries = (names: readonly string[]): string =>
  `this system lacks ${names.join(', ')} (Debian, Ubuntu: sudo apt-get install libgtk-3-0 libnss3 libasound2 libgbm1)`;

/** Says what Electron lacks on this Linux system, as part of a sentence; undefined when nothing is known to be missing. */
export const lackOf = async (binary: string, proc = '/proc'): Promise<string | undefined> => {
  if (process.platform !== 'linux') return undefined;
  if (sandboxIsClosed(binary, proc)) return SANDBOX;
  const { output } = await runQuietly('ldd', [binary], { timeout_ms: 10_000 });
  const missing = output
    .split('\n')
    .filter((line) => line.endsWith(' => not found'))
    .map((line) => line.trim().split(' ')[0] ?? '');
  return missing.length > 0 ? withoutLibraries([...new Set(missing)]) : undefined;
};

/** Derives from the last output why Electron ended before its window was up. */
const reasonOf = (
  status: number | null,
  signal: string | null,
  words: readonly string[],
): string => {
  const text = words.join('\n');
  if (/sandbox/i.test(text) && signal !== null) return SANDBOX;
  const library = /error while loading shared libraries: (\S+?):/.exec(text)?.[1];
  if (library !== undefined) return withoutLibraries([library]);
  const last = words.findLast((line) => line.trim() !== '');
  const how = signal === null ? `status ${status ?? 1}` : signal;
  return `it ended before its window was up (${how}${last === undefined ? '' : `: ${last.trim()}`})`;
};

const failed = (reason: string): ElectronEnd => ({
  kind: 'failed',
  sentence: `Electron could not start: ${reason}. Spotter opens in Chromium instead.`,
});

/** @param up_ms time limit until the window is up */
export const runElectron = async (
  binary: string,
  args: readonly string[],
  up_ms = UP_MS,
): Promise<ElectronEnd> => {
  const lack = await lackOf(binary);
  if (lack !== undefined) return failed(lack);
  return new Promise((resolve) => {
    const child = spawn(binary, args, {
      stdio: ['inherit', 'pipe', 'pipe'],
      env: { ...process.env, SPOTTER_SAY_UP: '1' },
    });
    let up = false;
    let late = false;
    const words: string[] = [];
    const timer = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
    }, up_ms);
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line !== UP) return console.log(line);
      up = true;
      clearTimeout(timer);
    });
    createInterface({ input: child.stderr }).on('line', (line) => {
      console.error(line);
      if (!up) words.push(line);
      if (words.length > 50) words.shift();
    });
    // Ctrl+C reaches the whole process group. A SIGTERM to this process alone is forwarded.
    const ignore = () => undefined;
    const pass = (signal: NodeJS.Signals) => void child.kill(signal);
    process.on('SIGINT', ignore);
    process.on('SIGTERM', pass);
    let stopped = false;
    process.once('SIGTERM', () => (stopped = true));
    process.once('SIGINT', () => (stopped = true));
    const end = (how: ElectronEnd): void => {
      clearTimeout(timer);
      process.off('SIGINT', ignore);
      process.off('SIGTERM', pass);
      resolve(how);
    };
    child.on('error', (error) => end(failed(error.message)));
    child.on('close', (status, signal) => {
      // Status 0 without a window: a second start, which brought the first one's window to the front.
      if (up || stopped || status === 0) return end({ kind: 'ran', status: status ?? 1 });
      const seconds = Math.round(up_ms / 1000);
      end(
        failed(
          late
            ? `its window was not up within ${seconds} seconds`
            : reasonOf(status, signal, words),
        ),
      );
    });
  });
};
