/** Lists of near misses: filters, orders, and where a page is looked for (decisions §2, §3.5). */
import {
  parseRange,
  type NearMiss,
  type NearMissListQuery,
  type NearMissSortField,
} from '../../contract/rest/near-misses.ts';
import * as lists from '../store/near-miss-lists.ts';
import type { FilesContext } from './context.ts';
import { viewNearMisses } from './near-misses.ts';
import { countedPageOf, sliceOf, type Page } from './page.ts';

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
  const first = sliceOf(query);
  const isLong =
    context.long !== context.db &&
    (await lists.looksAt(context.db, scope, filters, order, first)) > LOOKED_AT_MAX;
  const db = isLong ? context.long : context.db;
  return countedPageOf(query, {
    found: (slice) => lists.listNearMissIds(db, scope, filters, order, slice),
    rows: (ids) => lists.listNearMissesById(context.db, scope, ids),
    atOnce: isLong
      ? null
      : (slice) => lists.listNearMisses(context.db, scope, filters, order, slice),
    count: () => lists.countNearMisses(db, scope, filters),
    view: (rows) => viewNearMisses(context, rows),
  });
};
