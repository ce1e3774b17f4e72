/**
 * Full-text search for `filters[query]` (decisions §2.4). Both databases apply the same condition: the folded text contains the
 * search term. A trigram index narrows down the candidates. PostgreSQL maintains its index itself (postgres-search.ts); on
 * SQLite this file maintains and queries a full-text table. Terms of fewer than three letters scan every record of the project.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../engine/db.ts';
import { BORDER, containsPattern, foldOne } from '../engine/fold.ts';
import { isSqlite, jsonRows, written } from '../engine/bulk-sql.ts';
import { prepared } from '../engine/prepared.ts';

interface Indexed {
  readonly id: number;
  readonly project_id: number;
  readonly search: string;
}

/** A private use area of Unicode. Its characters encode the digits of a project id. */
const [FIRST, DIGITS] = [0xe000, 6400];

/**
 * Encodes a project as one trigram in front of each text, so that a search skips other projects. A forged trigram in a text
 * does no harm, because the query also checks the record's project.
 */
const markOf = (project_id: number): string =>
  [project_id, Math.floor(project_id / DIGITS), Math.floor(project_id / DIGITS / DIGITS)]
    .map((digit) => String.fromCharCode(FIRST + (digit % DIGITS)))
    .join('');

/** Maximum number of trigrams in a query. More would exclude few further records. */
const ASKED_MAX = 24;

const trigramsOf = (text: string): readonly string[] => {
  const letters = [...text];
  return [
    ...new Set(letters.slice(2).map((last, at) => `${letters[at]}${letters[at + 1]}${last}`)),
  ];
};

/** The query for the full-text table, or null if the text has no trigram. */
const matchOf = (project_id: number, text: string): string | null => {
  const trigrams = trigramsOf(text).slice(0, ASKED_MAX);
  if (trigrams.length === 0) return null;
  return [markOf(project_id), ...trigrams]
    .map((one) => `"${one.replaceAll('"', '""')}"`)
    .join(' AND ');
};

/**
 * A condition: the record `n` belongs to this project and contains the text. The unary plus stops SQLite from using an index by
 * project, so it starts from the matches of the full-text table.
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

/** Adds or replaces the texts of these records in the index. Only on SQLite. */
export const indexTexts = async (tx: Db, rows: readonly Indexed[]): Promise<void> => {
  if (rows.length === 0 || !isSqlite(tx)) return;
  const marked = rows.map(({ id, project_id, search }) => ({
    id,
    search: markOf(project_id) + BORDER + search,
  }));
  await index(tx, { rows: JSON.stringify(marked) });
};

/** Removes a record from the index. Only on SQLite. */
export const dropText = async (tx: Db, id: number): Promise<void> => {
  if (isSqlite(tx)) await sql`delete from near_miss_search where rowid = ${id}`.execute(tx);
};
