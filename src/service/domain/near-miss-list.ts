/** Lists of near misses: filters, orders, and where a page is looked for (decisions §2, §3.5). */
import {
  parseRange,
  type NearMiss,
  type NearMissListQuery,
  type NearMissSortField,
} from '../../contract/rest/near-misses.ts';
import * as lists from '../store/near-miss-lists.ts';
import type { FilesContext } from './context.ts';
import { photosOf, viewWithoutPhotos } from './near-misses.ts';
import { sliceOf, type Page, type ReadRow } from './page.ts';

const idFilters = [
  'affected_company_id',
  'affected_party_id',
  'affected_person_id',
  'harm_source_id',
  'work_activity_id',
] as const;

const readFilters = (filters: NearMissListQuery['filters']): lists.Filters => {
  const range = filters?.created_at === undefined ? null : parseRange(filters.created_at);
  const equipment = filters?.managed_equipment_id;
  return {
    ids: [
      ...idFilters.flatMap((column) => {
        const any_of = filters?.[column];
        return any_of === undefined ? [] : [{ column, any_of }];
      }),
      ...(equipment === undefined
        ? []
        : [{ column: 'managed_equipment_id' as const, any_of: [equipment] }]),
    ],
    created_from: range?.from ?? null,
    created_to: range?.to ?? null,
    text: filters?.query === undefined || filters.query === '' ? null : filters.query,
  };
};

const readSort = (sort: NearMissListQuery['sort']): lists.Order | null => {
  if (sort === undefined) return null;
  const descending = sort.startsWith('-');
  return { field: (descending ? sort.slice(1) : sort) as NearMissSortField, descending };
};

/** Records that are looked at while others wait for it: some milliseconds. */
const LOOKED_AT_MAX = 5_000;

/** Active records, or those in the recycle bin (decisions §2, §3.5). */
export const listNearMisses = async (
  context: FilesContext,
  query: NearMissListQuery,
  recycled: boolean,
): Promise<Page<NearMiss>> => {
  const { company_id, project_id, user_id } = context;
  const scope = { company_id, project_id, user_id, recycled, incident_id: query.incident_id };
  const filters = readFilters(query.filters);
  const order = readSort(query.sort);
  const slice = sliceOf(query);
  const { db } = context;
  const isLong =
    context.long !== db && (await lists.looksAt(db, scope, filters, order, slice)) > LOOKED_AT_MAX;
  const from = isLong ? context.long : db;
  const page = await lists.findNearMisses(from, db, scope, filters, order, slice);
  const read = async (ids: readonly number[]): Promise<readonly ReadRow[]> => {
    const rows = await lists.readNearMisses(db, scope, ids);
    const views = await viewWithoutPhotos(context, rows);
    return rows.map((row, index) => ({
      id: row.id,
      version: row.version,
      updated_at: row.updated_at,
      names_version: row.names_version,
      view: views[index] as NearMiss,
    }));
  };
  return {
    data: [],
    total:
      page.total ?? (slice.offset === 0 ? 0 : await lists.countNearMisses(from, scope, filters)),
    rows: {
      ...page,
      read,
      beside: { field: 'attachments', of: (ids) => photosOf(context, ids) },
    },
  };
};
