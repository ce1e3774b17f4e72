/** A title says in one breath what must be so: a test's name is read in a list, and in the last lines of a log. */
import { expect, it } from 'vitest';
import { testFiles, titlesOf } from '../support/titles.ts';

const MOST = 120;

/** What a person reads first: the clauses that a title names at its end are for clauses.test.ts. */
const said = (title: string): string => title.slice(1, -1).replace(/ ?\(reference R-[^)]*\)$/, '');

it(`every title has fewer than ${MOST} characters`, () => {
  const long = testFiles().flatMap(({ name, text }) =>
    titlesOf(text)
      .filter((title) => said(title).length >= MOST)
      .map((title) => `${name}: ${title}`),
  );
  expect(long).toEqual([]);
});

it('the clauses at the end do not count, what stands before them does', () => {
  const clauses = ' (reference R-near-misses-1, R-near-misses-2)';
  expect(said(`'one${clauses}'`)).toBe('one');
  expect(said(`'${'x'.repeat(MOST)}${clauses}'`)).toHaveLength(MOST);
});
