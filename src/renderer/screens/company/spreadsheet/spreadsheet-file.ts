/** Reads a chosen spreadsheet in a worker. Returns its rows, or the sentence that says why it was refused. */
import { askWorker } from '../../../photos/work.ts';
import { words } from '../../../words/company-words.ts';
import {
  type ReadAs,
  type Sheet,
  SHEET_MAX_BYTES,
  SHEET_MAX_COLUMNS,
  SHEET_MAX_ROWS,
  type SheetRead,
  type SheetRefusal,
} from './spreadsheet.ts';
import type { ReadJob } from './spreadsheet-worker.ts';

/** In milliseconds; a file of the largest size takes a second. */
const READ_WITHIN = 30_000;

const startReader = () =>
  new Worker(new URL('./spreadsheet-worker.ts', import.meta.url), {
    type: 'module',
    name: 'spreadsheet',
  });

const refusalText = (why: SheetRefusal): string => {
  const t = words.insurances.csv.refused;
  switch (why.kind) {
    case 'too_many':
      return t.too_many(SHEET_MAX_ROWS);
    case 'too_wide':
      return t.too_wide(SHEET_MAX_COLUMNS);
    case 'too_big':
      return t.too_big(SHEET_MAX_BYTES / 1024 / 1024);
    case 'quotes':
      return t.quotes(why.row);
    default:
      return t[why.kind];
  }
};

export type SpreadsheetFile =
  | { readonly sheet: Sheet; readonly refusal: null }
  | { readonly sheet: null; readonly refusal: string };

export const readSpreadsheet = async (chosen: File, as: ReadAs = {}): Promise<SpreadsheetFile> => {
  const refused = (refusal: string): SpreadsheetFile => ({ sheet: null, refusal });
  if (chosen.size > SHEET_MAX_BYTES) return refused(refusalText({ kind: 'too_big' }));
  try {
    const bytes = new Uint8Array(await chosen.arrayBuffer());
    const read = await askWorker<ReadJob, SheetRead>(startReader, { bytes, as }, READ_WITHIN);
    if (read === null) return refused(words.insurances.csv.refused.stopped);
    return read.ok ? { sheet: read.sheet, refusal: null } : refused(refusalText(read.refusal));
  } catch {
    return refused(words.insurances.csv.refused.unreadable);
  }
};
