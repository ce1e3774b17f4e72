/**
 * Splits the window's programs into files so that the first screen loads little: code shared by the list's worker and the
 * window is one file for both.
 */
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Must match the call in near-miss-index.ts. */
const WORKER = `new URL('./near-miss-index-worker.ts', import.meta.url)`;

/**
 * Vite builds a worker separately, with a second copy of every package. This plugin makes the worker an entry of the window's
 * build, so that both load the same file of Dexie.
 */
export const sharedWorker = (root: string): Plugin => ({
  name: 'spotter:shared-worker',
  apply: 'build',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/src/renderer/data/index/near-miss-index.ts')) return null;
    if (!code.includes(WORKER)) this.error('the worker of the list is begun in another way');
    const file = this.emitFile({
      type: 'chunk',
      id: join(root, 'src/renderer/data/index/near-miss-index-worker.ts'),
      name: 'near-miss-index-worker',
    });
    return { code: code.replace(WORKER, `import.meta.ROLLUP_FILE_URL_${file}`), map: null };
  },
});
