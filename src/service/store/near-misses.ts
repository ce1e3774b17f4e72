/** Near misses in SQL: one joined select for every answer, and the writes. Rules are domain/near-misses.ts's. */
import { sql, type SelectQueryBuilder } from 'kysely';
import type { NearMissSortField } from '../../contract/rest/near-misses.ts';
import type { Db } from './db.ts';
import { containsPattern } from './fold.ts';
import { countOf, type Slice } from './newest-first.ts';
import { prepared } from './prepared.ts';
import type { Database } from './schema.ts';

/** The columns of a near miss that point into a lookup table, and that table. */
export const foreignColumns = {
  affected_company_id: 'affected_companies',
  affected_party_id: 'parties',
  affected_person_id: 'people',
  harm_source_id: 'harm_sources',
  work_activity_id: 'work_activities',
  managed_equipment_id: 'managed_equipment',
} as const;
export type ForeignColumn = keyof typeof foreignColumns;

/** Where to look: one project's active records, or its recycle bin. */
export interface Scope {
  readonly company_id: number;
  readonly project_id: number;
  readonly recycled: boolean;
  readonly incident_id?: number | undefined;
}

/** `filters[…]` after parsing: ids match any of the list, moments are milliseconds and inclusive. */
export interface Filters {
  readonly ids: readonly { readonly column: ForeignColumn; readonly any_of: readonly number[] }[];
  readonly created_from: number | null;
  readonly created_to: number | null;
  readonly text: string | null;
}

export interface Order {
  readonly field: NearMissSortField;
  readonly descending: boolean;
}

/** A filtered query, before anybody says which columns it wants. */
const matching = (db: Db, scope: Scope, filters: Filters) => {
  let query = db
    .selectFrom('near_misses as n')
    .where('n.company_id', '=', scope.company_id)
    .where('n.project_id', '=', scope.project_id)
    .where('n.deleted_at', scope.recycled ? 'is not' : 'is', null);
  if (scope.incident_id !== undefined) query = query.where('n.incident_id', '=', scope.incident_id);
  if (filters.created_from !== null)
    query = query.where('n.created_at', '>=', filters.created_from);
  if (filters.created_to !== null) query = query.where('n.created_at', '<=', filters.created_to);
  for (const { column, any_of } of filters.ids)
    query = query.where(`n.${column}`, 'in', [...any_of]);
  if (filters.text !== null)
    query = query.where(sql<boolean>`n.search like ${containsPattern(filters.text)} escape '\\'`);
  return query;
};

type Matching = SelectQueryBuilder<Database & { n: Database['near_misses'] }, 'n', object>;

/** Everything an answer shows of the tables that a record points into. */
const joined = (query: Matching) =>
  query
    .innerJoin('incidents as i', (on) =>
      on.onRef('i.company_id', '=', 'n.company_id').onRef('i.id', '=', 'n.incident_id'),
    )
    .leftJoin('users as u', 'u.id', 'i.created_by')
    .leftJoin('affected_companies as ac', (on) =>
      on.onRef('ac.company_id', '=', 'n.company_id').onRef('ac.id', '=', 'n.affected_company_id'),
    )
    .leftJoin('parties as pa', (on) =>
      on.onRef('pa.company_id', '=', 'n.company_id').onRef('pa.id', '=', 'n.affected_party_id'),
    )
    .leftJoin('people as pe', (on) =>
      on.onRef('pe.company_id', '=', 'n.company_id').onRef('pe.id', '=', 'n.affected_person_id'),
    )
    .leftJoin('harm_sources as h', (on) =>
      on.onRef('h.company_id', '=', 'n.company_id').onRef('h.id', '=', 'n.harm_source_id'),
    )
    .leftJoin('work_activities as w', (on) =>
      on.onRef('w.company_id', '=', 'n.company_id').onRef('w.id', '=', 'n.work_activity_id'),
    )
    .leftJoin('managed_equipment as m', (on) =>
      on.onRef('m.company_id', '=', 'n.company_id').onRef('m.id', '=', 'n.managed_equipment_id'),
    );

const withColumns = (query: ReturnType<typeof joined>) =>
  query.select([
    'n.id',
    'n.number',
    'n.incident_id',
    'n.recordable',
    'n.created_at',
    'n.updated_at',
    'n.deleted_at',
    'n.version',
    'n.attachment_count',
    'n.custom_fields',
    'n.description',
    'n.description_plain_text',
    'n.affected_company_id',
    'n.affected_party_id',
    'n.affected_person_id',
    'n.harm_source_id',
    'n.work_activity_id',
    'n.managed_equipment_id',
    'i.number as incident_number',
    'i.title as incident_title',
    'i.private as incident_private',
    'u.id as creator_id',
    'u.name as creator_name',
    'u.login as creator_login',
    'ac.name as affected_company_name',
    'pa.name as affected_party_name',
    'pe.name as affected_person_name',
    'pe.login as affected_person_login',
    'h.name as harm_source_name',
    'h.active as harm_source_active',
    'h.global as harm_source_global',
    'h.created_at as harm_source_created_at',
    'h.updated_at as harm_source_updated_at',
    'w.name as work_activity_name',
    'w.active as work_activity_active',
    'w.global as work_activity_global',
    'w.created_at as work_activity_created_at',
    'w.updated_at as work_activity_updated_at',
    'm.name as managed_equipment_name',
  ]);

