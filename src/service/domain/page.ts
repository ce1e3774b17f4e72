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

/** No list is as long as the largest number that a database takes as an offset. */
export const sliceOf = ({ page, per_page }: Paged): Slice => ({
  limit: per_page,
  offset: Math.min((page - 1) * per_page, Number.MAX_SAFE_INTEGER),
});

export interface Page<T> {
  readonly data: T[];
  readonly total: number;
  /** Instead of `data`, which is empty then: the page in order, a part at a time. */
  readonly parts?: AsyncIterable<readonly T[]>;
  /** The same, of rows that are written out one by one. */
  readonly rows?: RowPage;
}

/** Rows that are read and written out together. */
export const PART = 100;

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

/** A row of a page: whatever it shows but `beside` is as it was while version, moment and the version of its names are. */
export type FoundRow = readonly [id: number, version: number, updated_at: number, beside: number];

/** A row as it is read, and of what state. */
export interface ReadRow {
  readonly id: number;
  readonly version: number;
  readonly updated_at: number;
  readonly names_version: number;
  readonly view: object;
}

/** A page of rows whose texts may be kept from one answer to the next (http/row-texts.ts). */
export interface RowPage {
  readonly found: readonly FoundRow[];
  readonly names_version: number;
  /** The rows of these ids that are still there, in any order. */
  readonly read: (ids: readonly number[]) => Promise<readonly ReadRow[]>;
  /** What is made anew for each answer, of rows that have `beside` something: the last field of a row, empty in its view. */
  readonly beside: {
    readonly field: string;
    readonly of: (ids: readonly number[]) => Promise<ReadonlyMap<number, readonly unknown[]>>;
  };
}
