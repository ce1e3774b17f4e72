/**
 * Pure: the rows of a spreadsheet as an import of the company's own data takes them (decisions §11.5), what is wrong with them by
 * line, and what the server says is wrong, in the same words. A cell is a text: here it becomes what its field is; an empty one says
 * nothing. All rows are imported or none.
 */
import { IMPORT_MAX } from '../../../../contract/rest/company-records.ts';
import { importRow, type ImportKind } from '../../../../contract/rest/import-kinds.ts';
import { bareWord, cellValue } from '../../../../contract/import-cells.ts';
import { nameField } from '../../../data/company/company-record-rows.ts';
import type { OwnDataFields } from '../../../entries/company/company-record.ts';
import { words } from '../../../words/wing-words.ts';
import type { CsvTable } from '../csv-read.ts';
import { type DayOrder, readDay } from '../days.ts';

/** Most letters of one file as it waits: a line of the journal takes no more. */
export const ROWS_MAX = 3 * 1024 * 1024;

/** Each says which record a row means, beside its name. */
const KEYS = ['id', 'number', 'origin_id'] as const;

/** The columns that a file of this kind may have, in order. */
export const columnsOf = (of: ImportKind): readonly string[] => Object.keys(importRow(of).shape);

const columnName = (field: string): string => {
  const names: Readonly<Record<string, string>> = words.own_data.columns;
  return names[field] ?? field.replaceAll('_', ' ');
};

/** Which field each column is, by its name in the API or as this window calls it; null: none. No field stands for two columns. */
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

/** A day, with its time or without, of this laptop's clock, as a moment; what says its zone stays as it is. */
const momentOf = (text: string, order: DayOrder | null): string => {
  const read = readDay(text, order);
  if ('wrong' in read) return text;
  const [, time = read.rest === '' ? '00:00' : null] =
    /^[ T](\d\d:\d\d(?::\d\d)?)$/.exec(read.rest) ?? [];
  const at = new Date(`${read.day}T${time ?? ''}`);
  return Number.isNaN(at.getTime()) ? text : at.toISOString();
};

export interface BadCell {
  /** Of the file, counted from 1 with its heading. */
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

/** What the contract and the service say of a field, in the words of this window. */
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

/** The cells of a file that say a day. */
export const dayCells = (
  { rows }: CsvTable,
  columns: readonly (string | null)[],
): readonly string[] => {
  const at = columns.indexOf('event_date');
  return at < 0 ? [] : rows.map(({ cells }) => cells[at] ?? '');
};

/** The rows of a file, and what can be told to be wrong with them without asking the server. */
export const readRows = (
  of: ImportKind,
  table: CsvTable,
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
    if (cells.slice(columns.length).some((cell) => cell !== ''))
      bad.push({ line, column: columnName('row'), why: t.wrong.cells });
    const row = Object.fromEntries(said);
    const read = schema.safeParse(row);
    const told = new Set<string>();
    for (const { path, message } of read.success ? [] : read.error.issues) {
      const field = String(path[0] ?? 'row');
      if (told.has(field)) continue;
      told.add(field);
      bad.push({ line, column: columnName(field), why: say(message, lines) });
    }
    const names_one = [...KEYS, nameField(of)].some((field) => field in row);
    if (!names_one) bad.push({ line, column: columnName(nameField(of)), why: t.wrong.required });
    return row;
  });
  return { lines, rows, bad };
};

/** What the server says of the rows (`rows.3.name`), by line. */
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

/** Why a file is not imported at all; null where its rows may be. */
export const refusalOf = (
  of: ImportKind,
  columns: readonly (string | null)[],
  { rows }: FileRead,
): string | null => {
  const name = nameField(of);
  const known = [name, ...KEYS].some((field) => columns.includes(field));
  if (!known) return t.refused.no_name(columnName(name));
  if (rows.length > IMPORT_MAX) return t.refused.too_many(rows.length, IMPORT_MAX);
  return JSON.stringify(rows).length > ROWS_MAX ? t.refused.too_long : null;
};

/** A file to fill in: the columns as its heading, with a byte order mark, so that every spreadsheet reads accents. */
export const templateOf = (of: ImportKind): string => {
  const heading = columnsOf(of).filter((field) => field !== 'id');
  return `\ufeff${heading.map((field) => `"${columnName(field)}"`).join(',')}\r\n`;
};
