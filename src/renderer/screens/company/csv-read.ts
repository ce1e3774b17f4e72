/**
 * Pure: a CSV file from bytes to rows of text. Files come from spreadsheets of every age: with or without a byte
 * order mark, in UTF-8, UTF-16 or Windows-1252, with commas, semicolons or tabs. What cannot be told for sure is refused with
 * the row it stands in; nothing is guessed that would change a value.
 */
import Papa from 'papaparse';

export const CSV_MAX_BYTES = 20 * 1024 * 1024;
export const CSV_MAX_ROWS = 20_000;

/** Why a file is not read at all. `row` counts from 1 with the heading. */
export type CsvRefusal =
  | { readonly kind: 'empty' | 'no_rows' | 'not_text' | 'too_big' }
  | { readonly kind: 'too_many'; readonly rows: number }
  | { readonly kind: 'quotes'; readonly row: number }
  | { readonly kind: 'twice'; readonly column: string };

export interface CsvTable {
  readonly heading: readonly string[];
  readonly rows: readonly {
    /** Of the file, counted from 1 with the heading; empty lines count. */
    readonly row: number;
    readonly cells: readonly string[];
  }[];
  readonly encoding: 'utf-8' | 'utf-16' | 'windows-1252';
}

export type CsvRead =
  | { readonly ok: true; readonly table: CsvTable }
  | { readonly ok: false; readonly refusal: CsvRefusal };

const decode = (bytes: Uint8Array): Pick<CsvTable, 'encoding'> & { readonly text: string } => {
  const [a, b] = bytes;
  if (a === 0xff && b === 0xfe)
    return { encoding: 'utf-16', text: new TextDecoder('utf-16le').decode(bytes) };
  if (a === 0xfe && b === 0xff)
    return { encoding: 'utf-16', text: new TextDecoder('utf-16be').decode(bytes) };
  try {
    return { encoding: 'utf-8', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { encoding: 'windows-1252', text: new TextDecoder('windows-1252').decode(bytes) };
  }
};

/** What stands most often in the heading, outside quotation marks. */
const separatorOf = (text: string): string => {
  const heading = (text.split('\n').find((line) => line.trim() !== '') ?? '').replaceAll(
    /"[^"]*"/g,
    '',
  );
  const times = (mark: string): number => heading.split(mark).length;
  return [',', ';', '\t', '|'].toSorted((a, b) => times(b) - times(a))[0] ?? ',';
};

const refuse = (refusal: CsvRefusal): CsvRead => ({ ok: false, refusal });

export const readCsv = (bytes: Uint8Array): CsvRead => {
  if (bytes.length > CSV_MAX_BYTES) return refuse({ kind: 'too_big' });
  const { encoding, text: decoded } = decode(bytes);
  // Excel may say in a first line what its separator is.
  const lines = decoded.replaceAll(/\r\n?/g, '\n');
  const declared = /^sep=(.)\n/i.exec(lines);
  const text = declared ? lines.slice(declared[0].length) : lines;
  if (text.trim() === '') return refuse({ kind: 'empty' });
  // A workbook, a PDF, a picture: their bytes have control characters that no table has.
  if (/[\u0000-\u0008\u000e-\u001a]/.test(text)) return refuse({ kind: 'not_text' });
  const parsed = Papa.parse<string[]>(text, {
    delimiter: declared?.[1] ?? separatorOf(text),
    newline: '\n',
    skipEmptyLines: false,
  });
  const first = declared ? 2 : 1;
  const broken = parsed.errors.find(({ type }) => type === 'Quotes');
  if (broken) return refuse({ kind: 'quotes', row: (broken.row ?? 0) + first });
  const all = parsed.data.map((cells, at) => ({
    row: at + first,
    cells: cells.map((cell) => cell.trim()),
  }));
  const at = all.findIndex(({ cells }) => cells.some((cell) => cell !== ''));
  const heading = all[at]?.cells ?? [];
  const rows = all.slice(at + 1).filter(({ cells }) => cells.some((cell) => cell !== ''));
  if (rows.length === 0) return refuse({ kind: 'no_rows' });
  if (rows.length > CSV_MAX_ROWS) return refuse({ kind: 'too_many', rows: rows.length });
  const names = heading.map((name) => name.toLowerCase()).filter(Boolean);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return refuse({ kind: 'twice', column: twice });
  return { ok: true, table: { heading, rows, encoding } };
};
