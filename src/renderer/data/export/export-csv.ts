/**
 * Writes near misses and figures as CSV for spreadsheets. Every cell is quoted. A leading `'` neutralizes a cell that
 * a spreadsheet would run as a formula, because anyone can write a description or a name (OWASP, CSV injection). A
 * byte order mark makes Excel read UTF-8.
 */
import Papa from 'papaparse';
import type { CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import type { Deps } from '../db/db.ts';
import {
  recordCells,
  recordColumns,
  type Cell,
  type Chosen,
  type TableHow,
  type TableWords,
} from './export-table.ts';
import { localMinute } from '../model/local-day.ts';

/** Neutralizes a formula. A negative number is not a formula and stays. */
export const safeCell = (value: string): string =>
  /^[=+\-@\t\r\n＝＋－＠]/.test(value) && !/^-\d+(\.\d+)?$/.test(value) ? `'${value}` : value;

const BOM = '\ufeff';
const lines = (rows: readonly (readonly string[])[]): string =>
  `${Papa.unparse(
    rows.map((row) => row.map(safeCell)),
    { quotes: true, newline: '\r\n' },
  )}\r\n`;

export const csvOf = (rows: readonly (readonly string[])[]): string => BOM + lines(rows);

/** Moments as `2026-11-20 09:10` and days as `2026-11-20`: spreadsheets read both as dates, and both sort as text. */
const textIn = (cell: Cell): string => {
  if (typeof cell !== 'object') return String(cell);
  return 'day' in cell ? cell.day : localMinute(cell.at);
};

/** Rows per yielded chunk. */
const PART = 200;

/**
 * Yields a CSV of near misses in chunks. `onRows` receives the number of rows so far. Throws an AbortError when
 * cancelled.
 */
export async function* recordsCsv(
  deps: Pick<Deps, 'db'>,
  chosen: Chosen,
  say: TableWords,
  definitions: readonly CustomFieldDefinition[],
  how: TableHow = {},
): AsyncGenerator<string> {
  yield BOM + lines([recordColumns(say, definitions).map(({ head }) => head)]);
  let rows: string[][] = [];
  for await (const row of recordCells(deps, chosen, say, definitions, how)) {
    rows.push(row.map(textIn));
    if (rows.length < PART) continue;
    yield lines(rows);
    rows = [];
  }
  if (rows.length > 0) yield lines(rows);
}
