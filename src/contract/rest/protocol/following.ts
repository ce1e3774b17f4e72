/**
 * [ours] Following a list: reading only what changed (decisions §14). Every list sorts and filters by `updated_at`, whose order is
 * that of the commits. A reader's position is the `updated_at` and `id` of the last record that it has read.
 */
import { z } from 'zod';
import { answeredAs } from './answered.ts';
import { filtersOf } from './described.ts';
import { dateTime, id, ours, queryId } from './endpoint.ts';
import { pagingQuery } from './paging.ts';
import { dateRange } from './range.ts';

export const followSorts = ['updated_at', '-updated_at'] as const;

/** For records whose other responses lack `updated_at`: present only in lists that sort or filter by it. */
export const followedAt = answeredAs(dateTime.optional(), dateTime.optional().meta(ours));

/** A record that a reader of the list no longer sees (decisions §14.3). */
export const deletedRecord = z.object({ id, deleted_at: dateTime }).meta(ours);
export type DeletedRecord = z.infer<typeof deletedRecord>;

/** Rows of a list that shows deleted records on request. The app requests them only for near misses. */
export const rowsOrDeleted = <Row extends z.ZodType>(row: Row) =>
  answeredAs(z.array(z.union([row, deletedRecord])), z.array(row));

const isTrue = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((one) => one === 'true');

export const followFilters = { updated_at: dateRange.optional().meta(ours) };

/** The rest of a reader's position, and whether deleted records are shown. */
export const followParameters = {
  after_id: queryId.optional().meta(ours),
  include_deleted: isTrue.optional().meta(ours),
};

interface Followed {
  readonly sort?: string | undefined;
  readonly after_id?: number | undefined;
  readonly include_deleted?: boolean | undefined;
  readonly filters?: Readonly<Record<string, unknown>> | undefined;
  readonly incident_id?: number | undefined;
}

/**
 * Refuses parameters that would lose records: a position without a start, and deleted records beside other filters, because a
 * record that no longer matches them is not deleted.
 */
export const judgeFollowing = (query: Followed, context: z.RefinementCtx): void => {
  const { updated_at, ...others } = query.filters ?? {};
  const refuse = (name: string, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message, input: query });
  if (
    query.after_id !== undefined &&
    (query.sort !== 'updated_at' || !/^[^.]/.test(String(updated_at ?? '.')))
  )
    refuse('after_id', 'needs sort=updated_at and the start of filters[updated_at]');
  if (
    query.include_deleted === true &&
    (query.sort !== 'updated_at' ||
      query.incident_id !== undefined ||
      Object.values(others).some((value) => value !== undefined))
  )
    refuse('include_deleted', 'needs sort=updated_at, and no filter but filters[updated_at]');
};

const sort = z
  .enum(followSorts, `must be one of ${followSorts.join(', ')}`)
  .optional()
  .meta(ours);

/** The query of a list without other filters. @param more its further parameters */
export const followQuery = <More extends z.ZodRawShape>(more: More) =>
  z
    .object({
      ...more,
      ...pagingQuery,
      ...followParameters,
      sort,
      filters: filtersOf(followFilters).optional(),
    })
    .superRefine((query, context) => judgeFollowing(query as Followed, context));

export const followSort = sort;
