/**
 * Every clause of the API decisions is named by the title of a test that proves it. A clause whose last test is
 * renamed or removed fails here; a new clause is a number in this list.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Section to the number of its last clause; 0: the section is one clause. */
const sections: Readonly<Record<number, number>> = {
  1: 7,
  2: 4,
  3: 7,
  4: 4,
  5: 9,
  6: 0,
  7: 0,
  8: 0,
  9: 7,
  10: 0,
};

const clauses = Object.entries(sections).flatMap(([section, last]) =>
  last === 0 ? [section] : Array.from({ length: last }, (_, at) => `${section}.${at + 1}`),
);

const root = join(import.meta.dirname, '..');
const titles = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(test|spec)\.ts$/.test(name) && !name.includes('node_modules'))
  .flatMap((name) => readFileSync(join(root, name), 'utf8').match(/§\d+[0-9., §-]*/g) ?? []);

/** The clauses that one mention names: `§3.4`, `§5.2, §5.3`, `§1.2 §1.3`. */
const named = new Set(titles.flatMap((mention) => mention.match(/\d+(?:\.\d+)?/g) ?? []));

it.each(clauses)('decisions §%s has a test that names it', (clause) => {
  const found = clause.includes('.')
    ? named.has(clause)
    : [...named].some((one) => one === clause || one.startsWith(`${clause}.`));
  expect(found, `no test names decisions §${clause}`).toBe(true);
});
