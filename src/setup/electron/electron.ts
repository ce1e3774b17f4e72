/**
 * Finds or downloads Electron's binary, because electron >= 42 downloads nothing at install. The first start downloads it with
 * progress and waits if that is quick. On a slow link the download continues in the background while Spotter runs in Chromium.
 * If it fails, one sentence says why and how to retry.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Files in electron's folder: the reason and time of the last failed download, and the process that is downloading. */
export const NOTE = '.spotter-no-binary';
export const PID = '.spotter-fetching';

/** Retry delay after a failed download, so that an offline laptop starts at once. */
const TRY_AGAIN_MS = 24 * 3_600_000;
const TRY_AGAIN = 'To try again: npm start -- --electron';

export interface Waiting {
  /** True when the user asked for Electron: retries whatever the note says, and waits to the end. */
  readonly asked: boolean;
  /** The download gives up after this time without any bytes. */
  readonly silence_ms?: number;
  /** After this time the start decides whether to wait: only when at most three times as long remains. */
  readonly patience_ms?: number;
}

/** Path of the program within an Electron distribution. */
const program: Readonly<Record<string, string>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
};

/** Path of Electron's program, from ELECTRON_OVERRIDE_DIST_PATH if set, otherwise from the download. */
const binary = (root: string): string | undefined => {
  const name = program[process.platform] ?? 'electron';
  const named = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (named) return existsSync(join(named, name)) ? join(named, name) : undefined;
  const folder = join(root, 'node_modules/electron');
  const path = join(folder, 'dist', name);
  // path.txt is written last. Without it the folder may be half unpacked.
  return existsSync(path) && existsSync(join(folder, 'path.txt')) ? path : undefined;
};

const failedLately = (note: string): boolean => {
  try {
    const { at } = JSON.parse(readFileSync(note, 'utf8')) as { at: number };
    return Date.now() - at < TRY_AGAIN_MS;
  } catch {
    return false;
  }
};

/** True while the download of another start is running. */
const isFetching = (pid: string): boolean => {
  try {
    process.kill(Number(readFileSync(pid, 'utf8')), 0);
    return true;
  } catch {
    return false;
  }
};

interface Told {
  readonly got?: number;
  readonly total?: number | null;
  readonly failed?: string;
}

const MB = 1_000_000;
const far = (got: number, total: number | null): string =>
  total === null
    ? `${Math.round(got / MB)} MB`
    : `${Math.round((100 * got) / total)} % of ${Math.round(total / MB)} MB`;

/** Shows progress: on one line in a terminal, otherwise one line per tenth. */
const progress = (say: (text: string) => void) => {
  let tenth = 0;
  return (got: number, total: number | null): void => {
    if (process.stdout.isTTY) {
      process.stdout.write(`\rFetching Electron: ${far(got, total)}  ${got === total ? '\n' : ''}`);
      return;
    }
    const now = total === null ? Math.floor(got / (10 * MB)) : Math.floor((10 * got) / total);
    if (now > tenth) say(`Fetching Electron: ${far(got, total)}`);
    tenth = Math.max(tenth, now);
  };
};

type Fetched = 'done' | 'background' | { readonly failed: string };

const fetchElectron = (
  root: string,
  say: (text: string) => void,
  { asked, silence_ms = 60_000, patience_ms = 20_000 }: Waiting,
): Promise<Fetched> =>
  new Promise((resolve) => {
    // A separate process group, so that Ctrl+C ends Spotter but not a background download.
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, 'electron-download.ts'), root, String(silence_ms)],
      { detached: !asked, stdio: ['ignore', 'pipe', 'ignore'], windowsHide: true },
    );
    // Here and not in the child: it may begin so late that the next start would fetch a second time.
    if (child.pid !== undefined)
      writeFileSync(join(root, 'node_modules/electron', PID), String(child.pid));
    const begun = Date.now();
    let last: Told = {};
    const show = progress(say);
    const timer = asked ? undefined : setInterval(decide, Math.min(1_000, patience_ms));
    const end = (how: Fetched): void => {
      clearInterval(timer);
      resolve(how);
    };
    function decide(): void {
      const spent = Date.now() - begun;
      if (spent < patience_ms) return;
      const { got = 0, total } = last;
      const left = got > 0 && total ? (spent * (total - got)) / got : Infinity;
      if (left <= 3 * patience_ms) return;
      child.stdout.destroy();
      child.unref();
      end('background');
    }
    createInterface({ input: child.stdout }).on('line', (line) => {
      last = { ...last, ...(JSON.parse(line) as Told) };
      if (last.failed === undefined && last.got !== undefined) show(last.got, last.total ?? null);
    });
    child.on('error', (error) => end({ failed: error.message }));
    child.on('close', (status) =>
      end(status === 0 ? 'done' : { failed: last.failed ?? 'the download ended by itself' }),
    );
  });

/** Returns the path of Electron's program and downloads it if needed. Returns undefined when Chromium should be used. */
export const bringElectron = async (
  root: string,
  say: (text: string) => void,
  waiting: Waiting,
): Promise<string | undefined> => {
  const there = binary(root);
  if (there !== undefined) return there;
  const named = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (named) {
    say(
      `There is no Electron in ${named} (ELECTRON_OVERRIDE_DIST_PATH): Spotter runs in Chromium.`,
    );
    return undefined;
  }
  const folder = join(root, 'node_modules/electron');
  if (!existsSync(join(folder, 'install.js'))) return undefined;
  if (isFetching(join(folder, PID))) {
    say('Electron is still being fetched: until it is here, Spotter runs in Chromium.');
    return undefined;
  }
  if (failedLately(join(folder, NOTE)) && !waiting.asked) return undefined;
  rmSync(join(folder, NOTE), { force: true });
  say('Fetching Electron (once, about 120 MB) …');
  const fetched = await fetchElectron(root, say, waiting);
  if (fetched === 'done') return binary(root);
  if (fetched === 'background')
    say(
      'Electron comes slowly, and goes on coming: Spotter runs in Chromium now, and in Electron at the first start after it has come.',
    );
  else
    say(
      `Electron could not be fetched: ${fetched.failed}. Spotter runs in Chromium instead, with everything it has. ${TRY_AGAIN}`,
    );
  return undefined;
};
