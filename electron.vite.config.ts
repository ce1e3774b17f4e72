/** Builds the Electron shell into out/: main (with the embedded service and the keychain child), preload, window. */
import { join } from 'node:path';
import { defineConfig } from 'electron-vite';
import { windowConfig } from './src/setup/window-build.ts';

const root = import.meta.dirname;
const window = windowConfig(root);

export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      // keytar is optional, so it is not among the dependencies that stay outside by themselves.
      externalizeDeps: { include: ['keytar'] },
      rolldownOptions: {
        input: {
          index: 'src/main/index.ts',
          service: 'src/service/cli.ts',
          'keytar-child': 'src/host/vault/keytar-child.ts',
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
});
