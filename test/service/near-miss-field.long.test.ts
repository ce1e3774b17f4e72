/**
 * Adds a text field to near misses in a copy of the sources, as the README of the contract says, and counts the files. The copy
 * must compile, and its service must take, keep and answer the field. A field that only the contract knows must not compile.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { TableWords } from '../../src/renderer/data/export/export-table.ts';
import { tempDir } from '../support/service.ts';

const root = join(import.meta.dirname, '../..');
const node = join(root, 'node_modules/.bin/node');
const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');
const copy = tempDir('field');
const labels = (label: string) => (text: string) =>
  text.replace(/field_labels\b.*\{\n/u, `$&  weather: '${label}',\n`);

/** The whole change, file by file: from the text of today ('' for a new file) to the next. */
const weather: Readonly<Record<string, (text: string) => string>> = {
  'src/contract/rest/near-miss-fields.ts': (text) =>
    text.replace('export const nearMissFields = {\n', '$&  weather: text(100),\n'),
  'src/renderer/words/en/near-misses.ts': labels('Weather'),
  'src/renderer/words/es/near-misses.ts': labels('Clima'),
  'src/service/store/migrations/9999-weather.ts':
    () => `import type { Migration } from 'kysely/migration';
export const weather: Migration = {
  up: async (db) => {
    await db.schema
      .alterTable('near_misses')
      .addColumn('weather', 'text', (c) => c.notNull().defaultTo(''))
      .execute();
  },
};
`,
  'src/service/store/migrations/index.ts': (text) =>
    text
      .replace(/^import /mu, "import { weather } from './9999-weather.ts';\n$&")
      .replace(/,?\s*\};\s*$/u, ", '9999-weather': weather };\n"),
};

const read = (path: string): string => {
  try {
    return readFileSync(join(copy.path, path), 'utf8');
  } catch {
    return '';
  }
};
const edit = (path: string, change: (text: string) => string): void => {
  const text = read(path);
  const next = change(text);
  expect(next, path).not.toBe(text);
  writeFileSync(join(copy.path, path), next);
};

/** The compiler's output. @param projects those that are built, and what they refer to */
const compile = (...projects: string[]): Promise<string> =>
  new Promise((resolve) => {
    execFile(
      node,
      [tsc, '-b', '--singleThreaded', ...projects],
      { cwd: copy.path },
      (_error, stdout, stderr) => resolve(stdout + stderr),
    );
  });

type Rows = typeof import('../../src/renderer/data/model/near-miss-rows.ts');
type Table = typeof import('../../src/renderer/data/export/export-table.ts');

const HOUR_MS = 3_600_000;

