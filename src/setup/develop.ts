/**
 * `npm run dev` in Electron: the window is built again as its sources change and loaded again, under the policy it ships with; main and
 * preload are built again and the app, ended in order, is started again. What the app is asked stands in a file (src/main/developing.ts).
 */
import { existsSync, type FSWatcher, mkdtempSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElectronEnd } from './electron-start.ts';

export interface Developing {
  readonly root: string;
  readonly say: (text: string) => void;
  /** Builds the window at every change and tells of each time. */
  readonly watchWindow: (built: () => void) => Promise<void>;
  /** Builds main and preload; false: it did not work, and that was said. */
  readonly buildShell: () => Promise<boolean>;
  /** Starts the app and waits for its end. */
  readonly start: () => Promise<ElectronEnd>;
}

/** What main and preload are made of, but for the window's own folder. */
const SOURCES = ['contract', 'disk', 'host', 'main', 'preload', 'service'];
/** An editor writes a file in several steps. */
const SETTLED_MS = 300;

/** One build after another, and one more where something changed meanwhile. */
const oneAfterAnother = (build: () => Promise<void>): (() => void) => {
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => (last = last.then(build)), SETTLED_MS);
  };
};

export const develop = async (parts: Developing): Promise<ElectronEnd> => {
  const { root, say } = parts;
  const folder = mkdtempSync(join(tmpdir(), 'spotter-developing-'));
  const file = join(folder, 'asked');
  process.env['SPOTTER_DEVELOPING'] = file;
  let count = 0;
  let again = false;
  const ask = (what: 'reload' | 'quit'): void => writeFileSync(file, `${what} ${(count += 1)}`);
  const changed = oneAfterAnother(async () => {
    say('Building the app again …');
    if (!(await parts.buildShell())) return;
    again = true;
    ask('quit');
  });
  const watchers: FSWatcher[] = [];
  try {
    await parts.watchWindow(() => ask('reload'));
    for (const name of SOURCES) {
      const path = join(root, 'src', name);
      if (existsSync(path)) watchers.push(watch(path, { recursive: true }, changed));
    }
    for (;;) {
      again = false;
      writeFileSync(file, '');
      const ended = await parts.start();
      if (!again) return ended;
    }
  } finally {
    for (const watcher of watchers) watcher.close();
    delete process.env['SPOTTER_DEVELOPING'];
    rmSync(folder, { recursive: true, force: true });
  }
};
