/** Excel workbooks read by the real worker: cell values, the chosen sheet, and hostile files refused with an explanation. */
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';
import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import {
  SHEET_MAX_COLUMNS,
  SHEET_MAX_ROWS,
} from '../../../src/renderer/screens/company/spreadsheet/spreadsheet.ts';
import { readSpreadsheet } from '../../../src/renderer/screens/company/spreadsheet/spreadsheet-file.ts';
import { slow } from '../../support/slow.ts';

type Rows = NonNullable<Parameters<typeof writeXlsx>[0]['sheets'][number]['rows']>;

const fileOf = (bytes: Uint8Array, name = 'log.xlsx') => new File([Uint8Array.from(bytes)], name);
const workbook = async (sheets: Readonly<Record<string, Rows>>, hidden: readonly string[] = []) =>
  fileOf(
    await writeXlsx({
      sheets: Object.entries(sheets).map(([name, rows]) => ({
        name,
        rows,
        hidden: hidden.includes(name),
      })),
    }),
  );

describe('failures A61: a workbook is read like a CSV file', () => {
  it('a title, dates, amounts, long numbers, texts, yes and no', async () => {
    const file = await workbook({
      Log: [
        ['Certificate of insurance log 2026'],
        [],
        ['Insurer', 'Policy Number', 'Effective Date', 'Limit', 'Exempt'],
        ['North Mutual', 'GL-0001', new Date('2026-01-01'), 1_000_000, true],
        ['=Bold & Co', 9_876_543_210, new Date('2026-01-31T08:15:00Z'), 0.1 + 0.2, false],
        ['Phones', 987_654_321_098_765_432, null, null, null],
      ],
    });
    const { sheet, refusal } = await readSpreadsheet(file);
    expect(refusal).toBe(null);
    expect(sheet?.sheets).toBe(null);
    expect(sheet?.rows.map(({ row, cells }) => [row, ...cells])).toEqual([
      [1, 'Certificate of insurance log 2026'],
      [3, 'Insurer', 'Policy Number', 'Effective Date', 'Limit', 'Exempt'],
      [4, 'North Mutual', 'GL-0001', '2026-01-01', '1000000', 'true'],
      [5, '=Bold & Co', '9876543210', '2026-01-31 08:15', '0.3', 'false'],
      [6, 'Phones', '9.876543210987654E+17'],
    ]);
  });

  it('the first visible sheet with a table, or the sheet that was chosen; every sheet with rows is offered', async () => {
    const table = (insurer: string): Rows => [
      ['Insurer', 'Policy Number'],
      [insurer, 'GL-1'],
    ];
    const cover: Rows = [['Insurance log'], ['Harbour Bridge'], ['2026']];
    const file = await workbook(
      {
        Old: table('Old'),
        Cover: cover,
        Empty: [],
        Title: [['x']],
        Log: table('Axa'),
        Autos: table('Zurich'),
      },
      ['Old'],
    );
    const { sheet } = await readSpreadsheet(file);
    const names = ['Cover', 'Log', 'Autos'];
    expect(sheet?.sheets).toEqual({ read: 'Log', names });
    expect(sheet?.rows[1]?.cells).toEqual(['Axa', 'GL-1']);
    const { sheet: chosen } = await readSpreadsheet(file, { sheet: 'Autos' });
    expect(chosen?.sheets).toEqual({ read: 'Autos', names });
    expect(chosen?.rows[1]?.cells).toEqual(['Zurich', 'GL-1']);
  });

  it('a cell merged over several rows counts for each of them, and empty rows stay empty', async () => {
    const rows: Rows = [
      ['Insurance log', null, null],
      ['Vendor', 'Insurer', 'Policy Number'],
      ['Acme Formwork', 'Axa', 'GL-1'],
      [null, 'Zurich', 'GL-2'],
      [],
      [null, null, 'GL-3'],
      ['Bold Scaffolding', 'Axa', 'GL-4'],
      [null, 'Axa', 'GL-5'],
    ];
    const merges = [
      { startRow: 0, startCol: 0, endRow: 0, endCol: 2 },
      { startRow: 2, startCol: 0, endRow: 5, endCol: 0 },
      { startRow: 3, startCol: 1, endRow: 5, endCol: 1 },
      { startRow: 8, startCol: 0, endRow: 1_000_000, endCol: 0 },
    ];
    const file = fileOf(await writeXlsx({ sheets: [{ name: 'Log', rows, merges }] }));
    const { sheet } = await readSpreadsheet(file);
    expect(sheet?.rows.map(({ row, cells }) => [row, ...cells])).toEqual([
      [1, 'Insurance log'],
      [2, 'Vendor', 'Insurer', 'Policy Number'],
      [3, 'Acme Formwork', 'Axa', 'GL-1'],
      [4, 'Acme Formwork', 'Zurich', 'GL-2'],
      [6, 'Acme Formwork', 'Zurich', 'GL-3'],
      [7, 'Bold Scaffolding', 'Axa', 'GL-4'],
      [8, '', 'Axa', 'GL-5'],
    ]);
  });

  it('a workbook with one sheet that has rows offers no choice', async () => {
    const { sheet } = await readSpreadsheet(
      await workbook({ Notes: [], List: [['Insurer'], ['Axa']] }),
    );
    expect(sheet?.sheets).toBe(null);
    expect(sheet?.rows).toHaveLength(2);
  });
});

describe('failures A62: a workbook that cannot be read ends with a sentence', () => {
  const refusal = async (file: File) => (await readSpreadsheet(file)).refusal;

  slow('too many rows, too many columns, nothing but a heading', async () => {
    const many = Array.from({ length: SHEET_MAX_ROWS + 2 }, (_, at) => [`Insurer ${at}`]);
    expect(await refusal(await workbook({ Log: many }))).toContain('more than 20,000 rows');
    const wide = [Array.from({ length: SHEET_MAX_COLUMNS + 1 }, (_, at) => `C${at}`), ['x']];
    expect(await refusal(await workbook({ Log: wide }))).toContain('more than 256 columns');
    expect(await refusal(await workbook({ Log: [['Insurer']] }))).toContain('no rows');
    expect(await refusal(await workbook({ Log: [] }))).toBe('The file is empty.');
  });

  slow('A62: a zip bomb is not unpacked, a long text shared by many cells is counted', async () => {
    const zip = new ZipWriter(new Uint8ArrayWriter());
    const zeros = new Uint8ArrayReader(new Uint8Array(101 * 1024 * 1024));
    await zip.add('xl/worksheets/sheet1.xml', zeros);
    const bomb = fileOf(await zip.close());
    expect(bomb.size).toBeLessThan(1024 * 1024);
    expect(await refusal(bomb)).toContain('too large to read safely');
    const long = 'x'.repeat(30_000);
    const shared = Array.from({ length: 800 }, () => [long]);
    expect(await refusal(await workbook({ Log: shared }))).toContain('too large to read safely');
  });

  slow('a damaged workbook, a zip of something else, an old Excel file', async () => {
    const whole = new Uint8Array(await (await workbook({ Log: [['A'], ['b']] })).arrayBuffer());
    expect(await refusal(fileOf(whole.subarray(0, whole.length / 2)))).toContain('damaged');
    const zip = new ZipWriter(new Uint8ArrayWriter());
    await zip.add('photo.txt', new Uint8ArrayReader(new Uint8Array([1, 2, 3])));
    expect(await refusal(fileOf(await zip.close()))).toContain('is not a workbook');
    const old = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
    expect(await refusal(fileOf(old, 'log.xls'))).toContain('old Excel file (.xls)');
  });
});
