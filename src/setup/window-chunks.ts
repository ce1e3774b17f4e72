/**
 * How the window's programs are cut into files, so that the first screen reads little: what the list's worker shares with the
 * window is one file for both.
 */
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** As near-miss-index.ts begins it. */
const WORKER = `new URL('./near-miss-index-worker.ts', import.meta.url)`;

/**
 * Vite builds a worker apart from the window, with a second copy of every package in it. This one becomes an entry of the
 * window's own build: both load the same file of Dexie.
 */
export const sharedWorker = (root: string): Plugin => ({
  name: 'spotter:shared-worker',
  apply: 'build',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/src/renderer/data/near-miss-index.ts')) return null;
    if (!code.includes(WORKER)) this.error('the worker of the list is begun in another way');
    const file = this.emitFile({
      type: 'chunk',
      id: join(root, 'src/renderer/data/near-miss-index-worker.ts'),
      name: 'near-miss-index-worker',
    });
    return { code: code.replace(WORKER, `import.meta.ROLLUP_FILE_URL_${file}`), map: null };
  },
});
