/** Lists near misses: filters, sort orders, and the choice of the connection (decisions §2, §3.5). */
import { lookupFields } from '../../../contract/rest/near-miss-fields.ts';
import type { NearMiss, NearMissListQuery } from '../../../contract/rest/near-misses.ts';
import { parseRange } from '../../../contract/rest/protocol/range.ts';
import type { Following } from '../../store/engine/following.ts';
import * as lists from '../../store/near-misses/near-miss-lists.ts';
import { seesOwnOnly } from '../access/access.ts';
import type { FilesContext } from '../context.ts';
import { deletedView, followingOf } from '../following.ts';
import { wireTime } from './near-miss-view.ts';
import { photosOf, viewWithoutPhotos } from './near-misses.ts';
import { sliceOf, type Page, type ReadRow } from '../page.ts';

const readFilters = (query: NearMissListQuery): lists.Filters => {
  const { filters } = query;
  const range = filters?.created_at === undefined ? null : parseRange(filters.created_at);
  return {
    ids: lookupFields.flatMap((column) => {
      const asked = filters?.[column];
      return asked === undefined ? [] : [{ column, any_of: [asked].flat() }];
    }),
    created_from: range?.from ?? null,
    created_to: range?.to ?? null,
    text: filters?.query === undefined || filters.query === '' ? null : filters.query,
    changed: filters?.updated_at === undefined ? null : followingOf(query),
  };
};

const readSort = (sort: NearMissListQuery['sort']): lists.Order | null => {
  if (sort === undefined) return null;
  const descending = sort.startsWith('-');
  return { field: (descending ? sort.slice(1) : sort) as lists.Order['field'], descending };
};

/** Maximum records for a query on the main thread, which blocks other requests for some milliseconds. */
const LOOKED_AT_MAX = 5_000;

const readRows = async (
  context: FilesContext,
  scope: lists.Scope,
  ids: readonly number[],
): Promise<readonly ReadRow[]> => {
  const rows = await lists.readNearMisses(context.db, scope, ids);
  const views = await viewWithoutPhotos(context, rows);
  return rows.map((row, index) => ({
    id: row.id,
    version: row.version,
    updated_at: row.updated_at,
    names_version: row.names_version,
    view: views[index] as NearMiss,
  }));
};

/**
 * Shows every row with the time that its page was ordered by. A row that has changed since would otherwise move its reader beyond
 * changes in between (decisions §14.1); it comes again with its new time.
 */
const asOrdered = (found: readonly lists.Found[], rows: readonly ReadRow[]): readonly ReadRow[] => {
  const times = new Map(found.map(([id, , updated_at]) => [id, updated_at]));
  return rows.map((row) => {
    const updated_at = times.get(row.id) ?? row.updated_at;
    return row.updated_at === updated_at
      ? row
      : {
          ...row,
          version: lists.STALE,
          updated_at,
          view: { ...row.view, updated_at: wireTime(updated_at) },
        };
  });
};

/** Lists the changes of the active and the recycled records, and those that are no longer visible (decisions §14.3). */
const listChanges = async (
  context: FilesContext,
  query: NearMissListQuery,
  followed: Following,
): Promise<Page<NearMiss>> => {
  const { db, company_id, project_id, user_id } = context;
  const own = seesOwnOnly(context.access);
  const scope = { company_id, project_id, user_id, own, recycled: null };
  const { found, gone, names_version, total } = await lists.findChanges(
    db,
    scope,
    followed,
    sliceOf(query),
  );
  const buried = new Map(
    found
      .filter(([id]) => gone.has(id))
      .map(([id, version, updated_at]) => [
        id,
        { id, version, updated_at, names_version, view: deletedView({ id, at: updated_at }) },
      ]),
  );
  const read = async (ids: readonly number[]): Promise<readonly ReadRow[]> => [
    ...ids.flatMap((id) => buried.get(id) ?? []),
    ...asOrdered(
      found,
      await readRows(
        context,
        scope,
        ids.filter((id) => !gone.has(id)),
      ),
    ),
  ];
  return {
    data: [],
    total: total ?? 0,
    rows: {
      found,
      names_version,
      read,
      beside: { field: 'attachments', of: (ids) => photosOf(context, ids) },
    },
  };
};

/** Lists active records or the recycle bin (decisions §2, §3.5). */
export const listNearMisses = async (
  context: FilesContext,
  query: NearMissListQuery,
  recycled: boolean,
): Promise<Page<NearMiss>> => {
  const { company_id, project_id, user_id } = context;
  const followed = query.include_deleted === true ? followingOf(query) : null;
  if (followed !== null) return listChanges(context, query, followed);
  const own = seesOwnOnly(context.access);
  const scope = { company_id, project_id, user_id, recycled, own, incident_id: query.incident_id };
  const filters = readFilters(query);
  const order = readSort(query.sort);
  const slice = sliceOf(query);
  const { db } = context;
  const isLong =
    context.long !== db && (await lists.looksAt(db, scope, filters, order, slice)) > LOOKED_AT_MAX;
  const from = isLong ? context.long : db;
  const page = await lists.findNearMisses(from, db, scope, filters, order, slice);
  return {
    data: [],
    total:
      page.total ?? (slice.offset === 0 ? 0 : await lists.countNearMisses(from, scope, filters)),
    rows: {
      ...page,
      read: async (ids) => {
        const rows = await readRows(context, scope, ids);
        return order?.field === 'updated_at' ? asOrdered(page.found, rows) : rows;
      },
      beside: { field: 'attachments', of: (ids) => photosOf(context, ids) },
    },
  };
};
