/** Reads a CSV file that a person chose, in a thread of its own: what it holds, or the sentence that says why not. */
import { askWorker } from '../../photos/work.ts';
import { words } from '../../words/wing-words.ts';
import {
  CSV_MAX_BYTES,
  CSV_MAX_ROWS,
  type CsvRead,
  type CsvRefusal,
  type CsvTable,
} from './csv-read.ts';

/** A file of the largest size takes a second, milliseconds. */
const READ_WITHIN = 30_000;

const startReader = () =>
  new Worker(new URL('./csv-worker.ts', import.meta.url), { type: 'module', name: 'csv' });

const csvRefusal = (why: CsvRefusal): string => {
  const t = words.insurances.csv.refused;
  switch (why.kind) {
    case 'too_many':
      return t.too_many(why.rows, CSV_MAX_ROWS);
    case 'too_big':
      return t.too_big(CSV_MAX_BYTES / 1024 / 1024);
    case 'quotes':
      return t.quotes(why.row);
    case 'twice':
      return t.twice(why.column);
    default:
      return t[why.kind];
  }
};

export type CsvFile =
  | { readonly table: CsvTable; readonly refusal: null }
  | { readonly table: null; readonly refusal: string };

export const readCsvFile = async (chosen: File): Promise<CsvFile> => {
  const refused = (refusal: string): CsvFile => ({ table: null, refusal });
  if (chosen.size > CSV_MAX_BYTES) return refused(csvRefusal({ kind: 'too_big' }));
  try {
    const bytes = new Uint8Array(await chosen.arrayBuffer());
    const read = await askWorker<Uint8Array, CsvRead>(startReader, bytes, READ_WITHIN);
    if (read === null) return refused(words.insurances.csv.refused.stopped);
    return read.ok ? { table: read.table, refusal: null } : refused(csvRefusal(read.refusal));
  } catch {
    return refused(words.insurances.csv.refused.unreadable);
  }
};
