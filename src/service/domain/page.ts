/** One page of a list, and how long the list is (decisions §2.1, §2.2). */
import type { Slice } from '../store/newest-first.ts';

/** As the query says: both from 1. */
export interface Paged {
  readonly page: number;
  readonly per_page: number;
}

export interface Page<T> {
  readonly data: T[];
  readonly total: number;
}

/** A page past the end is empty, and nothing is asked for it. */
export const pageOf = async <Row, View>(
  { page, per_page }: Paged,
  list: {
    readonly count: () => Promise<number>;
    readonly rows: (slice: Slice) => Promise<readonly Row[]>;
    readonly view: (rows: readonly Row[]) => View[] | Promise<View[]>;
  },
): Promise<Page<View>> => {
  const total = await list.count();
  const offset = (page - 1) * per_page;
  if (offset >= total) return { data: [], total };
  return { data: await list.view(await list.rows({ limit: per_page, offset })), total };
};
