/** A reason that a source cites can be read by whoever has the repository: every citation leads to a clause or a row that is there. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { decisions, failures } from '../support/citations.ts';
import { testFiles, titlesOf } from '../support/titles.ts';

const root = join(import.meta.dirname, '../..');
/** Its own examples lead nowhere. */
const own = 'test/contract/citations.test.ts';
const sources = ['src', 'test'].flatMap((room) =>
  readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|js|svelte|md|html|css)$/.test(name) && !name.includes('node_modules'))
    .map((name) => ({
      name: `${room}/${name}`,
      text: readFileSync(join(root, room, name), 'utf8'),
    })),
);

/** A citation may go over the end of a line, in a comment too: the text as one line. */
const joined = (text: string): string => text.replaceAll(/\s*\n\s*(?:\*(?!\/)\s*|\/\/+\s*)?/g, ' ');

const LIST = String.raw`(?:(?:-|–|…|, ?| and | to )§?\d+(?:\.\d+)?)*`;
const clauseList = new RegExp(String.raw`((?:RFC|ISO) [\d-]+ )?§\d+(?:\.\d+)?${LIST}`, 'g');

/** The clauses that a text cites, of lists and ranges each end: `§3.4`, `§5.2, §5.3`, `§2.1-2.2`. Those of a standard are not ours. */
const clausesIn = (text: string): string[] =>
  [...joined(text).matchAll(clauseList)].flatMap(([list, standard]) =>
    standard === undefined ? (list.match(/\d+(?:\.\d+)?/g) ?? []) : [],
  );

/** `A20` and `A28` of `failures A20, A28`: a row is a letter and a number wherever it stands, but in the name of a cell. */
const rowsIn = (text: string): string[] =>
  [...joined(text).matchAll(/(?<![\w!'"])[AS]\d{1,2}\b/g)].map(([row]) => row);

const promisesIn = (text: string): string[] =>
  [...joined(text).matchAll(/outbox promises? (\d+(?:(?:, | and )\d+)*)/g)].flatMap(
    ([, list = '']) => list.match(/\d+/g) ?? [],
  );

/** What is cited and not among `known`, as `file: citation`. */
const strangers = (citedIn: (text: string) => string[], known: readonly string[]): string[] =>
  sources
    .filter(({ name }) => name !== own)
    .flatMap(({ name, text }) =>
      citedIn(text)
        .filter((cited) => !known.includes(cited))
        .map((cited) => `${name}: ${cited}`),
    );

it('every clause of the decisions that a source cites is in src/contract/decisions.md', () => {
  const clauses = decisions();
  expect(clauses).toContain('1.1');
  expect(clauses).toContain('10');
  expect(strangers(clausesIn, clauses)).toEqual([]);
});

it('every row of the failures that a source cites is in test/failures.md', () => {
  const rows = failures();
  expect(rows).toContain('A31');
  expect(rows).toContain('S26');
  expect(strangers(rowsIn, rows)).toEqual([]);
});

it('every promise that a source cites is in the README of the outbox', () => {
  const promises = [
    ...readFileSync(join(root, 'src/renderer/outbox/README.md'), 'utf8').matchAll(/^(\d)\. \*\*/gm),
  ];
  const numbers = promises.map(([, number = '']) => number);
  expect(numbers).toEqual(['1', '2', '3', '4', '5', '6']);
  expect(strangers(promisesIn, numbers)).toEqual([]);
});

it('of a list every citation is judged, of a range both ends, over the end of a line too', () => {
  expect(clausesIn('(decisions §2.1-2.2, §3.5)')).toEqual(['2.1', '2.2', '3.5']);
  expect(clausesIn('as in §5.5, 5.6 and §7: 3 of them')).toEqual(['5.5', '5.6', '7']);
  expect(clausesIn(' * text (decisions\n * §6): text')).toEqual(['6']);
  expect(clausesIn('// decisions §5.1,\n  // §5.2')).toEqual(['5.1', '5.2']);
  expect(clausesIn('RFC 9110 §7.6.1, ISO 14496-12 §8.2.2')).toEqual([]);
  expect(rowsIn('(failures A11,\n * A12)')).toEqual(['A11', 'A12']);
  expect(rowsIn('failures S13-S15; failures:\n * A1')).toEqual(['S13', 'S15', 'A1']);
  expect(promisesIn('(outbox promise 3, outbox\n * promise 4; outbox promises 5 and 6)')).toEqual([
    '3',
    '4',
    '5',
    '6',
  ]);
});

it('no source cites a page that is not in the repository', () => {
  const cites = sources
    .filter(({ name }) => name !== own)
    .filter(({ text }) => /\bdesign(\.md)? §/.test(text));
  expect(cites.map(({ name }) => name)).toEqual([]);
});

it('no title of a test names a page that is not in the repository', () => {
  const word = /\bdesign\b/i;
  const cites = testFiles()
    .filter(({ text }) => word.test(text))
    .flatMap(({ name, text }) =>
      titlesOf(text)
        .filter((title) => word.test(title))
        .map((title) => `${name}: ${title}`),
    );
  expect(cites).toEqual([]);
});
