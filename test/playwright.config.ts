/**
 * End to end: the app as `npm start` starts it, in a real Chromium (project `browser`) or in Electron (project
 * `electron`, where its binary is), against the real service. The window is built first where out/ is stale.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'playwright/test';
import type { ShellOption } from './e2e/app.ts';

/**
 * Matched against file and title: the shell itself, and of what the project `browser` does too whatever asks the shell for
 * something: the keyring, a sign-in in the system's browser, a kill, the camera, a phone, a draft's photo, settings, and files saved and read again.
 */
const proof = new RegExp(
  [
    '(?:shell|shell-electron|shell-pdf|shell-system|shell-keychain|shell-crossing|shell-self-test|shell-packed|settings)\\.spec\\.ts',
    'the main job: ',
    'failures A18',
    'drafts: two begun',
    'the camera: a live picture',
    'photo from a phone: ',
    'A10: 422',
    'exported from one laptop',
    'the browser signs a supervisor in',
  ].join('|'),
);

/** A title is matched with its file before it and its tags behind it. */
const mainInStandIn = /(?:shell-[a-z-]+\.spec\.ts|the main job: three).*@main/;

// Every test starts a host and a service of its own: what they load is compiled once for all. Set here, they inherit it.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../node_modules/.cache/compiled');

const results = join(import.meta.dirname, '../test-results');
const report = process.env['SPOTTER_E2E_REPORT'];

export default defineConfig<object, ShellOption>({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: join(results, 'e2e'),
  globalSetup: './e2e/global-setup.ts',
  // Watchdogs for what hangs: a machine that runs another suite beside this one may be five times slower.
  timeout: 300_000,
  // A condition that holds is seen at once; a starved machine is given the time to make it hold.
  expect: { timeout: 30_000 },
  // Each is a host, a service and a Chromium, and Vitest has the other cores.
  workers: Math.max(2, Math.floor(availableParallelism() / 2)),
  forbidOnly: process.env['CI'] !== undefined,
  reporter: report === undefined ? [['list']] : [['list'], ['json', { outputFile: report }]],
  projects: [
    { name: 'browser', use: { shell: 'browser' } },
    { name: 'electron', use: { shell: 'electron' } },
    { name: 'stand-in', use: { shell: 'stand-in' } },
    // Those of them that prove the shell, for `npm run test:all`, and of these the ones for `npm test`.
    { name: 'stand-in-proof', use: { shell: 'stand-in' }, grep: proof },
    { name: 'stand-in-main', use: { shell: 'stand-in' }, grep: mainInStandIn },
  ],
});
