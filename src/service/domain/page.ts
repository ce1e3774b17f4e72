/**
 * One page of a list, and how long the list is (decisions §2.1, §2.2). A long page of large records is more than may be in memory
 * at once: its ids are found first, so that it is one moment's list, and its rows are read in parts while they are sent.
 */
import type { Slice } from '../store/newest-first.ts';

/** As the query says: both from 1. */
export interface Paged {
  readonly page: number;
  readonly per_page: number;
}

export interface Page<T> {
  readonly data: T[];
  readonly total: number;
  /** Instead of `data`, which is empty then: the page in order, a part at a time. */
  readonly parts?: AsyncIterable<readonly T[]>;
}

/** Rows that are read and written out together. */
const PART = 100;

interface ById<Row> {
  readonly ids: (slice: Slice) => Promise<readonly number[]>;
  /** Those that are still there, in any order. */
  readonly rows: (ids: readonly number[]) => Promise<readonly (Row & { readonly id: number })[]>;
}

async function* inParts<Row, View>(
  ids: readonly number[],
  { rows }: ById<Row>,
  view: (rows: readonly Row[]) => View[] | Promise<View[]>,
): AsyncGenerator<readonly View[]> {
  for (let at = 0; at < ids.length; at += PART) {
    const wanted = ids.slice(at, at + PART);
    const found = new Map((await rows(wanted)).map((row) => [row.id, row]));
    yield await view(wanted.flatMap((id) => found.get(id) ?? []));
  }
}

/** A page past the end is empty, and nothing is asked for it. */
export const pageOf = async <Row, View>(
  { page, per_page }: Paged,
  list: {
    readonly count: () => Promise<number>;
    readonly rows: (slice: Slice) => Promise<readonly Row[]>;
    readonly view: (rows: readonly Row[]) => View[] | Promise<View[]>;
    /** For records that may be large. */
    readonly byId?: ById<Row>;
  },
): Promise<Page<View>> => {
  const total = await list.count();
  const offset = (page - 1) * per_page;
  if (offset >= total) return { data: [], total };
  const slice = { limit: per_page, offset };
  if (!list.byId || Math.min(per_page, total - offset) <= PART)
    return { data: await list.view(await list.rows(slice)), total };
  const parts = inParts(await list.byId.ids(slice), list.byId, list.view);
  return { data: [], total, parts };
};
