/**
 * `npm run dev` in Electron. A changed window is rebuilt and reloaded, under the policy that ships. Changed main or preload
 * code is rebuilt, and the app quits in order and restarts. A file carries these requests to the app (src/main/developing.ts).
 */
import { existsSync, type FSWatcher, mkdtempSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElectronEnd } from './electron/electron-start.ts';

export interface Developing {
  readonly root: string;
  readonly say: (text: string) => void;
  /** Rebuilds the window at every change and calls `built` after each build. */
  readonly watchWindow: (built: () => void) => Promise<void>;
  /** Builds main and preload; false when the build failed, which it has reported. */
  readonly buildShell: () => Promise<boolean>;
  /** Starts the app and waits for its end. */
  readonly start: () => Promise<ElectronEnd>;
}

/** Source folders of main and preload, without the window's. */
const SOURCES = ['contract', 'disk', 'host', 'main', 'preload', 'service'];
/** Debounce: an editor writes a file in several steps. */
const SETTLED_MS = 300;

/** Debounces and serialises builds: a change during a build causes one more build. */
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
