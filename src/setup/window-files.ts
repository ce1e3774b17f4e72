/**
 * Files that the window's build takes over from packages as they are: libheif, which is under the LGPL and must stay a
 * file that anybody can replace, and the licences that belong beside it and beside the fonts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** As heif-picture-worker.ts imports it. */
const LIBHEIF = 'libheif-js/libheif/libheif.js';
/** Where both shells serve it: beside index.html. */
const FILE = 'libheif.js';

/** For the workers: the import stays, and names the file. */
export const libheifApart = (): Plugin => ({
  name: 'spotter:libheif-apart',
  apply: 'build',
  enforce: 'pre',
  resolveId: (id) => (id === LIBHEIF ? { id: `/${FILE}`, external: 'absolute' } : null),
});

/** For the window: puts the file and the licences into out/renderer. */
export const filesOfOthers = (root: string): Plugin => ({
  name: 'spotter:files-of-others',
  apply: 'build',
  generateBundle() {
    const read = (path: string) => readFileSync(join(root, 'node_modules', path), 'utf8');
    const emit = (fileName: string, source: string) =>
      this.emitFile({ type: 'asset', fileName, source });
    emit(FILE, `${read(LIBHEIF)}\nexport default libheif;\n`);
    emit('libheif-LICENSE.txt', read('libheif-js/LICENSE'));
    emit('assets/inter-OFL.txt', read('@fontsource-variable/inter/LICENSE'));
  },
});