export type NearMissRow = Awaited<ReturnType<ReturnType<typeof withColumns>['execute']>>[number];

/** What a sort compares; `name`: of the one table that it needs beside the records. */
const sorts = {
  affected_company: { name: ['affected_companies', 'ac', 'affected_company_id'] },
  affected_person: { name: ['people', 'pe', 'affected_person_id'] },
  created_at: { columns: ['n.created_at'] },
  managed_equipment: { name: ['managed_equipment', 'm', 'managed_equipment_id'] },
  full_number: { columns: ['i.number', 'n.number'] },
  harm_source: { name: ['harm_sources', 'h', 'harm_source_id'] },
  number: { columns: ['n.number'] },
  work_activity: { name: ['work_activities', 'w', 'work_activity_id'] },
} as const satisfies Record<NearMissSortField, object>;

type Joined = ReturnType<typeof joined>;
type JoinedDatabase = Joined extends SelectQueryBuilder<infer D, infer _T, infer _O> ? D : never;
type JoinedTables = Joined extends SelectQueryBuilder<infer _D, infer T, infer _O> ? T : never;

/** Nulls last in both directions, ties by id (decisions §2.3). No order: newest first, then the higher id. */
const ordered = <O>(
  query: SelectQueryBuilder<JoinedDatabase, JoinedTables, O>,
  order: Order | null,
) => {
  if (!order) return query.orderBy('n.created_at', 'desc').orderBy('n.id', 'desc');
  const sort = sorts[order.field];
  const direction = order.descending ? 'desc' : 'asc';
  let sorted = query;
  if ('name' in sort) {
    const name = `${sort.name[1]}.name_folded` as const;
    sorted = sorted
      .orderBy(sql`case when ${sql.ref(name)} is null then 1 else 0 end`)
      .orderBy(name, direction);
  } else for (const column of sort.columns) sorted = sorted.orderBy(column, direction);
  return sorted.orderBy('n.id', 'asc');
};

/** The records with no more joined than the order compares: every row that a page skips would pay for it. */
const joinedFor = (query: Matching, order: Order | null): Joined => {
  const sort = order ? sorts[order.field] : null;
  if (sort && 'name' in sort) {
    const [table, alias, column] = sort.name;
    return query.leftJoin(`${table} as ${alias}`, (on) =>
      on.onRef(`${alias}.company_id`, '=', 'n.company_id').onRef(`${alias}.id`, '=', `n.${column}`),
    ) as unknown as Joined;
  }
  if (order?.field !== 'full_number') return query as unknown as Joined;
  return query.innerJoin('incidents as i', (on) =>
    on.onRef('i.company_id', '=', 'n.company_id').onRef('i.id', '=', 'n.incident_id'),
  ) as unknown as Joined;
};

const nothing: Filters = { ids: [], created_from: null, created_to: null, text: null };

/**
 * The page's ids are found and sorted first, and only they are joined with what an answer shows. The page must stay the first
 * thing in FROM: PostgreSQL orders no more than eight joins by itself (`join_collapse_limit`), and with the page behind
 * them it joins every record of the company before it keeps a hundred.
 */
export const listNearMisses = (
  db: Db,
  scope: Scope,
  filters: Filters,
  order: Order | null,
  slice: Slice,
): Promise<NearMissRow[]> => {
  const page = ordered(joinedFor(matching(db, scope, filters), order), order)
    .select('n.id')
    .limit(slice.limit)
    .offset(slice.offset);
  const these = db
    .selectFrom(page.as('page'))
    .innerJoin('near_misses as n', (on) =>
      on.on('n.company_id', '=', scope.company_id).onRef('n.id', '=', 'page.id'),
    );
  return ordered(withColumns(joined(these as unknown as Matching)), order).execute();
};

export const countNearMisses = (db: Db, scope: Scope, filters: Filters): Promise<number> =>
  countOf(matching(db, scope, filters));

type One = { readonly company_id: number; readonly project_id: number; readonly id: number };

const findIn = (recycled: boolean) =>
  prepared((db: Db, { company_id, project_id, id }: One) =>
    withColumns(
      joined(matching(db, { company_id, project_id, recycled }, nothing).where('n.id', '=', id)),
    ),
  );
const findActive = findIn(false);
const findRecycled = findIn(true);

