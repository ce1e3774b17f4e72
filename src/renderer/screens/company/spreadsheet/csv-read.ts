/**
 * Reads a CSV file into rows of text. Accepts files of spreadsheets of every age: with or without a byte order mark, in UTF-8,
 * UTF-16, Windows-1252 or Windows-1250, with commas, semicolons or tabs. An ambiguous file is refused with the row number; a guess could change
 * a value. Pure.
 */
import Papa from 'papaparse';
import { lettersOf, type OldEncoding } from './old-encoding.ts';
import {
  type Sheet,
  SHEET_MAX_BYTES,
  SHEET_MAX_COLUMNS,
  SHEET_MAX_ROWS,
  type SheetRead,
  type SheetRefusal,
} from './spreadsheet.ts';

/** Detects UTF-16, also without a byte order mark: every second byte of a table's first characters is 0. */
const utf16Of = ([a, b, c, d]: Uint8Array): 'utf-16le' | 'utf-16be' | null => {
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a && c && b === 0 && d === 0) return 'utf-16le';
  return b && d && a === 0 && c === 0 ? 'utf-16be' : null;
};

const decode = (
  bytes: Uint8Array,
  chosen?: OldEncoding,
): Pick<Sheet, 'encoding' | 'letters'> & { readonly text: string } => {
  const utf16 = utf16Of(bytes);
  if (utf16 !== null)
    return { encoding: 'utf-16', letters: null, text: new TextDecoder(utf16).decode(bytes) };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { encoding: 'utf-8', letters: null, text };
  } catch {
    const letters = lettersOf(bytes, chosen);
    const encoding = letters?.encoding ?? 'windows-1252';
    return { encoding, letters, text: new TextDecoder(encoding).decode(bytes) };
  }
};

/**
 * Picks the separator with the highest score: the number of first lines that agree on its count, times that count, outside
 * quotation marks.
 */
const separatorOf = (text: string): string => {
  const lines = text
    .slice(0, 100_000)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 20)
    .map((line) => line.replaceAll(/"[^"]*"/g, ''));
  const score = (mark: string): number => {
    const counts = Map.groupBy(lines, (line) => line.split(mark).length - 1);
    return Math.max(...[...counts].map(([marks, agreeing]) => marks * agreeing.length));
  };
  return [',', ';', '\t', '|'].toSorted((a, b) => score(b) - score(a))[0] ?? ',';
};

const refuse = (refusal: SheetRefusal): SheetRead => ({ ok: false, refusal });

/** @param chosen the encoding that a person chose for a file that is not Unicode */
export const readCsv = (bytes: Uint8Array, chosen?: OldEncoding): SheetRead => {
  if (bytes.length > SHEET_MAX_BYTES) return refuse({ kind: 'too_big' });
  const { encoding, letters, text: decoded } = decode(bytes, chosen);
  // Excel may declare the separator in the first line.
  const lines = decoded.replaceAll(/\r\n?/g, '\n');
  const declared = /^sep=(.)\n/i.exec(lines);
  const text = declared ? lines.slice(declared[0].length) : lines;
  if (text.trim() === '') return refuse({ kind: 'empty' });
  // Workbooks, PDFs and pictures contain control characters that no table has.
  if (/[\u0000-\u0008\u000e-\u001a]/.test(text)) return refuse({ kind: 'not_text' });
  const parsed = Papa.parse<string[]>(text, {
    delimiter: declared?.[1] ?? separatorOf(text),
    newline: '\n',
    skipEmptyLines: false,
  });
  const first = declared ? 2 : 1;
  const broken = parsed.errors.find(({ type }) => type === 'Quotes');
  if (broken) return refuse({ kind: 'quotes', row: (broken.row ?? 0) + first });
  const rows = parsed.data
    .map((cells, at) => ({ row: at + first, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  if (rows.length < 2) return refuse({ kind: 'no_rows' });
  if (rows.length > SHEET_MAX_ROWS + 1) return refuse({ kind: 'too_many' });
  if (rows.some(({ cells }) => cells.length > SHEET_MAX_COLUMNS))
    return refuse({ kind: 'too_wide' });
  return { ok: true, sheet: { rows, encoding, letters, sheets: null } };
};
