/**
 * Copies files of packages unchanged into the window's build: libheif, which the LGPL requires to stay a replaceable file, and
 * the licences that belong beside it and the fonts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Must match the import in heif-picture-worker.ts. */
const LIBHEIF = 'libheif-js/libheif/libheif.js';
/** Path at which both shells serve it, beside index.html. */
const FILE = 'libheif.js';

/** For workers: keeps the import and points it to the file. */
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