export const findNearMiss = async (
  db: Db,
  scope: Scope,
  id: number,
): Promise<NearMissRow | undefined> => {
  const { company_id, project_id, incident_id } = scope;
  const find = scope.recycled ? findRecycled : findActive;
  const [row] = await find(db, { company_id, project_id, id });
  return incident_id === undefined || row?.incident_id === incident_id ? row : undefined;
};

type InIncident = {
  readonly company_id: number;
  readonly project_id: number;
  readonly incident_id: number;
};

const takeNumber = prepared((tx: Db, where: InIncident) =>
  tx
    .updateTable('incidents')
    .set((eb) => ({ last_near_miss_number: eb('last_near_miss_number', '+', 1) }))
    .where('company_id', '=', where.company_id)
    .where('project_id', '=', where.project_id)
    .where('id', '=', where.incident_id)
    .returning('last_near_miss_number'),
);

/** Takes the next number of an incident; null where the project has no such incident. */
export const takeNearMissNumber = async (tx: Db, where: InIncident): Promise<number | null> => {
  const [row] = await takeNumber(tx, where);
  return row?.last_near_miss_number ?? null;
};

const insert = prepared((tx: Db, row: Database['near_misses']) =>
  tx.insertInto('near_misses').values({
    company_id: row.company_id,
    id: row.id,
    project_id: row.project_id,
    incident_id: row.incident_id,
    number: row.number,
    recordable: row.recordable,
    affected_company_id: row.affected_company_id,
    affected_party_id: row.affected_party_id,
    affected_person_id: row.affected_person_id,
    harm_source_id: row.harm_source_id,
    work_activity_id: row.work_activity_id,
    managed_equipment_id: row.managed_equipment_id,
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
    deleted_at: row.deleted_at,
    version: row.version,
    attachment_count: row.attachment_count,
    custom_fields: row.custom_fields,
    description: row.description,
    description_plain_text: row.description_plain_text,
    search: row.search,
  }),
);

export const insertNearMiss = async (tx: Db, row: Database['near_misses']): Promise<void> => {
  await insert(tx, row);
};

/** Rows per statement: databases limit the parameters of one. */
const BATCH = 500;

export const insertNearMisses = async (
  tx: Db,
  rows: readonly Database['near_misses'][],
): Promise<void> => {
  for (let at = 0; at < rows.length; at += BATCH)
    await tx
      .insertInto('near_misses')
      .values(rows.slice(at, at + BATCH))
      .execute();
};

/** Changes a record; every change counts its version up. */
export const updateNearMiss = async (
  tx: Db,
  where: { readonly company_id: number; readonly id: number },
  values: Partial<Omit<Database['near_misses'], 'company_id' | 'id' | 'version'>>,
): Promise<void> => {
  await tx
    .updateTable('near_misses')
    .set((eb) => ({ ...values, version: eb('version', '+', 1) }))
    .where('company_id', '=', where.company_id)
    .where('id', '=', where.id)
    .execute();
};

const findName = (table: (typeof foreignColumns)[ForeignColumn]) =>
  prepared((db: Db, where: One) =>
    db
      .selectFrom(table as 'parties')
      .select('name')
      .where('company_id', '=', where.company_id)
      .where('id', '=', where.id)
      .where((eb) =>
        eb.or([eb('project_id', 'is', null), eb('project_id', '=', where.project_id)]),
      ),
  );

const findNames = {
  affected_companies: findName('affected_companies'),
  parties: findName('parties'),
  people: findName('people'),
  harm_sources: findName('harm_sources'),
  work_activities: findName('work_activities'),
  managed_equipment: findName('managed_equipment'),
} as const;

/** Does this row exist in the company, in this project or in every project of it? */
export const lookupExists = async (
  db: Db,
  table: (typeof foreignColumns)[ForeignColumn],
  where: One,
): Promise<boolean> => (await findNames[table](db, where)).length > 0;

type SearchText = { readonly company_id: number; readonly id: number; readonly search: string };

const setSearch = prepared((tx: Db, { company_id, id, search }: SearchText) =>
  tx
    .updateTable('near_misses')
    .set({ search })
    .where('company_id', '=', company_id)
    .where('id', '=', id),
);

/** Follows from the record itself, so it is no change of its version. */
export const writeSearchText = async (
  tx: Db,
  where: { readonly company_id: number; readonly id: number },
  search: string,
): Promise<void> => {
  await setSearch(tx, { ...where, search });
};

/** The photos a record is created with: part of its first version. */
export const countAttachments = async (
  tx: Db,
  where: { readonly company_id: number; readonly id: number },
  attachment_count: number,
): Promise<void> => {
  await tx
    .updateTable('near_misses')
    .set({ attachment_count })
    .where('company_id', '=', where.company_id)
    .where('id', '=', where.id)
    .execute();
};
