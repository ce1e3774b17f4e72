/**
 * Excel workbooks, read back by a different library than the writer: unchanged texts, numbers with every digit, times in this
 * computer's zone, no formulas, and a thousand rows intact.
 */
import { Uint8ArrayReader, TextWriter, ZipReader } from '@zip.js/zip.js';
import readExcel from 'read-excel-file/universal';
import { expect, it } from 'vitest';
import type { CustomFieldDefinition } from '../../../src/contract/rest/catalog.ts';
import { emptyCatalog } from '../../../src/renderer/data/db/catalog.ts';
import { keysOf, type TableWords } from '../../../src/renderer/data/export/export-table.ts';
import { cellOf, figuresXlsx, recordsXlsx } from '../../../src/renderer/data/export/export-xlsx.ts';
import { words } from '../../../src/renderer/words/company-words.ts';
import { cacheMany } from '../../support/renderer-cache.ts';
import { capture, host, owner, windowPerTest, windows } from '../../support/renderer-window.ts';

windowPerTest();

const heads = { ...words.exporting.heads, ...words.field_labels };
const say: TableWords = { heads, field: ({ label }) => label, name: (name) => name };
const scope = { account: owner.account, project_id: owner.project_id };

const partsOf = async (file: Blob): Promise<ReadonlyMap<string, string>> => {
  const zip = new ZipReader(new Uint8ArrayReader(new Uint8Array(await file.arrayBuffer())));
  const parts = new Map<string, string>();
  for (const entry of await zip.getEntries())
    if (!entry.directory) parts.set(entry.filename, await entry.getData(new TextWriter()));
  return parts;
};
const rowsOf = async (file: Blob): Promise<unknown[][]> => {
  const read = (await readExcel(file)) as unknown[];
  const first = read[0] as { data?: unknown[][] } | unknown[];
  return Array.isArray(first) ? (read as unknown[][]) : (first.data ?? []);
};

const nasty = [
  '=1+1',
  '+cmd|/c calc!A1',
  '-2+3',
  '@SUM(A1)',
  'constructor',
  '__proto__',
  '007',
  '2-114',
  '12345678901234567890',
  '<b>&amp;"\'',
  '日本 🏗️',
  'two\nlines',
];

it('texts stay texts whatever they begin with, nothing in the file is a formula', async () => {
  const file = await figuresXlsx(
    'Sheet',
    ['Text'],
    nasty.map((text) => [text]),
  );
  expect((await rowsOf(file)).slice(1).map(([text]) => text)).toEqual(nasty);
  const parts = await partsOf(file);
  expect([...parts.keys()].filter((name) => /worksheets/.test(name))).toHaveLength(1);
  for (const [name, xml] of parts) expect(xml, name).not.toMatch(/<f[ >]/);
  for (const [name, xml] of parts)
    expect(
      new DOMParser().parseFromString(xml, 'text/xml').querySelector('parsererror'),
      name,
    ).toBe(null);
});

it('a cell that Excel would spoil is kept: long digits, long text, half a sign, escapes', () => {
  expect(cellOf(12.5)).toBe(12.5);
  expect(cellOf(-120_000)).toBe(-120_000);
  expect(cellOf(1234567890123456)).toBe('1234567890123456');
  expect(cellOf(Infinity)).toBe('Infinity');
  expect(String(cellOf('x'.repeat(40_000)))).toHaveLength(32_767);
  expect(cellOf('_x0041_')).toBe('_x005F_x0041_');
  expect(cellOf('a\ud800b')).toBe('a\ufffdb');
  expect(cellOf('')).toBe(null);
});

it('numbers are numbers, moments are this computer’s, a stretch is chosen by its ends', async () => {
  const window = await windows.start(host);
  const definitions: CustomFieldDefinition[] = [
    { id: 7, label: 'People nearby', data_type: 'number', options: [], required: false },
    { id: 8, label: 'Event time', data_type: 'datetime', options: [], required: false },
    { id: 9, label: 'Permit', data_type: 'string', options: [], required: false },
    { id: 10, label: 'Due', data_type: 'date', options: [], required: false },
  ];
  await capture(window, '=HYPERLINK("http://bad")\n\nsecond', [], {
    custom_fields: {
      custom_field_7: '3',
      custom_field_8: '2026-03-04T05:06:00.000Z',
      custom_field_9: '00042',
      custom_field_10: '2026-11-20',
    },
  });
  let rows = 0;
  const keys = await keysOf(window, { ...scope, from: null });
  const file = await recordsXlsx(window, { keys }, say, definitions, {
    sheet: 'Near misses',
    onRows: (done) => (rows = done),
  });
  expect(rows).toBe(1);
  const [head = [], first = []] = await rowsOf(file);
  const at = (name: string): unknown => first[head.indexOf(name)];
  expect(at(heads.description)).toBe('=HYPERLINK("http://bad")\n\nsecond');
  expect(at('People nearby')).toBe(3);
  expect(at('Permit')).toBe('00042');
  expect(at(heads.photos)).toBe(0);
  expect(at('Due')).toEqual(new Date('2026-11-20'));
  const told = new Date('2026-03-04T05:06:00Z');
  const shown = at('Event time');
  expect(shown).toBeInstanceOf(Date);
  // Spreadsheet dates have no zone: read as UTC they show this computer's local time.
  expect((shown as Date).toISOString().slice(0, 16)).toBe(
    new Date(told.getTime() - told.getTimezoneOffset() * 60_000).toISOString().slice(0, 16),
  );
  const now = Date.now();
  expect(await keysOf(window, { ...scope, from: now + 1, to: null })).toEqual([]);
  expect(await keysOf(window, { ...scope, from: null, to: now - 86_400_000 })).toEqual([]);
});

it('stops when it is told to, and says how far it is', async () => {
  const window = await windows.start(host);
  await cacheMany(window.db, owner, emptyCatalog, 1_000, Date.now());
  const stop = new AbortController();
  const keys = await keysOf(window, { ...scope, from: null });
  const made = recordsXlsx(window, { keys }, say, [], {
    sheet: 'Near misses',
    signal: stop.signal,
    onRows: () => stop.abort(),
  });
  await expect(made).rejects.toThrow();
  const whole = await recordsXlsx(window, { keys }, say, [], { sheet: 'Near misses' });
  expect(await rowsOf(whole)).toHaveLength(keys.length + 1);
});
