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

export const sliceOf = ({ page, per_page }: Paged): Slice => ({
  limit: per_page,
  offset: (page - 1) * per_page,
});

export interface Page<T> {
  readonly data: T[];
  readonly total: number;
  /** Instead of `data`, which is empty then: the page in order, a part at a time. */
  readonly parts?: AsyncIterable<readonly T[]>;
}

/** Rows that are read and written out together. */
const PART = 100;

/** Rows by their ids: those that are still there, in any order. */
type RowsOf<Row> = (ids: readonly number[]) => Promise<readonly (Row & { readonly id: number })[]>;

type ViewOf<Row, View> = (rows: readonly Row[]) => View[] | Promise<View[]>;

interface ById<Row> {
  readonly ids: (slice: Slice) => Promise<readonly number[]>;
  readonly rows: RowsOf<Row>;
}

const partOf = async <Row, View>(
  ids: readonly number[],
  rows: RowsOf<Row>,
  view: ViewOf<Row, View>,
): Promise<View[]> => {
  const found = new Map((await rows(ids)).map((row) => [row.id, row]));
  return view(ids.flatMap((id) => found.get(id) ?? []));
};

async function* inParts<Row, View>(
  ids: readonly number[],
  rows: RowsOf<Row>,
  view: ViewOf<Row, View>,
): AsyncGenerator<readonly View[]> {
  for (let at = 0; at < ids.length; at += PART)
    yield await partOf(ids.slice(at, at + PART), rows, view);
}

/** A page past the end is empty, and nothing is asked for it. */
export const pageOf = async <Row, View>(
  { page, per_page }: Paged,
  list: {
    readonly count: () => Promise<number>;
    readonly rows: (slice: Slice) => Promise<readonly Row[]>;
    readonly view: ViewOf<Row, View>;
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
  const parts = inParts(await list.byId.ids(slice), list.byId.rows, list.view);
  return { data: [], total, parts };
};

/** One of a page, that also says how many there are on all pages. */
interface Found {
  readonly id: number;
  readonly total: number;
}

/** A list that is looked through once, for a page and for how long the list is. */
interface Counted<Row, View> {
  readonly found: (slice: Slice) => Promise<readonly Found[]>;
  readonly rows: RowsOf<Row>;
  /** Both in one, where that is as good. */
  readonly atOnce: ((slice: Slice) => Promise<readonly (Row & Found)[]>) | null;
  /** Asked where a page has no row that could say it. */
  readonly count: () => Promise<number>;
  readonly view: ViewOf<Row, View>;
}

export const countedPageOf = async <Row, View>(
  { page, per_page }: Paged,
  { found, rows, atOnce, count, view }: Counted<Row, View>,
): Promise<Page<View>> => {
  const slice = sliceOf({ page, per_page });
  const totalOf = async (first: Found | undefined) =>
    first?.total ?? (slice.offset === 0 ? 0 : await count());
  if (atOnce && per_page <= PART) {
    const all = await atOnce(slice);
    return { data: await view(all), total: await totalOf(all[0]) };
  }
  const all = await found(slice);
  const ids = all.map(({ id }) => id);
  const total = await totalOf(all[0]);
  if (ids.length <= PART)
    return { data: ids.length === 0 ? [] : await partOf(ids, rows, view), total };
  return { data: [], total, parts: inParts(ids, rows, view) };
};
