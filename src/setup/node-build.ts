/**
 * `npm pack` builds what its package needs at run time: the window, and the browser shell with host and service as plain JavaScript
 * (out/node), because Node strips no types below node_modules. Some packages stay outside (packages-beside.ts): npm installs them beside it.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { oneByteText, packagesBeside } from './packages-beside.ts';
import { bringWindow } from './window.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Each is started as a program or a thread of its own, by this name (src/disk/own-program.ts). */
const programs = {
  npx: 'src/browser/npx.ts',
  browser: 'src/browser/index.ts',
  service: 'src/service/cli.ts',
  'thumbnail-worker': 'src/service/files/thumbnail-worker.ts',
  'page-check-worker': 'src/service/store/page-check-worker.ts',
  'sqlite-reader-worker': 'src/service/store/sqlite-reader-worker.ts',
  'keytar-child': 'src/host/vault/keytar-child.ts',
  'reply-worker': 'src/host/reply-worker.ts',
};

/** Into `out`, a folder of `out`: programs find their packages and the window from there. */
export const buildForNode = async (out: string): Promise<void> => {
  // npm keeps stdout for itself: `npm pack --json`.
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
