/**
 * Copies files of packages unchanged into the window's build: libheif, which the LGPL requires to stay a replaceable file, decoders
 * that pdf.js loads by name, and the licences that belong beside them and the fonts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Must match the import in heif-picture-worker.ts. */
const LIBHEIF = 'libheif-js/libheif/libheif.js';
/** Path at which both shells serve it, beside index.html. */
const FILE = 'libheif.js';

/** The decoders of pdf.js without WebAssembly, which the window's policy forbids. pdf.js imports them by these names. */
const PDF_DECODERS = ['jbig2_nowasm_fallback.js', 'openjpeg_nowasm_fallback.js'] as const;
/** Folder below which both shells serve them. Must match drawing-worker.ts. */
const PDF_FOLDER = 'pdf';

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
    for (const name of PDF_DECODERS) emit(`${PDF_FOLDER}/${name}`, read(`pdfjs-dist/wasm/${name}`));
    for (const name of ['JBIG2', 'OPENJPEG', 'PDFJS_JBIG2', 'PDFJS_OPENJPEG'])
      emit(`${PDF_FOLDER}/LICENSE_${name}.txt`, read(`pdfjs-dist/wasm/LICENSE_${name}`));
    emit('libheif-LICENSE.txt', read('libheif-js/LICENSE'));
    emit('assets/inter-OFL.txt', read('@fontsource-variable/inter/LICENSE'));
  },
});
