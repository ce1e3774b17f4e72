/**
 * CSV for spreadsheets: whatever a text holds, no cell is a formula and every cell reads back unchanged. Also a zip of records
 * with photos.
 */
import { Uint8ArrayReader, TextWriter, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js';
import fc from 'fast-check';
import Papa from 'papaparse';
import { expect, it } from 'vitest';
import type { CustomFieldDefinition } from '../../../src/contract/rest/catalog.ts';
import { csvOf, recordsCsv, safeCell } from '../../../src/renderer/data/export/export-csv.ts';
import { chosenRows, type TableWords } from '../../../src/renderer/data/export/export-table.ts';
import { emptyCatalog } from '../../../src/renderer/data/db/catalog.ts';
import { recordsZip, type ZipProgress } from '../../../src/renderer/data/export/export-zip.ts';
import { editNearMiss } from '../../../src/renderer/data/near-misses/near-misses.ts';
import { filenameOf, photosOf } from '../../../src/renderer/data/photos/photos.ts';
import { refreshNearMisses } from '../../../src/renderer/data/near-misses/refresh.ts';
import { words as spanish } from '../../../src/renderer/words/es.ts';
import { files as spanish_files } from '../../../src/renderer/words/es/files.ts';
import { fileNames } from '../../../src/renderer/words/files.ts';
import { words } from '../../../src/renderer/words/company-words.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { cacheMany } from '../../support/renderer-cache.ts';
import {
  capture,
  drained,
  host,
  owner,
  photoBytes,
  windowPerTest,
  windows,
} from '../../support/renderer-window.ts';

windowPerTest();

const say: TableWords = {
  heads: { ...words.exporting.heads, ...words.field_labels },
  field: ({ label }) => label,
  name: (name) => name,
};
const definitions: CustomFieldDefinition[] = [
  { id: 7, label: '=Potential severity', data_type: 'select', options: [], required: false },
  { id: 8, label: 'Due', data_type: 'date', options: [], required: false },
];
const zip_names = { ...fileNames(), table: words.exporting.csv_name };
const project = { account: owner.account, project_id: owner.project_id, from: null };

const read = (text: string): string[][] => Papa.parse<string[]>(text.trimEnd()).data;
const whole = async (parts: AsyncIterable<string>): Promise<string> => {
  let text = '';
  for await (const part of parts) text += part;
  return text;
};

const dangerous = fc
  .tuple(fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', ';', "'", ''), fc.string())
  .map(([first, rest]) => first + rest);
const anyText = fc.oneof(
  dangerous,
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: anyCharacter }),
);

it('CSV injection: no cell begins as a formula, every cell is quoted and comes back as it was', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(anyText, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 8 }),
      (rows) => {
        const text = csvOf(rows);
        expect(text.startsWith('\ufeff"')).toBe(true);
        expect(text.endsWith('"\r\n')).toBe(true);
        // Parsed by the plain rules of RFC 4180, not by the library that wrote it.
        const cells = [...text.slice(1).matchAll(/"((?:[^"]|"")*)"(,|\r\n)/gy)];
        expect(cells.map((cell) => cell[0]).join('')).toBe(text.slice(1));
        const found = cells.map((cell) => (cell[1] ?? '').replaceAll('""', '"'));
        // A negative number is no formula.
        for (const cell of found)
          expect(cell).not.toMatch(/^(?!-\d+(?:\.\d+)?$)[=+\-@\t\r\n＝＋－＠]/);
        const back = found.map((cell) =>
          /^'[=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : cell,
        );
        const was = rows
          .flat()
          .map((cell) => (/^'[=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : cell));
        expect(back).toEqual(was);
        expect(cells.map((cell) => cell[2] === ',').filter((comma) => !comma)).toHaveLength(
          rows.length,
        );
      },
    ),
    { numRuns: 1_000 },
  );
  expect(safeCell('=HYPERLINK("http://x")')).toBe('\'=HYPERLINK("http://x")');
  expect(safeCell('2 bolts')).toBe('2 bolts');
  const below = ['-5', '-12.5', '-5+1', '-A1', '-1e5', '+5', '-5 '];
  expect(below.map(safeCell)).toEqual(['-5', '-12.5', "'-5+1", "'-A1", "'-1e5", "'+5", "'-5 "]);
});

it('a table of the near misses chosen, latest first, with custom fields by their names; it can be stopped', async () => {
  host.up = false;
  const window = await windows.start(host);
  await capture(window, '=1+1', [photoBytes(50, 1)]);
  const second = await capture(window, 'Rail <b>loose</b>', [], {
    custom_fields: { custom_field_7: '@Serious', custom_field_8: '2026-11-20' },
  });
  const text = await whole(recordsCsv(window, project, say, definitions));
  const [head, ...rows] = read(text.slice(1));
  expect(head?.slice(0, 4)).toEqual(['Number', 'Job or area', 'What happened', 'Reported']);
  const at = (name: string) => head?.indexOf(name) ?? -1;
  expect(rows.map((row) => row[at('What happened')])).toEqual(['Rail loose', "'=1+1"]);
  expect(rows.map((row) => row[at("'=Potential severity")])).toEqual(["'@Serious", '']);
  expect(rows.map((row) => row[at('Due')])).toEqual(['2026-11-20', '']);
  expect(rows.map((row) => row[at('Photos')])).toEqual(['0', '1']);
  expect(rows[0]?.[at('Reported')]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/);
  const named = await whole(recordsCsv(window, { keys: [second, 'gone'] }, say, definitions));
  expect(read(named.slice(1))).toHaveLength(2);
  const stopped = recordsCsv(window, project, say, [], { signal: AbortSignal.abort() });
  await expect(whole(stopped)).rejects.toMatchObject({ name: 'AbortError' });
});

