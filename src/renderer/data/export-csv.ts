/**
 * Near misses and figures as CSV for spreadsheets: every cell quoted, and one that a spreadsheet would take for a formula made
 * plain text by a leading `'`, because descriptions and names come from anybody (OWASP, CSV injection). With a byte order mark, so
 * that Excel reads UTF-8.
 */
import Papa from 'papaparse';
import type { CustomFieldDefinition } from '../../contract/rest/catalog.ts';
import type { Deps } from './db.ts';
import {
  recordCells,
  recordColumns,
  type Cell,
  type Chosen,
  type TableHow,
  type TableWords,
} from './export-table.ts';
import { localMinute } from './local-day.ts';

/** As a spreadsheet shows it, never as it would calculate it. A number below zero is one, and calculates nothing. */
export const safeCell = (value: string): string =>
  /^[=+\-@\t\r\n]/.test(value) && !/^-\d+(\.\d+)?$/.test(value) ? `'${value}` : value;

const BOM = '\ufeff';
const lines = (rows: readonly (readonly string[])[]): string =>
  `${Papa.unparse(
    rows.map((row) => row.map(safeCell)),
    { quotes: true, newline: '\r\n' },
  )}\r\n`;

/** A whole file. */
export const csvOf = (rows: readonly (readonly string[])[]): string => BOM + lines(rows);

/** Moments as `2026-11-20 09:10`, days as `2026-11-20`: what every spreadsheet reads as a date, and sorts as text. */
const textIn = (cell: Cell): string => {
  if (typeof cell !== 'object') return String(cell);
  return 'day' in cell ? cell.day : localMinute(cell.at);
};

/** Rows are put together to so many before they are handed on. */
const PART = 200;

/** A CSV of near misses, piece by piece; `onRows` hears how many are in it. Throws an AbortError where it was cancelled. */
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
