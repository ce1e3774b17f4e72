/**
 * The processes of a run: the host and a real Chromium with a profile on disk. Both can be killed with SIGKILL and restarted on
 * the same data. Everything is on 127.0.0.1, with ports chosen by the programs.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { type BrowserContext, chromium, type Page } from 'playwright/test';
import { build } from 'vite';
import { chromiumFlags, findChromium } from '../../../src/setup/chromium.ts';
import { windowConfig } from '../../../src/setup/window/window-build.ts';
import { descendants } from '../../support/processes.ts';
import { tempDir } from '../../support/service.ts';
import type { Point } from './actions.ts';
import { within } from './wait.ts';

const root = join(import.meta.dirname, '../../..');
const HOST = join(import.meta.dirname, 'host.ts');

/** Builds the driver page (or another proof's `page`) with the window's own configuration; returns the folder. */
export const buildDriver = async (
  folder: string,
  page = join(import.meta.dirname, 'window'),
): Promise<string> => {
  const usual = windowConfig(root);
  await build({
    ...usual,
    root: page,
    build: { ...usual.build, outDir: folder, minify: false, emptyOutDir: true },
  });
  return folder;
};

const gone = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
};

/** The host's process: started, killed, restarted on one data folder. */
export const createHostProcess = (data_dir: string, files: string) => {
  let child: ChildProcess | null = null;
  let lines: Interface | null = null;
  let output = '';

  const nextLine = async (from: ChildProcess, read: Interface): Promise<string> => {
    const ended = new AbortController();
    const line = once(read, 'line', { signal: ended.signal }).then(([text]) => String(text));
    const dead = once(from, 'exit', { signal: ended.signal }).then(() => {
      throw new Error(`the host ended: ${output.slice(-500)}`);
    });
    try {
      return await Promise.race([line, dead]);
    } finally {
      ended.abort();
      line.catch(() => undefined);
      dead.catch(() => undefined);
    }
  };

  return {
    get output() {
      return output;
    },
    /** Returns an address that admits one window. */
    async start(): Promise<string> {
      const made = spawn(process.execPath, [HOST, data_dir, files], { stdio: 'pipe' });
      made.stdin.on('error', () => undefined);
      made.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
      child = made;
      lines = createInterface({ input: made.stdout });
      return nextLine(made, lines);
    },
    async address(): Promise<string> {
      if (child === null || lines === null) throw new Error('the host is not running');
      const line = nextLine(child, lines);
      child.stdin?.write('\n');
      return line;
    },
    signal: (signal: NodeJS.Signals) => void child?.kill(signal),
    async kill(): Promise<void> {
      const was = child;
      child = null;
      lines?.close();
      was?.kill('SIGKILL');
      if (was !== null) await gone(was);
    },
  };
};
export type HostProcess = ReturnType<typeof createHostProcess>;

type Hear = (page: Page, point: Point) => Promise<void>;

/** One Chromium with a profile on disk, reused across runs: each run's window has a different origin. */
export const createBrowser = () => {
  let folder = tempDir('prove-browser');
  let context: BrowserContext | null = null;
  let pids: number[] = [];
  let runs = 0;
  let hear: Hear = async () => undefined;

  const launch = async (): Promise<BrowserContext> => {
    const made = await chromium.launchPersistentContext(folder.path, {
      executablePath: findChromium(),
      args: chromiumFlags(),
      headless: true,
      chromiumSandbox: process.getuid?.() !== 0,
      // The proof ends its runs first.
      handleSIGINT: false,
      handleSIGTERM: false,
    });
    pids = descendants(process.pid)
      .filter(({ command }) => command.includes(folder.path))
      .map(({ pid }) => pid);
    await made.exposeBinding('spotterPoint', ({ page }, point: Point) => hear(page, point));
    made.once('close', () => {
      if (context === made) context = null;
    });
    context = made;
    return made;
  };

  const close = async (): Promise<void> => {
    const was = context;
    context = null;
    if (was) await within('the browser closes', 15_000, was.close()).catch(() => undefined);
  };

  return {
    /** Begins a run. @param next receives the windows' points from now on */
    async begin(next: Hear): Promise<void> {
      hear = next;
      runs += 1;
      if (runs % 40 === 0) {
        await close();
        folder.remove();
        folder = tempDir('prove-browser');
      }
      context ??= await launch();
    },
    async page(): Promise<Page> {
      const opened = (async () => (context ?? (await launch())).newPage())();
      return within('a page opens', 60_000, opened);
    },
    pages: (): readonly Page[] => context?.pages() ?? [],
    /** SIGKILLs all its processes. The next page restarts it on the same profile. */
    async kill(): Promise<void> {
      const was = context;
      context = null;
      if (was === null) return;
      const closed = new Promise<void>((resolve) => was.once('close', () => resolve()));
      for (const pid of pids) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It ended with its parent.
        }
      }
      // It was killed in any case; a missing close event must not block the run.
      await within('the browser tells its end', 15_000, closed).catch(() => undefined);
    },
    async end(): Promise<void> {
      await close();
      folder.remove();
    },
  };
};
export type Browser = ReturnType<typeof createBrowser>;
