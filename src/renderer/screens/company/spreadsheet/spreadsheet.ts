/**
 * Splits a spreadsheet's rows into a heading and records. Real lists begin with a title, repeat headings and end with totals,
 * none of which may become a record. A person may choose the heading row. Pure.
 */
import type { Letters, OldEncoding } from './old-encoding.ts';

export const SHEET_MAX_BYTES = 20 * 1024 * 1024;
export const SHEET_MAX_ROWS = 20_000;
export const SHEET_MAX_COLUMNS = 256;
/** Number of non-empty rows in which the heading is searched. */
const HEADING_WITHIN = 20;

/** Why a file is refused. `row` counts from 1, as in the spreadsheet program. */
export type SheetRefusal =
  | {
      readonly kind:
        | 'empty'
        | 'no_rows'
        | 'not_text'
        | 'old_excel'
        | 'damaged'
        | 'too_big'
        | 'too_big_unpacked'
        | 'too_many'
        | 'too_wide';
    }
  | { readonly kind: 'quotes'; readonly row: number };

export interface SheetRow {
  /** Row number as in the spreadsheet program: from 1, counting empty rows. */
  readonly row: number;
  /** Trimmed. Dates are `2026-12-31` or `2026-12-31 08:15`. */
  readonly cells: readonly string[];
}

/** The non-empty rows of one sheet. */
export interface Sheet {
  readonly rows: readonly SheetRow[];
  /** Encoding of a CSV file; null for a workbook. */
  readonly encoding: 'utf-8' | 'utf-16' | OldEncoding | null;
  /** For a CSV file in an old encoding with letters that depend on it. */
  readonly letters: Letters | null;
  /** For a workbook with several sheets that have rows: their names, and the name of the sheet that was read. */
  readonly sheets: { readonly read: string; readonly names: readonly string[] } | null;
}

/** Choices of a person in the preview. Absent ones keep what Spotter detected. */
export interface ReadAs {
  readonly sheet?: string;
  readonly encoding?: OldEncoding;
}

export type SheetRead =
  | { readonly ok: true; readonly sheet: Sheet }
  | { readonly ok: false; readonly refusal: SheetRefusal };

export interface SheetTable {
  readonly heading: readonly string[];
  readonly heading_row: number;
  readonly rows: readonly SheetRow[];
  /** Row numbers of totals, which are not records. */
  readonly totals: readonly number[];
}

const filled = (cells: readonly string[]): number => cells.filter((cell) => cell !== '').length;

export const headingRows = ({ rows }: Sheet): readonly SheetRow[] => rows.slice(0, HEADING_WITHIN);

/**
 * Number of the most likely heading row: the first with the most known names, else with the most cells.
 * @param known counts the cells that name a field
 */
export const findHeading = (sheet: Sheet, known: (cells: readonly string[]) => number): number => {
  const rows = headingRows(sheet);
  const best = (score: (cells: readonly string[]) => number): SheetRow | undefined => {
    const most = Math.max(0, ...rows.map(({ cells }) => score(cells)));
    return most === 0 ? undefined : rows.find(({ cells }) => score(cells) === most);
  };
  return (best(known) ?? best(filled))?.row ?? 1;
};

const TOTAL = /^(?:grand |sub-?)?totals?(?: general)?:?$|^sumas?:?$/i;
const NUMBER = /^[-+(]?[^\d\p{L}]{0,3}\d[\d.,\s]*[^\d\p{L}]{0,3}$/u;

/** True for `Total` followed only by numbers. A company called Total has a policy number or a date beside it. */
const isTotals = (cells: readonly string[]): boolean => {
  const [first = '', ...rest] = cells.filter((cell) => cell !== '');
  return TOTAL.test(first) && rest.length > 0 && rest.every((cell) => NUMBER.test(cell));
};

/** The table below a heading. Headings repeated on each page are skipped. */
export const tableOf = ({ rows }: Sheet, heading_row: number): SheetTable => {
  const heading = rows.find(({ row }) => row === heading_row)?.cells ?? [];
  const repeated = (cells: readonly string[]): boolean =>
    filled(cells) > 1 &&
    cells.length === heading.length &&
    cells.every((c, at) => c === heading[at]);
  const below = rows.filter(({ row, cells }) => row > heading_row && !repeated(cells));
  return {
    heading,
    heading_row,
    rows: below.filter(({ cells }) => !isTotals(cells)),
    totals: below.filter(({ cells }) => isTotals(cells)).map(({ row }) => row),
  };
};

/** `0` is A, `25` Z, `26` AA. */
export const columnLetter = (at: number): string =>
  (at < 26 ? '' : columnLetter(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26));

/** The kind of damage if Excel has replaced a cell's value; null if the value is intact. */
export const spoiledBy = (text: string): 'cut_number' | 'cell_error' | null => {
  if (/^[-+]?\d(?:[.,]\d+)?E\+\d+$/i.test(text)) return 'cut_number';
  return /^#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|#+)$/.test(text)
    ? 'cell_error'
    : null;
};
