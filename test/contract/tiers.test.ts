/** The proofs that must never leave `npm test`: its tests are in a file that is not called `*.long.test.ts` and begin with `it`, or are journeys with the tag `@main`. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testFiles, titlesOf } from '../support/titles.ts';

const journeys = testFiles()
  .filter(({ name }) => name.startsWith('e2e'))
  .map(({ name, text }) => ({ name, main: mainTitles(text) }));
const fast = testFiles().filter(
  ({ name }) => name.endsWith('.test.ts') && !name.endsWith('.long.test.ts'),
);
/** Titles of the tests that begin with `it`, not with `slow`. */
const quickTitles = (text: string): readonly string[] =>
  titlesOf(text.replaceAll(/\bslow\(/g, 'leftOut('));
const fastTitles = [
  ...fast.flatMap(({ text }) => quickTitles(text)),
  ...journeys.flatMap(({ main }) => main),
];

/** Titles of the journeys that carry the tag, perhaps on a condition. */
function mainTitles(text: string): string[] {
  const tagged = /test\(\s*((['`])(?:(?!\2)[^])*\2),\s*\{\s*tag(?::[^}]*@main[^}]*)?\s*\}/g;
  return [...text.matchAll(tagged)].map(([, title = '']) => title);
}

it.each([
  [
    'the main job in the browser shell and in the stand-in of Electron',
    /the main job: three near misses/,
  ],
  ['the main job by keyboard', /the main job by keyboard alone/],
  ['the main job by mouse', /the main job by mouse/],
  ['every screen by axe', /every screen, light and dark: axe/],
  ['the seeded kills of the outbox', /failures A1-A4, A21, A26, A27/],
  ['the self-test of the desktop program', /it does every check for real/],
])('npm test proves %s', (_what, title) => {
  expect(journeys.flatMap(({ main }) => main).filter((one) => title.test(one))).not.toEqual([]);
});

it.each([
  ['photos byte for byte, with their receipt', /delivered once with every byte/],
  ['the loss of the window’s database', /A18: IndexedDB deleted with items queued/],
  ['an incident and its reports through a restart', /A27: opened offline with two near misses/],
  ['the kill of the host inside a segment', /failures A1: SIGKILL in a segment/],
  ['the kill of the service after a write', /failures S3, S4: every acknowledged write/],
])('npm test proves %s over the real host or service', (_what, title) => {
  expect(fastTitles.filter((one) => title.test(one))).not.toEqual([]);
});

it.each(['A1', 'A2', 'A3', 'A4', 'A18', 'A26', 'A27'])(
  'npm test names failures %s below the journeys too',
  (row) => {
    expect(
      fastTitles.some((title) => new RegExp(`\\b${row}\\b|A1-A4`).test(title)),
      row,
    ).toBe(true);
  },
);

it('every file of the reference’s clauses runs in npm test', () => {
  const files = readdirSync(join(import.meta.dirname, '../service/reference'));
  expect(files.filter((name) => name.endsWith('.test.ts')).length).toBeGreaterThan(6);
  expect(files.filter((name) => name.includes('.long.'))).toEqual([]);
});

it('the engine, its journal and the receipts are proved below the journeys in npm test', () => {
  const names = fast.map(({ name }) => name.replaceAll('\\', '/'));
  for (const name of ['engine', 'rebuild', 'real', 'edits', 'conflicts', 'outage'])
    expect(names).toContain(`renderer/outbox/${name}.test.ts`);
  for (const name of ['kill', 'journal', 'deliver', 'upload', 'session', 'foreign-answers'])
    expect(names).toContain(`host/${name}.test.ts`);
});
