/**
 * Converts spreadsheet rows for an import of company data (decisions §11.5) and reports errors by line, with the same words for
 * local and server errors. Each cell becomes the value of its field; an empty cell is absent. All rows are imported or none.
 * Pure.
 */
import { IMPORT_MAX } from '../../../../contract/rest/company-records.ts';
import { importRow, type ImportKind } from '../../../../contract/rest/import-kinds.ts';
import { bareWord, cellValue } from '../../../../contract/import-cells.ts';
import { nameField } from '../../../data/company/company-record-rows.ts';
import type { OwnDataFields } from '../../../operations/company/company-record.ts';
import { words } from '../../../words/company-words.ts';
import { type DayOrder, readDay, readTime } from '../days.ts';
import { columnLetter, type SheetTable, spoiledBy } from '../spreadsheet/spreadsheet.ts';

/** Maximum characters of one file in the queue, limited by the size of a journal line. */
const ROWS_MAX = 3 * 1024 * 1024;

/** Fields besides the name that choose a record. */
const KEYS = ['id', 'number', 'origin_id'] as const;

/** Columns that a file of this kind may have, in order. */
const columnsOf = (of: ImportKind): readonly string[] => Object.keys(importRow(of).shape);

const columnName = (field: string): string => {
  const names: Readonly<Record<string, string>> = words.own_data.columns;
  return names[field] ?? field.replaceAll('_', ' ');
};

/** The field of each column, by its API name or its name in this window; null: none. Each field is used once. */
export const matchColumns = (
  of: ImportKind,
  heading: readonly string[],
): readonly (string | null)[] => {
  const free = new Set(columnsOf(of));
  return heading.map((title) => {
    const field = [...free].find((one) =>
      [one, columnName(one)].map(bareWord).includes(bareWord(title)),
    );
    if (field === undefined || bareWord(title) === '') return null;
    free.delete(field);
    return field;
  });
};

/** Columns that are not imported: unknown ones by title, duplicates of an earlier column by letter and title. */
export const leftOut = (
  of: ImportKind,
  heading: readonly string[],
  columns: readonly (string | null)[],
): { readonly unknown: readonly string[]; readonly equal: readonly string[] } => {
  const left = heading.flatMap((title, at) =>
    title === '' || columns[at] !== null
      ? []
      : [{ title, at, equal: matchColumns(of, [title])[0] !== null }],
  );
  const column = words.insurances.csv.column;
  return {
    unknown: left.filter(({ equal }) => !equal).map(({ title }) => title),
    equal: left
      .filter(({ equal }) => equal)
      .map(({ title, at }) => column(columnLetter(at), title)),
  };
};

/** Converts a day, with or without a time, from this laptop's zone to a timestamp. Text with a zone stays unchanged. */
const momentOf = (text: string, order: DayOrder | null): string => {
  const read = readDay(text, order);
  if ('wrong' in read) return text;
  const at = new Date(`${read.day}T${readTime(read.rest) ?? ''}`);
  return Number.isNaN(at.getTime()) ? text : at.toISOString();
};

export interface BadCell {
  /** Line of the file, counted from 1 including the heading. */
  readonly line: number;
  readonly column: string;
  readonly why: string;
}

export interface FileRead {
  readonly lines: readonly number[];
  readonly rows: readonly OwnDataFields[];
  readonly bad: readonly BadCell[];
}

const t = words.own_data.csv;

/** Translates error messages of the contract and the service into the window's words. */
const sayings: readonly (readonly [
  RegExp,
  (found: RegExpExecArray, lines: readonly number[]) => string,
])[] = [
  [/^must not be empty/, () => t.wrong.empty],
  [/^must have at most|Too big: expected string/, () => t.wrong.too_long],
  [/^is required/, () => t.wrong.required],
  [/^is that of another record/, () => t.wrong.taken],
  [/^cannot be changed/, () => t.wrong.fixed],
  [/^does not exist in this company/, () => t.wrong.unknown],
  [/^not found/, () => t.wrong.not_found],
  [/^is that of several records/, () => t.wrong.several],
  [
    /^means the same record as rows\.(\d+)/,
    ([, at = ''], lines) => t.wrong.same(lines[Number(at)] ?? 0),
  ],
  [/^are for a select only/, () => t.wrong.choices],
  [/^must name the choices/, () => t.wrong.no_choices],
  [/^is of another project/, () => t.wrong.other_project],
  [/^must not name a choice twice/, () => t.wrong.twice],
  [/^must be one of/, () => t.wrong.data_type],
  [/^must be open or closed/, () => t.wrong.status],
  [/ISO datetime|^must be a date and time/, () => t.wrong.date],
  [/^do not all exist/, () => t.wrong.unknown],
  [/^would hide it/, () => t.wrong.hidden],
  [/expected boolean/, () => t.wrong.flag],
  [
    /expected (number|int)|Too small: expected number|^must be (more than|at least|at most)/,
    () => t.wrong.number,
  ],
];

