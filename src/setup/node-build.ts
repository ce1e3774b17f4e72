/**
 * Builds the content of `npm pack`: the window, and the browser shell with host and service as plain JavaScript (out/node),
 * because Node strips no types under node_modules. npm installs the packages of packages-beside.ts separately.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { oneByteText, packagesBeside } from './package/packages-beside.ts';
import { bringWindow } from './window/window.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Each entry runs as a separate program or thread, found by this name (src/disk/own-program.ts). */
const programs = {
  npx: 'src/browser/npx.ts',
  browser: 'src/browser/index.ts',
  service: 'src/service/cli.ts',
  'thumbnail-worker': 'src/service/files/thumbnails/thumbnail-worker.ts',
  'page-check-worker': 'src/service/store/engine/sqlite/page-check-worker.ts',
  'sqlite-reader-worker': 'src/service/store/engine/sqlite/sqlite-reader-worker.ts',
  'keytar-child': 'src/host/vault/keytar-child.ts',
  'reply-worker': 'src/host/http/reply-worker.ts',
};

/** @param out a subfolder of `out/`, because the programs find their packages and the window relative to it */
export const buildForNode = async (out: string): Promise<void> => {
  // stdout belongs to npm (`npm pack --json`).
  await bringWindow(root, (text) => console.error(text));
  const { build } = await import('vite');
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true, external: [...packagesBeside] },
    build: {
      ssr: true,
      outDir: out,
      emptyOutDir: true,
      target: 'node24',
      rolldownOptions: {
        input: Object.fromEntries(
          Object.entries(programs).map(([name, path]) => [name, join(root, path)]),
        ),
        output: {
          format: 'es',
          ...oneByteText,
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name].js',
        },
      },
    },
  });
  cpSync(join(root, 'src/service/demo/photos'), join(out, 'photos'), { recursive: true });
};

export const run = async (): Promise<number> => {
  await buildForNode(join(root, 'out/node'));
  return 0;
};
