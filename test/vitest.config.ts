/** The suites: `unit` and `service` in Node, `renderer` in a real Chromium (IndexedDB, Web Locks, workers are real). */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { findChromium, chromiumFlags } from '../src/setup/chromium.ts';
import { PATIENCE_MS } from './support/patience.ts';
import { rendererCommands } from './support/renderer-commands.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

// Workers and the services they spawn load the same thousand files again and again: compiled once for all. Set here,
// they inherit it.
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/compiled');

/**
 * Limits are watchdogs for what hangs, never a measure: this machine may run another suite beside these, five times slower.
 * A test that needs longer on a quiet machine than some twenty seconds says its own.
 */
const patience = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: PATIENCE_MS } },
} as const;

/**
 * Files of one worker share what they load: a file of its own for each would cost a second of reading modules and tells
 * nothing, because every test makes its own folder, port and database, and none changes what is global.
 */
const node = { isolate: false, ...patience } as const;

/**
 * What says nothing of a database: bytes of files and pictures, a bucket, the form's parser, connections, endpoints of webhooks. The
 * project `service` runs them; running them again on PostgreSQL would start it some hundred times for the same answers.
 */
const once = [
  'clients/openapi',
  ...['limits', 'packed', 'openapi', 's3'].map((name) => `service/${name}`),
  ...['thumbnails', 'reading', 'form-post-hostile', 'forms-signed', 'disk-full'].map(
    (name) => `service/uploads/${name}`,
  ),
  ...['guard', 'hostile'].map((name) => `service/webhooks/${name}`),
].map((name) => `test/${name}.test.ts`);

export default defineConfig({
  test: {
    root,
    // Vitest leaves a core of two idle; these tests wait for disks and processes as much as they compute.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          ...node,
          name: 'unit',
          include: ['test/{contract,host,carriers,setup,main}/**/*.test.ts'],
        },
      },
      {
        test: {
          ...node,
          name: 'service',
          include: ['test/{service,clients}/**/*.test.ts'],
          exclude: ['test/service/postgres/**'],
        },
      },
      {
        test: {
          ...node,
          name: 'service-postgres',
          include: ['test/{service,clients}/**/*.test.ts'],
          exclude: once,
          env: { SPOTTER_TEST_DATABASE: 'postgres' },
          globalSetup: 'test/support/postgres-setup.ts',
        },
      },
      {
        plugins: [svelte()],
        // Found late, inside workers, they would make Vite load the page anew in the middle of a test.
        optimizeDeps: {
          include: [
            'exifr',
            'libheif-js/libheif/libheif.js',
            'pica/pica_main',
            'fast-check',
            '@tiptap/core',
            '@tiptap/pm/model',
            '@tiptap/starter-kit',
            'papaparse',
            'hucre/xlsx',
            'read-excel-file/universal',
            '@tiptap/extension-highlight',
            '@tiptap/extension-table',
            '@tiptap/extension-subscript',
            '@tiptap/extension-superscript',
            ...['check', 'chevron-down', 'plus', 'user-plus'].map(
              (icon) => `@lucide/svelte/icons/${icon}`,
            ),
          ],
        },
        test: {
          name: 'renderer',
          include: ['test/renderer/**/*.test.ts'],
          ...patience,
          provide: { round_trips: Number(process.env['SPOTTER_ROUND_TRIPS'] ?? 8) },
          browser: {
            enabled: true,
            headless: true,
            // Beside another suite on a slow machine Chromium may take more than the minute it has by default.
            connectTimeout: 180_000,
            screenshotFailures: false,
            // The real host and service for the tests in test/renderer/outbox/real.test.ts.
            commands: rendererCommands,
            provider: playwright({
              launchOptions: { executablePath: findChromium(), args: chromiumFlags() },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