const say = (message: string, lines: readonly number[]): string => {
  for (const [pattern, words_for] of sayings) {
    const found = pattern.exec(message);
    if (found) return words_for(found, lines);
  }
  return message;
};

export const dayCells = (
  { rows }: SheetTable,
  columns: readonly (string | null)[],
): readonly string[] => {
  const at = columns.indexOf('event_date');
  return at < 0 ? [] : rows.map(({ cells }) => cells[at] ?? '');
};

/** Reads the rows of a file, and finds the errors that need no server. */
export const readRows = (
  of: ImportKind,
  table: SheetTable,
  columns: readonly (string | null)[],
  order: DayOrder | null,
): FileRead => {
  const schema = importRow(of);
  const lines = table.rows.map(({ row }) => row);
  const bad: BadCell[] = [];
  const moment = (text: string): string => momentOf(text, order);
  const rows = table.rows.map(({ row: line, cells }): OwnDataFields => {
    const said = columns.flatMap((field, at) => {
      const text = cells[at] ?? '';
      return field === null || text === ''
        ? []
        : [[field, cellValue(field, text, moment)] as const];
    });
    const spoiled = columns.flatMap((field, at): BadCell[] => {
      const by = field === null ? null : spoiledBy(cells[at] ?? '');
      return by === null ? [] : [{ line, column: columnName(field ?? ''), why: t.wrong[by] }];
    });
    bad.push(...spoiled);
    if (cells.slice(columns.length).some((cell) => cell !== ''))
      bad.push({ line, column: columnName('row'), why: t.wrong.cells });
    const row = Object.fromEntries(said);
    const read = schema.safeParse(row);
    const told = new Set(spoiled.map(({ column }) => column));
    for (const { path, message } of read.success ? [] : read.error.issues) {
      const column = columnName(String(path[0] ?? 'row'));
      if (told.has(column)) continue;
      told.add(column);
      bad.push({ line, column, why: say(message, lines) });
    }
    const names_one = [...KEYS, nameField(of)].some((field) => field in row);
    if (!names_one) bad.push({ line, column: columnName(nameField(of)), why: t.wrong.required });
    return row;
  });
  return { lines, rows, bad };
};

/** Converts the server's errors (`rows.3.name`) to lines of the file. */
export const badByServer = (
  errors: Readonly<Record<string, readonly string[]>>,
  lines: readonly number[],
): readonly BadCell[] =>
  Object.entries(errors).flatMap(([place, messages]) => {
    const [, at = '', field = 'row'] = /^rows\.(\d+)\.([^.]+)/.exec(place) ?? [];
    const line = lines[Number(at)];
    if (line === undefined) return [];
    return [{ line, column: columnName(field), why: say(messages[0] ?? '', lines) }];
  });

/** Why the whole file is refused; null if its rows may be imported. */
export const refusalOf = (
  of: ImportKind,
  columns: readonly (string | null)[],
  { rows }: FileRead,
): string | null => {
  const name = nameField(of);
  const known = [name, ...KEYS].some((field) => columns.includes(field));
  if (!known) return t.refused.no_name(columnName(name));
  if (rows.length === 0) return words.insurances.csv.refused.no_rows;
  if (rows.length > IMPORT_MAX) return t.refused.too_many(rows.length, IMPORT_MAX);
  return JSON.stringify(rows).length > ROWS_MAX ? t.refused.too_long : null;
};

/** An empty template with the columns as heading. The byte order mark makes every spreadsheet program read accents. */
export const templateOf = (of: ImportKind): string => {
  const heading = columnsOf(of).filter((field) => field !== 'id');
  return `\ufeff${heading.map((field) => `"${columnName(field)}"`).join(',')}\r\n`;
};
