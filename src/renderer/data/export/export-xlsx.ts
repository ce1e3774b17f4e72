/**
 * Writes near misses and figures as an Excel workbook with typed cells. A text stays a text whatever it begins with,
 * because the file has no formulas. A number is a number only if Excel keeps every digit. A moment is a date that
 * sorts. Rows are streamed, so 100,000 need no more memory than 200. The module is loaded on first use.
 */
import { writeXlsxStream } from 'hucre/xlsx';
import type { CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import type { Deps } from '../db/db.ts';
import {
  recordCells,
  recordColumns,
  type Cell,
  type Chosen,
  type Column,
  type TableHow,
  type TableWords,
} from './export-table.ts';

/** Excel's limit: it reports a file with a longer cell as damaged. */
const CELL_MAX = 32_767;
/** Excel replaces further digits with zeros. */
const DIGITS_MAX = 15;
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const MOMENT = 'yyyy-mm-dd hh:mm';
const DAY = 'yyyy-mm-dd';

/** Escapes a literal `_x0041_`, which Excel would decode to "A". */
const textCell = (text: string): string => {
  const lines = text.replaceAll('\r\n', '\n').replace(/[\uFFFE\uFFFF]/g, '');
  const short = lines.length > CELL_MAX ? `${lines.slice(0, CELL_MAX - 1)}…` : lines;
  return short.toWellFormed().replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_');
};

/** Excel dates have no time zone, so this writes the local day and time. */
const serialOf = (at: number): Date => new Date(at - new Date(at).getTimezoneOffset() * 60_000);

export const cellOf = (cell: Cell): string | number | boolean | Date | null => {
  if (cell === '') return null;
  if (typeof cell === 'string') return textCell(cell);
  if (typeof cell === 'boolean') return cell;
  if (typeof cell === 'object') return 'day' in cell ? new Date(cell.day) : serialOf(cell.at);
  const digits = String(Math.abs(cell)).replace(/[.]|e.*/g, '').length;
  return Number.isFinite(cell) && digits <= DIGITS_MAX ? cell : String(cell);
};

/** Column width limit, in characters. A longer description is cut in view only. */
const WIDE = 60;
const widthOf = (head: string): number => Math.min(WIDE, Math.max(12, head.length + 2));

interface Shown {
  readonly width: number;
  readonly format?: string;
}

const sheetOf = (
  name: string,
  columns: readonly (Shown & { readonly head: string })[],
  rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>,
): Promise<Blob> => {
  const cells = (async function* () {
    for await (const row of rows) yield row.map(cellOf);
  })();
  const stream = writeXlsxStream(cells, {
    name,
    columns: columns.map(({ head, width, format }) => ({
      header: textCell(head),
      width,
      ...(format === undefined ? {} : { numFmt: format }),
    })),
    freezePane: { rows: 1 },
  });
  return new Response(stream, { headers: { 'content-type': TYPE } }).blob();
};

const shown = ({ head, holds }: Column): Shown => {
  switch (holds) {
    case 'moment':
      return { width: 18, format: MOMENT };
    case 'day':
      return { width: 12, format: DAY };
    case 'long':
      return { width: WIDE };
    case 'plain':
      return { width: widthOf(head) };
  }
};

/** A workbook of near misses. Throws an AbortError when cancelled. */
export const recordsXlsx = (
  deps: Pick<Deps, 'db'>,
  chosen: Chosen,
  say: TableWords,
  definitions: readonly CustomFieldDefinition[],
  how: TableHow & { readonly sheet: string },
): Promise<Blob> =>
  sheetOf(
    how.sheet,
    recordColumns(say, definitions).map((one) => ({ head: one.head, ...shown(one) })),
    recordCells(deps, chosen, say, definitions, how),
  );

export const figuresXlsx = (
  sheet: string,
  heads: readonly string[],
  rows: readonly (readonly Cell[])[],
): Promise<Blob> =>
  sheetOf(
    sheet,
    heads.map((head, at) => ({ head, width: at < 2 ? 36 : 16 })),
    rows,
  );
