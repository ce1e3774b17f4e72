/** A reason that a source cites can be read by whoever has the repository: every citation leads to a clause or a row that is there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { decisions, failures } from '../support/citations.ts';

const root = join(import.meta.dirname, '../..');
const sources = ['src', 'test'].flatMap((room) =>
  readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|js|svelte|md|html|css)$/.test(name) && !name.includes('node_modules'))
    .map((name) => ({
      name: `${room}/${name}`,
      text: readFileSync(join(root, room, name), 'utf8'),
    })),
);

/** Every match of `pattern` in a source, as `file: match`, whose first group is not among `known`. */
const strangers = (pattern: RegExp, known: readonly string[]): string[] =>
  sources.flatMap(({ name, text }) =>
    [...text.matchAll(pattern)]
      .filter(([, cited = '']) => !known.includes(cited))
      .map(([match]) => `${name}: ${match}`),
  );

it('every clause of the decisions that a source cites is in src/contract/decisions.md', () => {
  const clauses = decisions();
  expect(clauses).toContain('1.1');
  expect(clauses).toContain('10');
  expect(strangers(/decisions §(\d+(?:\.\d+)?)/g, clauses)).toEqual([]);
});

it('every row of the failures that a source cites is in test/failures.md', () => {
  const rows = failures();
  expect(rows).toContain('A31');
  expect(rows).toContain('S26');
  expect(strangers(/failures ([AS]\d+)/g, rows)).toEqual([]);
});

it('every promise that a source cites is in the README of the outbox', () => {
  const promises = [
    ...readFileSync(join(root, 'src/renderer/outbox/README.md'), 'utf8').matchAll(/^(\d)\. \*\*/gm),
  ];
  const numbers = promises.map(([, number = '']) => number);
  expect(numbers).toEqual(['1', '2', '3', '4', '5', '6']);
  expect(strangers(/outbox promise (\d+)/g, numbers)).toEqual([]);
});

it('no source cites a page that is not in the repository', () => {
  const own = 'test/contract/citations.test.ts';
  const cites = sources
    .filter(({ name }) => name !== own)
    .filter(({ text }) => /\bdesign(\.md)? §/.test(text));
  expect(cites.map(({ name }) => name)).toEqual([]);
});

it('every file that a README names or links to is there', () => {
  const readmes = [
    { name: 'README.md', text: readFileSync(join(root, 'README.md'), 'utf8') },
    ...sources.filter(({ name }) => name.endsWith('.md')),
  ];
  const missing = readmes.flatMap(({ name, text }) => {
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, to = '']) =>
      join(dirname(name), to),
    );
    const paths = [...text.matchAll(/`((?:src|test|resources)\/[\w./-]+\.\w+)`/g)].map(
      ([, to = '']) => to,
    );
    return [...links, ...paths]
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => `${name}: ${path}`);
  });
  expect(missing).toEqual([]);
});
