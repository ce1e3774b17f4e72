/**
 * Builds the Electron shell into out/: main (with the embedded service and the keychain child), preload, window. All of
 * it, or the parts named in SPOTTER_BUILD (src/setup/shell.ts).
 */
import { join } from 'node:path';
import { defineConfig, type UserConfig } from 'electron-vite';
import { windowConfig } from './src/setup/window-build.ts';

const root = import.meta.dirname;
const window = windowConfig(root);

const parts: Required<UserConfig> = {
  main: {
    build: {
      outDir: 'out/main',
      // keytar is optional, so it is not among the dependencies that stay outside by themselves.
      externalizeDeps: { include: ['keytar'] },
      rolldownOptions: {
        input: {
          index: 'src/main/index.ts',
          service: 'src/service/cli.ts',
          'thumbnail-process': 'src/service/files/thumbnail-process.ts',
          'page-check-worker': 'src/service/store/page-check-worker.ts',
          'keytar-child': 'src/host/vault/keytar-child.ts',
          'reply-worker': 'src/host/reply-worker.ts',
        },
        output: { format: 'es' },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      // A sandboxed preload can require nothing but electron: everything else goes into the one file.
      externalizeDeps: false,
      rolldownOptions: {
        input: 'src/preload/index.ts',
        external: ['electron'],
        output: { format: 'cjs', entryFileNames: 'index.cjs' },
      },
    },
  },
  renderer: {
    ...window,
    build: {
      ...window.build,
      rolldownOptions: {
        ...window.build?.rolldownOptions,
        input: join(root, 'src/renderer/index.html'),
      },
    },
  },
};

const wanted = process.env['SPOTTER_BUILD']?.split(',');

export default defineConfig(
  Object.fromEntries(
    Object.entries(parts).filter(([part]) => wanted === undefined || wanted.includes(part)),
  ),
);
