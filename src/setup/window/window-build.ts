/**
 * The window's Vite configuration. electron-vite uses it for the Electron shell; `npm start` uses it alone for the browser
 * shell.
 */
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { InlineConfig } from 'vite';
import { phonePage } from './phone-page.ts';
import { sharedWorker } from './window-chunks.ts';
import { filesOfOthers, libheifApart } from './window-files.ts';

/** @param root the project's folder */
export const windowConfig = (root: string): InlineConfig => ({
  configFile: false,
  root: join(root, 'src/renderer'),
  base: './',
  publicDir: join(root, 'resources/window'),
  plugins: [
    svelte({ configFile: false }),
    filesOfOthers(root),
    phonePage(root),
    sharedWorker(root),
  ],
  logLevel: 'warn',
  worker: { format: 'es', plugins: () => [libheifApart()] },
  build: {
    outDir: join(root, 'out/renderer'),
    emptyOutDir: true,
    target: 'chrome130',
    minify: 'oxc',
    // Inlined files would need `data:` in more of the window's policy than images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Files are read from the local disk, never over a network, so large chunks are fine.
    chunkSizeWarningLimit: 4096,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
});
