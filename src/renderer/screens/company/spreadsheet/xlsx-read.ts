/**
 * Reads an Excel workbook (.xlsx) into rows of text. The unpacked size is checked before unpacking, and rows, columns and text
 * are counted while reading, so a zip bomb or a million rows end with a refusal. Runs in a worker with a deadline.
 */
import { type CellValue, readXlsx, streamXlsxRows } from 'hucre/xlsx';
import { Uint8ArrayReader, ZipReader } from '@zip.js/zip.js/lib/zip-core-external.js';
import {
  SHEET_MAX_BYTES,
  SHEET_MAX_COLUMNS,
  SHEET_MAX_ROWS,
  type SheetRead,
  type SheetRefusal,
  type SheetRow,
} from './spreadsheet.ts';

/** Limit for all parts together; a sheet with the maximum number of rows needs a tenth. */
const UNPACKED_MAX_BYTES = 100 * 1024 * 1024;
/** Rows of a sheet that are read to find out whether it has a table. */
const PEEK_ROWS = 30;
/** Excel stores at most this many digits of a number. */
const DIGITS_MAX = 15;

interface SheetName {
  readonly name: string;
  readonly index: number;
  readonly hidden?: boolean;
  readonly veryHidden?: boolean;
}

export const isZip = ([a, b, c, d]: Uint8Array): boolean =>
  a === 0x50 && b === 0x4b && c === 3 && d === 4;

/** Excel's format before 2007, which also wraps password-protected workbooks. */
export const isOldExcel = ([a, b, c, d]: Uint8Array): boolean =>
  a === 0xd0 && b === 0xcf && c === 0x11 && d === 0xe0;

const dateText = (at: Date): string => {
  const [day = '', time = ''] = at.toISOString().split('T');
  const clock = time.slice(0, 5);
  return clock === '00:00' ? day : `${day} ${clock}`;
};

/** Formats a number that Excel truncated the way Excel displays it, so that it is refused and not imported. */
const numberText = (value: number): string =>
  Math.abs(value) >= 10 ** DIGITS_MAX
    ? value.toExponential().toUpperCase()
    : String(Number(value.toPrecision(DIGITS_MAX)));

const textOf = (value: CellValue | undefined): string => {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : dateText(value);
  return typeof value === 'number' ? numberText(value) : String(value).trim();
};

const refuse = (refusal: SheetRefusal): SheetRead => ({ ok: false, refusal });

/** True for a zip bomb. The directory may lie, so a part that claims to be empty but has bytes is refused too. */
const isBomb = async (bytes: Uint8Array): Promise<boolean> => {
  const entries = await new ZipReader(new Uint8ArrayReader(bytes)).getEntries();
  const lies = entries.some((one) => one.uncompressedSize === 0 && one.compressedSize > 2);
  const unpacked = entries.reduce((sum, one) => sum + one.uncompressedSize, 0);
  return lies || unpacked > UNPACKED_MAX_BYTES;
};

const rowsOf = async (
  bytes: Uint8Array,
  sheet: number,
  most = Infinity,
): Promise<readonly SheetRow[] | SheetRefusal> => {
  const rows: SheetRow[] = [];
  let letters = 0;
  for await (const { index, values } of streamXlsxRows(bytes, { sheet })) {
    if (rows.length >= most) break;
    const cells = values.map(textOf);
    const last = cells.findLastIndex((cell) => cell !== '');
    if (last < 0) continue;
    if (last >= SHEET_MAX_COLUMNS) return { kind: 'too_wide' };
    if (rows.length > SHEET_MAX_ROWS) return { kind: 'too_many' };
    letters += cells.reduce((sum, cell) => sum + cell.length, 0);
    if (letters > SHEET_MAX_BYTES) return { kind: 'too_big_unpacked' };
    rows.push({ row: index + 1, cells: cells.slice(0, last + 1) });
  }
  return rows;
};

interface Merge {
  readonly startRow: number;
  readonly startCol: number;
  readonly endRow: number;
}

/** The cells of a sheet that are merged over several rows. */
const mergesOf = async (bytes: Uint8Array, sheet: number): Promise<readonly Merge[]> => {
  const { sheets } = await readXlsx(bytes, { sheets: [sheet] });
  return (sheets[0]?.merges ?? []).filter(({ startRow, endRow }) => endRow > startRow);
};

/**
 * Repeats the value of a cell that is merged over several rows in each of them: a log names a vendor once beside all of
 * its policies. Rows that are otherwise empty stay so.
 */
const withMergedCells = (
  rows: readonly SheetRow[],
  merges: readonly Merge[],
): readonly SheetRow[] => {
  if (merges.length === 0) return rows;
  const filled = rows.map(({ row, cells }) => ({ row, cells: [...cells] }));
  const byRow = new Map(filled.map((one) => [one.row, one.cells]));
  for (const { startRow, startCol, endRow } of merges) {
    const value = byRow.get(startRow + 1)?.[startCol] ?? '';
    const from = filled.findIndex(({ row }) => row > startRow + 1);
    if (value === '' || from < 0) continue;
    for (const { row, cells } of filled.slice(from)) {
      if (row > endRow + 1) break;
      while (cells.length <= startCol) cells.push('');
      cells[startCol] ||= value;
    }
  }
  return filled;
};

/** True for rows like a heading and its records, false for a cover sheet, whose rows have one cell each. */
const isTable = (rows: readonly SheetRow[]): boolean =>
  rows.filter(({ cells }) => cells.filter((cell) => cell !== '').length > 1).length > 1;

interface FoundSheet extends SheetName {
  /** Its first rows; null if they alone are too many. */
  readonly start: readonly SheetRow[] | null;
}

/** The visible sheets that are not empty. */
const findSheets = async (bytes: Uint8Array): Promise<readonly FoundSheet[]> => {
  const named: SheetName[] = [];
  await readXlsx(bytes, { sheets: (info) => (named.push(info), false) });
  const found: FoundSheet[] = [];
  for (const sheet of named.filter(({ hidden, veryHidden }) => !hidden && !veryHidden)) {
    const rows = await rowsOf(bytes, sheet.index, PEEK_ROWS);
    const start = 'kind' in rows ? null : rows;
    if (start?.length !== 0) found.push({ ...sheet, start });
  }
  return found;
};

/** Reads the named sheet, or the first visible sheet that has a table. */
export const readXlsxSheet = async (bytes: Uint8Array, chosen?: string): Promise<SheetRead> => {
  if (bytes.length > SHEET_MAX_BYTES) return refuse({ kind: 'too_big' });
  try {
    if (await isBomb(bytes)) return refuse({ kind: 'too_big_unpacked' });
    const found = await findSheets(bytes);
    // A sheet with one row has no records.
    const offered = found.filter(({ start }) => start?.length !== 1);
    const read =
      offered.find(({ name }) => name === chosen) ??
      offered.find(({ start }) => start === null || isTable(start)) ??
      offered[0];
    if (read === undefined) return refuse({ kind: found.length === 0 ? 'empty' : 'no_rows' });
    const rows = await rowsOf(bytes, read.index);
    if ('kind' in rows) return refuse(rows);
    const sheets =
      offered.length < 2 ? null : { read: read.name, names: offered.map(({ name }) => name) };
    const whole = withMergedCells(rows, await mergesOf(bytes, read.index));
    return { ok: true, sheet: { rows: whole, encoding: null, letters: null, sheets } };
  } catch {
    return refuse({ kind: 'damaged' });
  }
};
