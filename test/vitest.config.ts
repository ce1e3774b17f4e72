/** The suites: `unit` and `service` in Node, `renderer` in a real Chromium (IndexedDB, Web Locks, workers are real). */
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { findChromium, chromiumFlags } from '../src/setup/chromium.ts';
import { bundledWorkers } from './support/bundled-workers.ts';
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

/** `main`: what `npm test` runs; `rest`: what `npm run test:all` adds; left out: everything. */
const tier = process.env['SPOTTER_TIER'];
const LONG = '**/*.long.test.ts';
const all = (folders: string): string => `test/${folders}/**/*.test.ts`;
/** Long files, and files with a slow test, which then run whole. */
const restOf = (folders: string): string[] =>
  globSync(all(folders), { cwd: root }).filter(
    (name) =>
      name.endsWith('.long.test.ts') ||
      readFileSync(join(root, name), 'utf8').includes(`support/slow.ts'`),
  );
/** Files of which every test is slow: not even read by `npm test`. */
const slowOf = (folders: string): string[] =>
  restOf(folders).filter(
    (name) => !/(?<![\w.])it[.(]/.test(readFileSync(join(root, name), 'utf8')),
  );
/** Files below these folders, of the tier that runs. */
const filesOf = (folders: string) => ({
  include: tier === 'rest' ? restOf(folders) : [all(folders)],
  exclude: tier === 'main' ? [LONG, ...slowOf(folders)] : [],
});

/** PostgreSQL starts, is migrated, and is asked what SQLite is asked: enough for `npm test`. */
const smoke = ['lists', 'near-misses'].map((name) => `test/service/${name}.test.ts`);

/**
 * What runs on PostgreSQL too: files whose answer depends on SQL, locks, transactions or connections. Bytes, pictures, forms,
 * connections and words are the same on both databases, and the project `service` proves them.
 */
const both = [
  'postgres/*',
  'reference/*',
  'matrix',
  'plans',
  'lists',
  'near-misses',
  'near-miss-authors',
  'near-miss-history',
  'near-miss-comments',
  'evidence/packs',
  'evidence/admin-acts',
  'retention/retention',
  'retention/killed',
  'retention/erasures',
  'retention/erasures-killed',
  'retention/person-copies',
  'retention/erasures-late',
  'project-plans',
  'company-records',
  'memberships',
  'insurances',
  'idempotency',
  'etags',
  'crash',
  'durable',
  'outage-log',
  'busy',
  'search-index.long',
  'sweeps',
  'private-incidents',
  'laptops.long',
  'custom-fields',
  'incidents-catalog-me',
  'workplaces',
  'access',
  'access-attacks',
  'service-accounts',
  'sign-in',
  'levels',
  'insurances-sync',
  'time-and-material',
  'kept-lists',
  'following',
  'following.long',
  'beside',
  'batch',
  'long-lists.long',
  'plain',
  'mail/mail',
  'webhooks/dispatch',
  'webhooks/kill.long',
  'webhooks/rotation',
  'webhooks/hooks',
  'uploads/segments',
  'uploads/completing',
  'uploads/lifecycle',
  'uploads/quotas',
  'migrations',
  'migration-killed.long',
].map((name) => `test/service/${name}.test.ts`);

/** Every icon that the window imports. */
const icons = new Set(
  globSync('src/renderer/**/*.{ts,svelte}', { cwd: root }).flatMap(
    (name) => readFileSync(join(root, name), 'utf8').match(/@lucide\/svelte\/icons\/[\w-]+/g) ?? [],
  ),
);

const service = filesOf('{service,clients}');

export default defineConfig({
  test: {
    root,
    tags: [
      {
        name: 'slow',
        description:
          'left out of npm test: it takes long, and the core of its promise has a quicker test',
      },
    ],
    // Vitest leaves a core of two idle; these tests wait for disks and processes as much as they compute.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          ...node,
          name: 'unit',
          ...filesOf('{contract,host,carriers,setup,main}'),
        },
      },
      {
        test: {
          ...node,
          name: 'service',
          ...service,
          exclude: [...service.exclude, 'test/service/postgres/**'],
        },
      },
      {
        test: {
          ...node,
          name: 'service-postgres',
          include: tier === 'main' ? smoke : both,
          env: { SPOTTER_TEST_DATABASE: 'postgres' },
          globalSetup: 'test/support/postgres-setup.ts',
        },
      },
      {
        plugins: [svelte(), bundledWorkers(['drawing-worker.ts', 'near-miss-index-worker.ts'])],
        // Found late, inside workers, they would make Vite load the page anew in the middle of a test.
        optimizeDeps: {
          include: [
            'axe-core',
            'exifr',
            'libheif-js/libheif/libheif.js',
            'pica/pica_main',
            'fast-check',
            '@tiptap/core',
            '@tiptap/pm/model',
            '@tiptap/starter-kit',
            'papaparse',
            '@zip.js/zip.js/lib/zip-core-external.js',
            'hucre/xlsx',
            'read-excel-file/universal',
            '@tiptap/extension-highlight',
            '@tiptap/extension-table',
            '@tiptap/extension-subscript',
            '@tiptap/extension-superscript',
            ...icons,
          ],
        },
        test: {
          name: 'renderer',
          // One page for all files of a worker, as in Node. What a test makes global (language, theme, databases) it puts back.
          isolate: false,
          ...filesOf('renderer'),
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
