/**
 * One page of a list and the list's total (decisions §2.1, §2.2). A long page of large records would not fit in memory. Its ids
 * are therefore read first, as a snapshot of the list, and its rows are read in parts while they are sent.
 */
import type { Slice } from '../store/engine/newest-first.ts';

/** Page number and page size, both from 1. */
export interface Paged {
  readonly page: number;
  readonly per_page: number;
}

/** Clamps the offset to the largest safe integer; no list is that long. */
export const sliceOf = ({ page, per_page }: Paged): Slice => ({
  limit: per_page,
  offset: Math.min((page - 1) * per_page, Number.MAX_SAFE_INTEGER),
});

export interface Page<T> {
  readonly data: T[];
  readonly total: number;
  /** Replaces `data` (then empty): the page in order, one part at a time. */
  readonly parts?: AsyncIterable<readonly T[]>;
  /** Replaces `data` (then empty): rows that are serialized one by one. */
  readonly rows?: RowPage;
}

/** Number of rows that are read and serialized together. */
export const PART = 100;

/** Reads rows by id, in any order. Deleted rows are missing. */
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

/** Reads one page. A page past the end is empty, and its rows are not queried. */
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

/** A row of a page. Its content, apart from the `beside` field, stays the same while version, time and names version do. */
export type FoundRow = readonly [id: number, version: number, updated_at: number, beside: number];

/** A row and the state that it was read in. */
export interface ReadRow {
  readonly id: number;
  readonly version: number;
  readonly updated_at: number;
  readonly names_version: number;
  readonly view: object;
}

/** A page of rows; their texts may be cached between responses (http/row-texts.ts). */
export interface RowPage {
  readonly found: readonly FoundRow[];
  readonly names_version: number;
  /** Reads these rows, in any order. Deleted rows are missing. */
  readonly read: (ids: readonly number[]) => Promise<readonly ReadRow[]>;
  /**
   * A field that is rendered for each response, for rows with a positive `beside` count. It must be the last field of the
   * view, and empty there.
   */
  readonly beside: {
    readonly field: string;
    readonly of: (ids: readonly number[]) => Promise<ReadonlyMap<number, readonly unknown[]>>;
  };
}
