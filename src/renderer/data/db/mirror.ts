/**
 * Mirrors a server's list on this laptop. Writes each page as it arrives, except rows that were written here after
 * the page was requested. Deletes missing rows only after a full pass saw as many rows as the server counts: if the
 * list shifted during the pass, a missing row may only have been skipped.
 */
import type { Table } from 'dexie';
import { ok, type Result } from '../../../contract/problem.ts';
import { everyPage, type PageAsked } from '../../../contract/rest/protocol/every-page.ts';
import type { Paging } from '../../../contract/rest/protocol/paging.ts';
import type { Deps } from './db.ts';
import { writtenSince } from './written-since.ts';

const PAGE_SIZE = 1000;

interface Seen {
  readonly seen_at: number;
}

export interface List<Copy extends { readonly id: number }, Row extends Seen> {
  readonly table: Table;
  ask(
    query: PageAsked,
  ): Promise<Result<{ readonly data: readonly Copy[]; readonly paging: Paging | null }>>;
  /** Local rows that may match these copies. */
  known(copies: readonly Copy[]): Promise<readonly Row[]>;
  /** The id shared by a copy and its row; null for a row that the server does not have. */
  idOf(one: Copy): number | null;
  rowIdOf(row: Row): number | null;
  rowOf(copy: Copy, had: Row | undefined, seen_at: number): Row;
  /** Every local row that the server's list should contain. */
  held(): Promise<readonly Row[]>;
  /** Runs inside a transaction over `table` and `with`. */
  drop(rows: readonly Row[]): Promise<unknown>;
  /** Further tables that `drop` writes to. */
  readonly with?: readonly Table[];
}

const put = <Copy extends { readonly id: number }, Row extends Seen>(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  list: List<Copy, Row>,
  copies: readonly Copy[],
  asked_at: number,
): Promise<void> =>
  db.transaction('rw', list.table, async () => {
    const seen_at = clock.tick();
    const known = new Map((await list.known(copies)).map((row) => [list.rowIdOf(row), row]));
    const rows = copies.flatMap((copy) => {
      const had = known.get(list.idOf(copy));
      const older = had !== undefined && writtenSince(had.seen_at, asked_at, seen_at);
      return older ? [] : [list.rowOf(copy, had, seen_at)];
    });
    await list.table.bulkPut(rows);
  });

/** Brings the local list up to date. Returns the ids the server listed. */
export const mirror = async <Copy extends { readonly id: number }, Row extends Seen>(
  deps: Pick<Deps, 'db' | 'clock'>,
  list: List<Copy, Row>,
): Promise<Result<ReadonlySet<number>>> => {
  const { db, clock } = deps;
  const started_at = clock.tick();
  const counted = new Set<number>();
  const seen = new Set<number>();
  let asked_at = started_at;
  let whole = true;
  const pages = everyPage(PAGE_SIZE, (query) => {
    asked_at = clock.tick();
    return list.ask(query);
  });
  for await (const answer of pages) {
    if (!answer.ok) return answer;
    const { data, paging } = answer.value;
    for (const { id } of data) counted.add(id);
    const copies = data.filter((copy) => list.idOf(copy) !== null);
    await put(deps, list, copies, asked_at);
    for (const copy of copies) seen.add(list.idOf(copy) ?? 0);
    whole = paging === null || paging.total === counted.size;
  }
  if (!whole) return ok(seen);
  await db.transaction('rw', [list.table, ...(list.with ?? [])], async () => {
    const now = clock.tick();
    const gone = (await list.held()).filter((row) => {
      const id = list.rowIdOf(row);
      return id !== null && !seen.has(id) && !writtenSince(row.seen_at, started_at, now);
    });
    if (gone.length > 0) await list.drop(gone);
  });
  return ok(seen);
};
