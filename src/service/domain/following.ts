/** [ours] Pages of lists that a reader follows (decisions §14). */
import type { DeletedRecord } from '../../contract/rest/protocol/following.ts';
import { parseRange } from '../../contract/rest/protocol/range.ts';
import type { Followed, Following } from '../store/engine/following.ts';
import type { Slice } from '../store/engine/newest-first.ts';
import { wireTime } from './near-misses/near-miss-view.ts';
import { sliceOf, type Page, type Paged } from './page.ts';

export interface FollowQuery extends Paged {
  readonly sort?: string | undefined;
  readonly after_id?: number | undefined;
  readonly include_deleted?: boolean | undefined;
  readonly filters?: { readonly updated_at?: string | undefined } | undefined;
}

const sorts = new Map([
  ['updated_at', false],
  ['-updated_at', true],
]);

/** Null if the query neither sorts nor filters by `updated_at`. */
export const followingOf = (query: FollowQuery): Following | null => {
  const { sort = '', after_id = null, include_deleted = false, filters } = query;
  const range = filters?.updated_at === undefined ? null : parseRange(filters.updated_at);
  const descending = sorts.get(sort) ?? null;
  if (range === null && descending === null) return null;
  return {
    from: range?.from ?? null,
    to: range?.to ?? null,
    after_id,
    descending,
    deleted: include_deleted,
  };
};

export const deletedView = ({ id, at }: Pick<Followed, 'id' | 'at'>): DeletedRecord => ({
  id,
  deleted_at: wireTime(at),
});

/** A page of a list without long records. */
export const followedPage = async <Row extends { readonly id: number }, View extends object>(
  query: Paged,
  list: {
    readonly count: () => Promise<number>;
    readonly page: (slice: Slice) => Promise<readonly Followed[]>;
    /** Reads these rows, in any order. */
    readonly rows: (ids: readonly number[]) => Promise<readonly Row[]>;
    readonly view: (rows: readonly Row[]) => readonly View[] | Promise<readonly View[]>;
  },
): Promise<Page<View>> => {
  const total = await list.count();
  const slice = sliceOf(query);
  if (slice.offset >= total) return { data: [], total };
  const found = await list.page(slice);
  const ids = found.filter(({ gone }) => gone === 0).map(({ id }) => id);
  const rows = ids.length === 0 ? [] : await list.rows(ids);
  const views = await list.view(rows);
  const byId = new Map(rows.map(({ id }, index) => [id, views[index]]));
  const data = found.flatMap((one) => {
    if (one.gone === 1) return [deletedView(one) as unknown as View];
    const view = byId.get(one.id);
    return view === undefined ? [] : [{ ...view, updated_at: wireTime(one.at) }];
  });
  return { data, total };
};
