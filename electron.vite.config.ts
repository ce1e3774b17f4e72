/**
 * Builds the Electron shell into out/: main (with the embedded service and the keychain child), preload, window. All of
 * it, or the parts named in SPOTTER_BUILD (src/setup/shell.ts).
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defineConfig, type UserConfig } from 'electron-vite';
import type { Plugin, Rolldown } from 'vite';
import { oneByteText, packagesWithin } from './src/setup/package/packages-beside.ts';
import { windowConfig } from './src/setup/window/window-build.ts';

const root = import.meta.dirname;
const window = windowConfig(root);

/** The demo's photos, which the service reads as files. */
const demoPhotos = {
  name: 'spotter:demo-photos',
  generateBundle(this: Rolldown.PluginContext) {
    for (const path of globSync(join(root, 'src/service/demo/photos/*.jpg')))
      this.emitFile({
        type: 'asset',
        fileName: `photos/${basename(path)}`,
        source: readFileSync(path),
      });
  },
} satisfies Plugin;

const parts: Required<UserConfig> = {
  main: {
    plugins: [demoPhotos],
    build: {
      outDir: 'out/main',
      // keytar is optional, so it is not among the dependencies that stay outside by themselves.
      externalizeDeps: { include: ['keytar'], exclude: [...packagesWithin] },
      rolldownOptions: {
        input: {
          index: 'src/main/index.ts',
          service: 'src/service/cli.ts',
          'thumbnail-worker': 'src/service/files/thumbnails/thumbnail-worker.ts',
          'page-check-worker': 'src/service/store/engine/sqlite/page-check-worker.ts',
          'sqlite-reader-worker': 'src/service/store/engine/sqlite/sqlite-reader-worker.ts',
          'keytar-child': 'src/host/vault/keytar-child.ts',
          'reply-worker': 'src/host/http/reply-worker.ts',
        },
        output: { format: 'es', ...oneByteText },
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
