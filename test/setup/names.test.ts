/** CONTRIBUTING.md's glossary holds: no file has a retired name, and each name stands for a file. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const glossary = [
  ...readFileSync(join(root, '.github/CONTRIBUTING.md'), 'utf8').matchAll(
    /^\| ([\w-]+) +\| (`[^|]+`) +\|/gm,
  ),
].map(([, name = '', retired = '']) => ({
  name,
  retired: [...retired.matchAll(/`([^`]+)`/g)].map(([, one = '']) => one),
}));
const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).map((path) =>
  path.replace(/^.*[/\\]/, ''),
);

it('the glossary was read', () => {
  expect(glossary.length).toBeGreaterThan(30);
  expect(glossary).toContainEqual({ name: 'circuit-breaker', retired: ['suffering'] });
});

it('no file of src has a retired name', () => {
  const retired = new Set(glossary.flatMap((row) => row.retired.map((one) => `${one}.ts`)));
  expect(files.filter((file) => retired.has(file))).toEqual([]);
});

it('each name of the glossary is a file of src', () => {
  expect(glossary.map(({ name }) => `${name}.ts`).filter((file) => !files.includes(file))).toEqual(
    [],
  );
});

it('no source names a retired identifier', () => {
  const retired = [
    ...readFileSync(join(root, '.github/CONTRIBUTING.md'), 'utf8').matchAll(
      /^\| `\w+` +\| ((?:`\w+`(?:, )?)+) +\|$/gm,
    ),
  ].flatMap(([, names = '']) => [...names.matchAll(/\w+/g)].map(([name]) => name));
  expect(retired).toContain('OutboxEntry');
  const word = new RegExp(`(?<![\\w$-])(?:${retired.join('|')})(?![\\w$-])`);
  const found = ['src', 'test'].flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(?:ts|svelte)$/.test(path) && !path.endsWith('names.test.ts'))
      .filter((path) => word.test(readFileSync(join(root, room, path), 'utf8'))),
  );
  expect(found).toEqual([]);
});
