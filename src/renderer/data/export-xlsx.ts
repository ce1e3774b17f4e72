/**
 * Near misses and figures as an Excel workbook. A cell is what it is: a text stays a text, whatever it begins with (there are no
 * formulas in the file), a number is a number only where Excel keeps every digit of it, a moment is a date that sorts. Written row
 * by row as it is read, so that a hundred thousand need no more memory than two hundred. Loaded when it is used.
 */
import { writeXlsxStream } from 'hucre/xlsx';
import type { CustomFieldDefinition } from '../../contract/rest/catalog.ts';
import type { Deps } from './db.ts';
import {
  recordCells,
  recordColumns,
  type Cell,
  type Chosen,
  type Column,
  type TableHow,
  type TableWords,
} from './export-table.ts';

/** Excel's own: more in one cell and it calls the file damaged. */
const CELL_MAX = 32_767;
/** Beyond these Excel puts zeros. */
const DIGITS_MAX = 15;
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const MOMENT = 'yyyy-mm-dd hh:mm';
const DAY = 'yyyy-mm-dd';

/** As it was written: `_x0041_` is an A to Excel, unless its first sign is one of these itself. */
const textCell = (text: string): string => {
  const lines = text.replaceAll('\r\n', '\n').replace(/[\uFFFE\uFFFF]/g, '');
  const short = lines.length > CELL_MAX ? `${lines.slice(0, CELL_MAX - 1)}…` : lines;
  return short.toWellFormed().replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_');
};

/** A table's dates have no zone: this computer's day and clock, as its people read them. */
const serialOf = (at: number): Date => new Date(at - new Date(at).getTimezoneOffset() * 60_000);

export const cellOf = (cell: Cell): string | number | boolean | Date | null => {
  if (cell === '') return null;
  if (typeof cell === 'string') return textCell(cell);
  if (typeof cell === 'boolean') return cell;
  if (typeof cell === 'object') return 'day' in cell ? new Date(cell.day) : serialOf(cell.at);
  const digits = String(Math.abs(cell)).replace(/[.]|e.*/g, '').length;
  return Number.isFinite(cell) && digits <= DIGITS_MAX ? cell : String(cell);
};

/** Wide enough to read; a description is cut in sight and whole in its cell. */
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

/** A workbook of near misses; throws an AbortError where it was cancelled. */
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

/** A workbook of figures. */
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
