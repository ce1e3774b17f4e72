/**
 * How `filters[query]` is looked for among many records (decisions §2.4). The condition is the same on both databases: the folded text contains what is
 * searched for. An index of trigrams, the three letters at each place of a text, leaves few records to try it on: PostgreSQL
 * has one of its own (postgres-search.ts); SQLite's is a full-text table that this file writes with the records and asks.
 * What is searched for with fewer than three letters is tried on every record of the project.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from './db.ts';
import { BORDER, containsPattern, foldOne } from './fold.ts';
import { isSqlite, jsonRows, written } from './many.ts';
import { prepared } from './prepared.ts';

/** What the index knows of a record. */
interface Indexed {
  readonly id: number;
  readonly project_id: number;
  readonly search: string;
}

/** The private use area, whose characters stand in for the digits of a project's id. */
const [FIRST, DIGITS] = [0xe000, 6400];

/**
 * A project as one trigram of its own, before the text of each of its records: a search reads no other project's. Who writes such
 * letters into a text gains nothing by it: the project is asked of the record, too.
 */
const markOf = (project_id: number): string =>
  [project_id, Math.floor(project_id / DIGITS), Math.floor(project_id / DIGITS / DIGITS)]
    .map((digit) => String.fromCharCode(FIRST + (digit % DIGITS)))
    .join('');

/** Trigrams that are looked for: more would leave hardly a record out. */
const ASKED_MAX = 24;

const trigramsOf = (text: string): readonly string[] => {
  const letters = [...text];
  return [
    ...new Set(letters.slice(2).map((last, at) => `${letters[at]}${letters[at + 1]}${last}`)),
  ];
};

/** What the full-text table is asked; null where there is no trigram to ask for. */
const matchOf = (project_id: number, text: string): string | null => {
  const trigrams = trigramsOf(text).slice(0, ASKED_MAX);
  if (trigrams.length === 0) return null;
  return [markOf(project_id), ...trigrams]
    .map((one) => `"${one.replaceAll('"', '""')}"`)
    .join(' AND ');
};

/**
 * For `where`: the record `n` is of this project and contains the text. The plus keeps SQLite from its indexes by project: it goes from what the
 * full-text table finds to these records by their keys.
 */
export const contains = (db: Db, project_id: number, text: string): RawBuilder<boolean> => {
  const found = sql<boolean>`n.search like ${containsPattern(text)} escape '\\'`;
  const match = isSqlite(db) ? matchOf(project_id, foldOne(text)) : null;
  if (match === null) return sql<boolean>`n.project_id = ${project_id} and ${found}`;
  return sql<boolean>`+n.project_id = ${project_id} and n.id in (
    select s.rowid from near_miss_search s where s.near_miss_search match ${match}) and ${found}`;
};

const index = prepared((tx: Db, { rows }: { readonly rows: string }) =>
  written(
    tx,
    sql`insert or replace into near_miss_search (rowid, search)
      select r.id, r.search from ${jsonRows(tx, rows, { id: 'bigint', search: 'text' })}`,
  ),
);

/** Takes new texts into the index, each instead of what it had of the same record. */
export const indexTexts = async (tx: Db, rows: readonly Indexed[]): Promise<void> => {
  if (rows.length === 0 || !isSqlite(tx)) return;
  const marked = rows.map(({ id, project_id, search }) => ({
    id,
    search: markOf(project_id) + BORDER + search,
  }));
  await index(tx, { rows: JSON.stringify(marked) });
};
