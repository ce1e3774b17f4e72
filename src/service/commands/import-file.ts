/**
 * Reads the rows of a CSV or JSON file in batches, so that a long CSV or `.jsonl` file needs little memory. A row's
 * place is its line, or its index in a JSON list. Cells of a spreadsheet are texts and are converted to the type of
 * their field.
 */
import { createReadStream } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { cellValue } from '../../contract/import-cells.ts';
import { importRow, type ImportKind } from '../../contract/rest/import-kinds.ts';
import type { ImportRow } from '../domain/import-rows.ts';

/** The file cannot be parsed. The message is for the person who made it. */
export class UnreadableFile extends Error {}

const BATCH = 500;
/** A JSON list is read as a whole; a longer one has to be `.jsonl`, with one object per line. */
const JSON_MAX = 64 * 1024 * 1024;
/** Row limit in bytes: after an unclosed quote the rest of the file would become one cell. */
const ROW_MAX = 1024 * 1024;
/** Maximum length of the first line, in bytes. */
const HEAD_MAX = 64 * 1024;

async function* inBatches(
  rows: AsyncIterable<ImportRow> | Iterable<ImportRow>,
): AsyncGenerator<readonly ImportRow[]> {
  let batch: ImportRow[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const notUtf8 = (): UnreadableFile =>
  new UnreadableFile('The file is not UTF-8. Save it as "CSV UTF-8", then import it again.');

/** The decoded text in chunks. @throws {UnreadableFile} */
async function* textOf(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (bytes?: Uint8Array): string => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch {
      throw notUtf8();
    }
  };
  for await (const bytes of createReadStream(path)) yield decode(bytes as Uint8Array);
  yield decode();
}

/** `Origin ID` -> `origin_id` */
const fieldOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');

/** @throws {UnreadableFile} for a column that no record of the kind has */
const readHeadings = (kind: ImportKind, cells: readonly string[]): readonly string[] => {
  const known = Object.keys(importRow(kind).shape);
  const fields = cells.map(fieldOf);
  for (const [index, field] of fields.entries()) {
    if (!known.includes(field))
      throw new UnreadableFile(
        `line 1: "${(cells[index] ?? '').slice(0, 60)}" is no column of ${kind}. There are: ${known.join(', ')}.`,
      );
    if (fields.indexOf(field) < index)
      throw new UnreadableFile(`line 1: the column ${field} is there twice.`);
  }
  return fields;
};

/** One row of a spreadsheet; skips empty cells. */
const recordOf = (fields: readonly string[], cells: readonly string[]): unknown => {
  const said = cells.flatMap((cell, index) => {
    const [field, text] = [fields[index] ?? `cell_${index + 1}`, cell.trim()];
    return text === '' ? [] : [[field, cellValue(field, text)]];
  });
  return Object.fromEntries(said) as unknown;
};

/** Detects the delimiter in the first line, because spreadsheets use the one of their locale. */
const delimiterOf = async (path: string): Promise<string> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_MAX), 0, HEAD_MAX, 0);
    const head = buffer.toString('utf8', 0, bytesRead).split(/[\r\n]/, 1)[0] ?? '';
    const count = (delimiter: string): number => head.split(delimiter).length;
    return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best));
  } finally {
    await file.close();
  }
};

const lineBreaksIn = (cells: readonly string[]): number =>
  cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);

async function* csvRows(kind: ImportKind, path: string): AsyncGenerator<ImportRow> {
  const parser = parse({
    delimiter: await delimiterOf(path),
    bom: true,
    max_record_size: ROW_MAX,
    relax_column_count: true,
  });
  const text = Readable.from(textOf(path));
  text.on('error', (error) => parser.destroy(error)).pipe(parser);
  let fields: readonly string[] | null = null;
  // Counted here, because the parser counts CR LF inside a text as two lines.
  let line = 1;
  try {
    for await (const cells of parser as AsyncIterable<readonly string[]>) {
      if (!fields) fields = readHeadings(kind, cells);
      else if (cells.some((cell) => cell.trim() !== ''))
        yield { place: `line ${line}`, value: recordOf(fields, cells) };
      line += 1 + lineBreaksIn(cells);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new UnreadableFile(
      `line ${line}: the row cannot be read. Is a quote not closed, or not doubled inside a text?`,
    );
  } finally {
    text.destroy();
  }
  if (!fields) throw new UnreadableFile('The file is empty: its first line names the columns.');
}

const readJson = (text: string, where: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UnreadableFile(`${where}: this is not valid JSON.`);
  }
};

async function* jsonLines(path: string): AsyncGenerator<ImportRow> {
  const lines = createInterface({ input: Readable.from(textOf(path)), crlfDelay: Infinity });
  let line = 0;
  for await (const text of lines) {
    line += 1;
    if (text.trim() !== '') yield { place: `line ${line}`, value: readJson(text, `line ${line}`) };
  }
}

async function* jsonList(path: string): AsyncGenerator<ImportRow> {
  if ((await stat(path)).size > JSON_MAX)
    throw new UnreadableFile(
      'The list is longer than 64 MiB: write one object in each line instead, in a file named .jsonl.',
    );
  const bytes = await readFile(path);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw notUtf8();
  }
  const list = readJson(text, 'The file');
  if (!Array.isArray(list)) throw new UnreadableFile('The file is not a JSON list of objects.');
  for (const [index, value] of list.entries()) yield { place: `element ${index + 1}`, value };
}

/**
 * Chooses the format by file extension: `.json` is a list, `.jsonl` or `.ndjson` has one object per line, everything
 * else is CSV.
 */
export const rowsOfFile = (
  kind: ImportKind,
  path: string,
): AsyncGenerator<readonly ImportRow[]> => {
  if (/\.(jsonl|ndjson)$/i.test(path)) return inBatches(jsonLines(path));
  return inBatches(/\.json$/i.test(path) ? jsonList(path) : csvRows(kind, path));
};
