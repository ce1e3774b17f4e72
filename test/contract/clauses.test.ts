/**
 * Every clause of the API decisions, and every clause of the API reference (reference-clauses.ts), is named by the title of
 * a test that proves it. A clause whose last test is renamed or removed fails here; a new clause is a number in
 * `src/contract/decisions.md`, or a line in the other file. A clause of the reference is proven in test/service/, which runs on both databases.
 */
import { describe, expect, it } from 'vitest';
import { decisions } from '../support/citations.ts';
import { testFiles, titlesOf } from '../support/titles.ts';
import { referenceClauses } from './reference-clauses.ts';

const clauses = decisions().filter((one, _, all) => !all.includes(`${one}.1`));

const files = testFiles();

/** The clauses that one mention names: `§3.4`, `§5.2, §5.3`, `§1.2 §1.3`. */
const named = new Set(
  files
    .flatMap(({ text }) => text.match(/§\d+[0-9., §-]*/g) ?? [])
    .flatMap((mention) => mention.match(/\d+(?:\.\d+)?/g) ?? []),
);

it.each(clauses)('decisions §%s has a test that names it', (clause) => {
  const found = clause.includes('.')
    ? named.has(clause)
    : [...named].some((one) => one === clause || one.startsWith(`${clause}.`));
  expect(found, `no test names decisions §${clause}`).toBe(true);
});

describe('clauses of the reference', () => {
  const mentions = files.flatMap(({ name, text }) =>
    text.includes('(reference R-')
      ? titlesOf(text).flatMap((title) =>
          (title.match(/R-[a-z-]+-\d+/g) ?? []).map((clause) => ({ name, clause })),
        )
      : [],
  );
  const proven = new Set(
    mentions
      .filter(({ name }) => /^service\/(?!postgres\/)/.test(name))
      .map(({ clause }) => clause),
  );
  const ids = Object.keys(referenceClauses);

  it.each(Object.entries(referenceClauses))(
    '%s has a test of the service that names it: %s',
    (clause, says) => {
      expect(proven.has(clause), `no test of the service names ${clause}: ${says}`).toBe(true);
    },
  );

  it('no test names a clause that there is not', () => {
    const strange = mentions.filter(({ clause }) => !(clause in referenceClauses));
    expect(strange).toEqual([]);
  });

  it('the clauses of a section are numbered from 1 without a gap', () => {
    const counts = new Map<string, number>();
    for (const id of ids) {
      const [, section = '', number] = /^R-([a-z-]+)-(\d+)$/.exec(id) ?? [];
      counts.set(section, (counts.get(section) ?? 0) + 1);
      expect(Number(number), id).toBe(counts.get(section));
    }
  });

  it('a title is what a test is called, and nothing else', () => {
    const source = `
      // it('comment', () => {});
      describe('group', () => {
        it('one', () => { expect('body'); });
        it.each([1])('two %s', () => {});
        test(\`three \${name}\`, () => {});
        it.skip('skipped', () => {});
        it.skipIf(true)('perhaps', () => {});
        it.todo('planned');
      });`;
    expect(titlesOf(source)).toEqual(["'one'", "'two %s'", '`three ${name}`']);
  });
});
