/**
 * The table of Electron's checklist in src/main/security.md: twenty rows, and each file, line and test that it names is there. A line
 * that moved is told with its new number.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const rows = read('src/main/security.md')
  .split('\n')
  .filter((line) => /^\|\s*\d+\s*\|/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, number = '', point = '', kept = '', test = '']) => ({ number, point, kept, test }));

it('has twenty rows in order', () => {
  expect(rows.map(({ number }) => Number(number))).toEqual(
    Array.from({ length: 20 }, (_, at) => at + 1),
  );
});

it.each(rows)('$number, $point: is kept where the table says', ({ kept }) => {
  const cited = [...kept.matchAll(/`([^`:]+):(\d+)` `([^`]+)`/g)];
  expect(cited).not.toEqual([]);
  for (const [, path = '', line, words = ''] of cited) {
    const found = read(path)
      .split('\n')
      .flatMap((text, at) => (text.includes(words) ? [at + 1] : []));
    expect(found, `${path} holds "${words}" in line`).toContain(Number(line));
  }
});

// A version has no test.
it.each(rows.filter(({ number }) => number !== '16'))(
  '$number, $point: the tests that the table names are there',
  ({ test }) => {
    const cited = [...test.matchAll(/`([^`]+)` "([^"]+)"/g)];
    expect(cited).not.toEqual([]);
    for (const [, path = '', title = ''] of cited) expect(read(`test/${path}`)).toContain(title);
  },
);