it('a zip has the table and every photo that can be had, byte for byte, and names those that cannot', async () => {
  host.add({
    description: '<p>Theirs</p>',
    full_number: '../../3-9',
    attachments: [
      { id: 77, filename: '../theirs.jpg', sha256: 'x', size: 9 },
      { id: 78, filename: '../THEIRS.jpg', sha256: 'y', size: 9 },
      { id: 79, filename: 'CON.jpg', sha256: 'z', size: 9 },
    ],
  });
  const window = await windows.start(host);
  const bytes = [photoBytes(500_000, 1), photoBytes(60, 2)];
  await capture(window, 'Two photos', bytes);
  await drained(window, host);
  await refreshNearMisses(window, owner);
  host.up = false;
  const steps: ZipProgress[] = [];
  const zip = await recordsZip(window, project, say, [], {
    signal: new AbortController().signal,
    onProgress: (now) => steps.push(now),
    names: zip_names,
  }).arrayBuffer();
  const reader = new ZipReader(new Uint8ArrayReader(new Uint8Array(zip)));
  const entries = await reader.getEntries();
  const names = entries.map((entry) => entry.filename);
  expect(names.filter((name) => name.includes('..'))).toEqual([]);
  expect(names.slice(-2)).toEqual(['near-misses.csv', 'photos-not-included.csv']);
  const photos = entries.filter((entry) => entry.filename.startsWith('photos/'));
  expect(photos).toHaveLength(2);
  for (const [index, entry] of photos.entries()) {
    if (entry.directory) throw new Error('a folder');
    expect(await entry.getData(new Uint8ArrayWriter())).toEqual(bytes[index]);
  }
  const left = entries.at(-1);
  if (left === undefined || left.directory) throw new Error('no list of what is missing');
  // Distinct file names on Windows too, where names ignore case and CON is a device.
  const listed = read(await left.getData(new TextWriter())).slice(1);
  const names_left = listed.map((row) => row.at(-1) ?? '');
  expect(names_left).toEqual([
    '__theirs.jpg',
    expect.stringMatching(/^.+ __THEIRS\.jpg$/),
    '_CON.jpg',
  ]);
  expect(steps.at(-1)).toEqual({ records: 2, photos: 2, missing: 3 });
  // The same in Spanish: no English name is left in it.
  const { exporting } = spanish;
  const spoken = await recordsZip(window, project, say, [], {
    signal: new AbortController().signal,
    onProgress: () => {},
    names: { ...spanish_files, table: exporting.csv_name },
  }).arrayBuffer();
  const said = await new ZipReader(new Uint8ArrayReader(new Uint8Array(spoken))).getEntries();
  const said_names = said.map(({ filename }) => filename);
  expect(said_names.slice(-2)).toEqual(['casi-accidentes.csv', 'fotos-no-incluidas.csv']);
  expect(said_names.slice(0, -2).every((name) => name.startsWith('fotos/'))).toBe(true);
  const stop = new AbortController();
  const cut = recordsZip(window, project, say, [], {
    signal: stop.signal,
    onProgress: () => stop.abort(),
    names: zip_names,
  });
  await expect(cut.arrayBuffer()).rejects.toThrow();
});

it('decisions §4.8: a zip has the photos in the order that is said, and beside them what is said', async () => {
  host.up = false;
  const window = await windows.start(host);
  const key = await capture(window, 'Told of', [photoBytes(60, 1), photoBytes(70, 2)]);
  const [first = '', second = ''] = (await photosOf(window, { key, server: null })).map(filenameOf);
  const text = `${second}: The gate\n${first}\nby Tom`;
  await editNearMiss(window, key, { custom_fields: { custom_field_9: text } });
  const captions = { id: 9, label: 'Photo captions', data_type: 'text' as const };
  const fields = [{ ...captions, options: [], required: false }];
  const zip = await recordsZip(window, project, say, fields, {
    signal: new AbortController().signal,
    onProgress: () => {},
    names: zip_names,
  }).arrayBuffer();
  const entries = await new ZipReader(new Uint8ArrayReader(new Uint8Array(zip))).getEntries();
  const names = entries.map(({ filename }) => filename.split('/').at(-1));
  expect(names).toEqual([second, first, 'captions.txt', 'near-misses.csv']);
  const said = entries[2];
  if (said === undefined || said.directory) throw new Error('no captions');
  expect(await said.getData(new TextWriter())).toBe(text);
});

it('thousands are read in parts, each once, and stopped in the middle: nothing more is read', async () => {
  const COUNT = 5_000;
  const window = await windows.start(host);
  await cacheMany(window.db, owner, emptyCatalog, COUNT, Date.now());
  const seen = new Set<string>();
  for await (const rows of chosenRows(window, project)) for (const one of rows) seen.add(one.key);
  expect(seen.size).toBe(COUNT);
  expect(read(await whole(recordsCsv(window, project, say, definitions)))).toHaveLength(COUNT + 1);
  const stopAt = COUNT / 4;
  for (const kind of ['csv', 'zip'] as const) {
    const stop = new AbortController();
    let last = 0;
    const hear = (records: number) => {
      last = records;
      if (records >= stopAt) stop.abort();
    };
    const made =
      kind === 'csv'
        ? whole(recordsCsv(window, project, say, [], { signal: stop.signal, onRows: hear }))
        : recordsZip(window, project, say, [], {
            signal: stop.signal,
            onProgress: ({ records }) => hear(records),
            names: zip_names,
          }).arrayBuffer();
    await expect(made).rejects.toThrow();
    expect(last).toBeGreaterThanOrEqual(stopAt);
    expect(last).toBeLessThan(COUNT / 2);
  }
});