beforeAll(() => {
  for (const path of ['src', 'test', 'package.json', 'tsconfig.json'])
    cpSync(join(root, path), join(copy.path, path), { recursive: true });
  // Not the folder as a whole: the compiler writes into its .cache.
  mkdirSync(join(copy.path, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '.cache')
      symlinkSync(
        join(root, 'node_modules', name),
        join(copy.path, 'node_modules', name),
        'junction',
      );
  for (const [path, change] of Object.entries(weather)) edit(path, change);
});
afterAll(() => copy.remove());

describe('a text field of a near miss', () => {
  it('takes at most eight files, which the README of the contract lists', () => {
    const files = Object.keys(weather);
    expect(files.length).toBeLessThanOrEqual(8);
    const readme = readFileSync(join(root, 'src/contract/README.md'), 'utf8');
    const listed = [
      'near-miss-fields.ts',
      'words/en/',
      'words/es/',
      'store/migrations/',
      'index.ts',
    ];
    for (const [at, path] of files.entries()) {
      expect(path).toContain(listed[at]);
      expect(readme).toContain(listed[at]);
    }
  });

  it('is taken, kept, searched and answered by the service, in a new report and in an edit', async () => {
    const support = pathToFileURL(join(copy.path, 'test/support/service.ts')).href;
    const { startTestService } = (await import(
      /* @vite-ignore */ support
    )) as typeof import('../support/service.ts');
    const service = await startTestService();
    onTestFinished(service.stop);
    const { demo } = service;
    const list = '~/incidents/near_misses';
    const incident_id = (await demo.get('~/incidents')).json[0].id as number;
    const create = { incident_id, description: 'A board fell', weather: 'Gusts from the west' };

    const made = await demo.post(list, { near_miss: create });
    expect(made).toMatchObject({ status: 201, json: { weather: 'Gusts from the west' } });
    const path = `${list}/${made.json.id}`;
    const changed = await demo.patch(path, { near_miss: { weather: 'Calm' } });
    expect(changed).toMatchObject({ status: 200, json: { weather: 'Calm' } });
    expect(changed.headers.get('etag')).not.toBe(made.headers.get('etag'));
    await service.restart();
    expect((await demo.get(path)).json).toMatchObject({ weather: 'Calm' });
    const found = await demo.get(`${list}?filters[query]=calm`);
    expect(found.json.map(({ id }: { readonly id: number }) => id)).toContain(made.json.id);
    const emptied = await demo.patch(path, { near_miss: { weather: null } });
    expect(emptied.json).toMatchObject({ weather: '' });
    const long = await demo.patch(path, { near_miss: { weather: 'x'.repeat(101) } });
    expect(long).toMatchObject({
      status: 422,
      json: { errors: { 'near_miss.weather': ['must have at most 100 characters'] } },
    });
  });

  it('the window sends no change of it for a row that was stored before, and exports it', async () => {
    const load = (path: string) =>
      import(/* @vite-ignore */ pathToFileURL(join(copy.path, path)).href);
    const rows = (await load('src/renderer/data/model/near-miss-rows.ts')) as Rows;
    const table = (await load('src/renderer/data/export/export-table.ts')) as Table;
    const whole = { ...rows.emptyFields, incident_id: 1 };
    const old = { ...whole };
    expect(old).toMatchObject({ weather: '' });
    Reflect.deleteProperty(old, 'weather');
    expect(rows.changedFields(old, whole)).toEqual({});
    const calm = Object.assign({ ...whole }, { weather: 'Calm' });
    expect(rows.changedFields(old, calm)).toEqual({ weather: 'Calm' });
    expect(rows.sameField('weather', null, '')).toBe(true);
    expect(rows.createBody(whole)).not.toHaveProperty('weather');
    expect(rows.applyWire(old, { weather: 'Calm' })).toMatchObject({ weather: 'Calm' });
    expect(rows.fieldsOfServer({ id: 1 })).toMatchObject({ weather: '' });
    const words = { heads: { weather: 'Weather' }, field: String, name: String };
    const heads = table.recordColumns(words as unknown as TableWords, []).map(({ head }) => head);
    expect(heads).toContain('Weather');
  });

  it('compiles everywhere, window and tests included', { timeout: HOUR_MS }, async () => {
    expect(await compile()).toBe('');
  });

  it('does not compile without its label', { timeout: HOUR_MS }, async () => {
    const words = 'src/renderer/words/en/near-misses.ts';
    const before = read(words);
    edit(words, (text) => text.replace("  weather: 'Weather',\n", ''));
    onTestFinished(() => writeFileSync(join(copy.path, words), before));
    expect(await compile('src/renderer')).toContain(words);
  });

  it('does not compile where only the contract knows it', { timeout: HOUR_MS }, async () => {
    edit('src/contract/rest/near-misses.ts', (text) =>
      text
        .replace('const writable = {\n', '$&  dropped: z.string().optional(),\n')
        .replace('  ...shownFields,\n', '$&  unanswered: answered(z.string()),\n'),
    );
    const said = await compile('src/service');
    expect(said).toMatch(/domain\/near-misses\/near-misses\.ts.*\n?.*'dropped'/u);
    expect(said).toMatch(/domain\/near-misses\/near-miss-view\.ts.*\n?.*'unanswered'/u);
  });
});
