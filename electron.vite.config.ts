/** Builds the Electron shell into out/: main (with the embedded service and the keychain child), preload, window. */
import { defineConfig } from 'electron-vite';
import { windowConfig } from './src/setup/window-build.ts';

const root = import.meta.dirname;

export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      externalizeDeps: true,
      rollupOptions: {
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
      rollupOptions: {
        input: 'src/preload/index.ts',
        external: ['electron'],
        output: { format: 'cjs', entryFileNames: 'index.cjs' },
      },
    },
  },
  renderer: {
    ...windowConfig(root),
    build: { ...windowConfig(root).build, rollupOptions: { input: 'src/renderer/index.html' } },
  },
});
