/** Reads what sources may cite: the clauses of `src/contract/decisions.md` and the rows of `test/failures.md`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

/** `1`, `1.1`, …: the sections of the decisions and their clauses. */
export const decisions = (): readonly string[] => {
  let section = '';
  return read('src/contract/decisions.md')
    .split('\n')
    .flatMap((line) => {
      const heading = /^## (\d+)\. /.exec(line)?.[1];
      if (heading !== undefined) return [(section = heading)];
      const clause = /^(\d+)\. /.exec(line)?.[1];
      return clause === undefined ? [] : [`${section}.${clause}`];
    });
};

/** `A1`, `S26`, …: the rows of the tables of failures. */
export const failures = (): readonly string[] =>
  [...read('test/failures.md').matchAll(/^\| ([AS]\d+) +\|/gm)].map(([, row = '']) => row);
