/**
 * How the window is built: one Vite configuration, used by electron-vite (which builds the Electron shell beside
 * it) and alone by `npm start`, which needs only the window for the browser shell.
 */
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { InlineConfig } from 'vite';

/**
 * Node's modules that libheif names, replaced by an empty one. The path starts from the project's folder: electron-vite
 * bundles this file into its configuration, and the bundle keeps no `import.meta.dirname`.
 */
const nodeless = (root: string) =>
  ['fs', 'path', 'crypto'].map((name) => ({
    find: new RegExp(`^${name}$`),
    replacement: join(root, 'src/setup/nothing.js'),
  }));

/** @param root the project's folder */
export const windowConfig = (root: string): InlineConfig => ({
  configFile: false,
  root: join(root, 'src/renderer'),
  base: './',
  publicDir: join(root, 'resources/window'),
  plugins: [svelte({ configFile: false })],
  logLevel: 'warn',
  worker: { format: 'es' },
  // libheif names Node's modules for its own use under Node; in the window that code is never reached.
  resolve: { alias: nodeless(root) },
  build: {
    outDir: join(root, 'out/renderer'),
    emptyOutDir: true,
    target: 'chrome130',
    minify: 'oxc',
    // Inlined files would need `data:` in more of the window's policy than images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Read from the disk beside it, never over a network.
    chunkSizeWarningLimit: 4096,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
});
