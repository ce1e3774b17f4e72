/**
 * The list of licences (src/renderer/licences.json). `npm run check` verifies that it matches the packages. This file verifies
 * required entries, the refusal of licences that may not ship, and that LGPL parts are separate files.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { isAllowed, licencesText } from '../../src/setup/licences.ts';
import { bringShell } from '../../src/setup/shell.ts';

const root = join(import.meta.dirname, '../..');
const { packages, texts } = JSON.parse(
  readFileSync(join(root, 'src/renderer/licences.json'), 'utf8'),
) as {
  packages: { name: string; version: string; licence: string; text: number }[];
  texts: string[];
};

it.each([
  ['libheif-js', 'LGPL-3.0', 'GNU LESSER GENERAL PUBLIC LICENSE'],
  ['wasm-vips', 'MIT AND LGPL-3.0', 'GNU GENERAL PUBLIC LICENSE'],
  ['wasm-vips', 'MIT AND LGPL-3.0', 'libultrahdr'],
  ['@fontsource-variable/inter', 'OFL-1.1', 'SIL OPEN FONT LICENSE'],
  ['dompurify', '(MPL-2.0 OR Apache-2.0)', 'Apache License'],
  ['electron', 'MIT', 'Electron contributors'],
  ['fastify', 'MIT', 'Permission is hereby granted'],
])('%s is listed under %s with its text', (name, licence, words) => {
  const found = packages.filter((one) => one.name === name);
  expect(found.map((one) => one.licence)).toEqual([licence]);
  expect(texts[found[0]?.text ?? 0]).toContain(words);
});

it('lists what ships and no tool', () => {
  const names = packages.map(({ name }) => name);
  for (const name of ['svelte', 'dexie', '@tiptap/core', 'pg', 'better-sqlite3', '@github/keytar'])
    expect(names).toContain(name);
  for (const name of ['vitest', 'eslint', 'typescript', 'electron-builder', 'knip', 'sharp'])
    expect(names).not.toContain(name);
});

it.each([
  ['MIT', true],
  ['(MPL-2.0 OR Apache-2.0)', true],
  ['Apache-2.0 AND LGPL-3.0-or-later AND MIT', true],
  ['(GPL-3.0 OR MIT)', true],
  ['GPL-3.0-only', false],
  ['MIT AND GPL-2.0', false],
  ['AGPL-3.0', false],
  ['SEE LICENSE IN EULA.txt', false],
  ['not named', false],
])('%s may ship: %s', (licence, may) => {
  expect(isAllowed(licence)).toBe(may);
});

it('the text for a package names every one, and how to replace the LGPL parts', () => {
  const text = licencesText(root);
  for (const { name, version } of packages) expect(text).toContain(`${name} ${version}`);
  expect(text).toContain('out/renderer/libheif.js');
  expect(text).toContain('node_modules/wasm-vips/lib/');
});

describe('the built window', () => {
  beforeAll(async () => {
    expect(await bringShell(root, () => undefined)).toBe(true);
  }, 300_000);
  const renderer = (name: string) => readFileSync(join(root, 'out/renderer', name), 'utf8');

  it('has libheif as the package has it, in a file of its own, and nowhere else', () => {
    const source = readFileSync(join(root, 'node_modules/libheif-js/libheif/libheif.js'), 'utf8');
    expect(renderer('libheif.js') === `${source}\nexport default libheif;\n`).toBe(true);
    const scripts = globSync('assets/*.js', { cwd: join(root, 'out/renderer') });
    expect(scripts.filter((name) => renderer(name).includes('heif_context_alloc'))).toEqual([]);
    const workers = scripts.filter((name) => renderer(name).includes('"/libheif.js"'));
    expect(workers).toHaveLength(1);
  });

  it("has the licences beside libheif and beside Inter's files", () => {
    expect(renderer('libheif-LICENSE.txt')).toContain('GNU LESSER GENERAL PUBLIC LICENSE');
    expect(renderer('assets/inter-OFL.txt')).toContain('SIL OPEN FONT LICENSE');
    expect(globSync('assets/inter-*.woff2', { cwd: join(root, 'out/renderer') })).not.toEqual([]);
  });
});
