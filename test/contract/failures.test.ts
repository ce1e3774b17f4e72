/**
 * Every fault and attack of the tables in `test/failures.md` is named by the title of a
 * test that runs everywhere. A number whose last test is renamed, removed or skipped fails here.
 */
import { expect, it } from 'vitest';
import { failures } from '../support/citations.ts';
import { testFiles, titlesOf } from '../support/titles.ts';

/** `A9`, `A1-A4` and `S3…S5` in a title, one by one. */
const namedBy = (title: string): string[] =>
  [...title.matchAll(/\b([AS])(\d{1,2})(?:(?:-|–|…)\1?(\d{1,2}))?\b/g)].flatMap(
    ([, letter = '', from = '', to = from]) =>
      Array.from(
        { length: Number(to) - Number(from) + 1 },
        (_, at) => `${letter}${Number(from) + at}`,
      ),
  );

const named = new Set(testFiles().flatMap(({ text }) => titlesOf(text).flatMap(namedBy)));

it.each(failures())('failures %s has a test that names it', (fault) => {
  expect(named.has(fault), `no title of a test names failures ${fault}`).toBe(true);
});

it('one title may name several', () => {
  expect(namedBy('failures A1-A4, A21: seeded; S3')).toEqual(['A1', 'A2', 'A3', 'A4', 'A21', 'S3']);
  expect(namedBy('A4 paper, AS3, SHA256 and 3A1')).toEqual(['A4']);
});
