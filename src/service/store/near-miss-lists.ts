/** Near misses as they are read: one joined select for every answer, its filters and orders. Rules are domain/near-misses.ts's. */
import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import type { NearMissSortField } from '../../contract/rest/near-misses.ts';
import type { Db } from './db.ts';
import { jsonArray, jsonArrayOf, jsonRows, written } from './many.ts';
import { keptTotal } from './near-miss-counts.ts';
import { contains } from './near-miss-search.ts';
import { countOf, type Slice } from './newest-first.ts';
import { prepared } from './prepared.ts';
import { ofVisible } from './private-incidents.ts';
import type { Database } from './schema.ts';
import { namesVersion } from './shown-names.ts';

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

/** Where to look, and for whom: one project's active records, or its recycle bin. */
export interface Scope {
  readonly company_id: number;
  readonly project_id: number;
  readonly recycled: boolean;
  readonly user_id: number;
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

type Matching = SelectQueryBuilder<Database & { n: Database['near_misses'] }, 'n', object>;

const records = (db: Db): Matching => db.selectFrom('near_misses as n');

/** A filtered query, before anybody says which columns it wants. @param from the records, or those of each incident in turn */
const matching = (db: Db, scope: Scope, filters: Filters, from = records(db)): Matching => {
  let query = from
    .where('n.company_id', '=', scope.company_id)
    .where('n.deleted_at', scope.recycled ? 'is not' : 'is', null)
    .where(ofVisible(scope.company_id, scope.user_id));
  if (scope.incident_id !== undefined) query = query.where('n.incident_id', '=', scope.incident_id);
  if (filters.created_from !== null)
    query = query.where('n.created_at', '>=', filters.created_from);
  if (filters.created_to !== null) query = query.where('n.created_at', '<=', filters.created_to);
  for (const { column, any_of } of filters.ids)
    query = query.where(`n.${column}`, 'in', [...any_of]);
  if (filters.text === null) query = query.where('n.project_id', '=', scope.project_id);
  else query = query.where(contains(db, scope.project_id, filters.text));
  return query;
};

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
    'n.project_id',
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

/** How many conditions there are beside the project. */
const conditions = (scope: Scope, { ids, created_from, created_to, text }: Filters): number =>
  (scope.incident_id === undefined ? 0 : 1) +
  ids.length +
  (created_from === null && created_to === null ? 0 : 1) +
  (text === null ? 0 : 1);

/** From each incident of the project to its records: in this order, both indexes are in the order of full numbers. */
const byIncident = (db: Db, { company_id, project_id }: Scope): Matching =>
  db
    .selectFrom('incidents as i')
    .crossJoin('near_misses as n')
    .where('i.company_id', '=', company_id)
    .where('i.project_id', '=', project_id)
    .whereRef('n.company_id', '=', 'i.company_id')
    .whereRef('n.incident_id', '=', 'i.id') as unknown as Matching;

/** The records with no more joined than the order compares: every row that a page skips would pay for it. */
const joinedFor = (db: Db, scope: Scope, filters: Filters, order: Order | null): Joined => {
  if (order?.field === 'full_number' && conditions(scope, filters) === 0)
    return matching(db, scope, filters, byIncident(db, scope)) as unknown as Joined;
  const query = matching(db, scope, filters);
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

const countRows = (query: Matching) => query.select((eb) => eb.fn.countAll<number>().as('total'));

/**
 * How many there are on all pages, for the statement that finds a page: what the project keeps; of one condition what its index counts, in the
 * index alone; of a search, or of several conditions, what finding the page finds.
 */
const totalOf = (db: Db, scope: Scope, filters: Filters): RawBuilder<number> => {
  const count = conditions(scope, filters);
  if (count === 0) return keptTotal(scope);
  if (count > 1 || filters.text !== null) return sql<number>`count(*) over ()`;
  return sql<number>`(${countRows(matching(db, scope, filters))})`;
};

const pageIds = (db: Db, scope: Scope, filters: Filters, order: Order | null, slice: Slice) => {
  const total = totalOf(db, scope, filters);
  return ordered(joinedFor(db, scope, filters, order), order)
    .select(['n.id', total.as('total')])
    .limit(slice.limit)
    .offset(slice.offset);
};

/**
 * A record of a page: what of it tells whether a text that was made of it is still right, and how many photos it has. Its names are told by their own
 * version (shown-names.ts).
 */
export type Found = readonly [id: number, version: number, updated_at: number, photos: number];

/** A page, in its order, and how many records there are on all pages: null where the page is empty and cannot say it. */
export interface FoundPage {
  readonly found: readonly Found[];
  readonly names_version: number;
  readonly total: number | null;
}

/** One row for a whole page, its records as one JSON text: a row for each would take twice the time. */
interface PageRow {
  readonly found: string;
  readonly names_version: number;
  readonly total: number | null;
}

const foundIn = (row: PageRow | undefined): FoundPage => ({
  names_version: row?.names_version ?? 0,
  total: row?.total ?? null,
  found: JSON.parse(row?.found ?? '[]') as Found[],
});

/** Of the table that they are in. */
const state = (db: Db, table: 'n' | 'page') =>
  jsonArrayOf(
    db,
    jsonArray(
      db,
      ['id', 'version', 'updated_at', 'attachment_count'].map((name) =>
        sql.ref(`${table}.${name}`),
      ),
    ),
  );

const foundAtOnce = (db: Db, scope: Scope, filters: Filters, order: Order | null, slice: Slice) => {
  const page = pageIds(db, scope, filters, order, slice).select([
    'n.version',
    'n.updated_at',
    'n.attachment_count',
  ]);
  return written(
    db,
    sql<PageRow>`
      select ${state(db, 'page')} as found, ${namesVersion(scope.company_id)} as names_version,
        max(page.total) as total
      from ${page} as page`,
  );
};

type Plain = Readonly<Record<'company_id' | 'project_id' | 'user_id' | 'limit' | 'offset', number>>;

const plainIn = (recycled: boolean) =>
  prepared((db: Db, { company_id, project_id, user_id, limit, offset }: Plain) => {
    const scope = { company_id, project_id, user_id, recycled };
    return foundAtOnce(db, scope, nothing, null, { limit, offset });
  });
const plainActive = plainIn(false);
const plainRecycled = plainIn(true);

const foundById = prepared(
  (db: Db, { company_id, ids }: { readonly company_id: number; readonly ids: string }) =>
    written(
      db,
      sql<PageRow>`
        select ${state(db, 'n')} as found, ${namesVersion(company_id)} as names_version
        from ${jsonRows(db, ids, { id: 'bigint' })} cross join near_misses n
        where n.company_id = ${company_id} and n.id = r.id`,
    ),
);

const jsonIds = (ids: readonly number[]): string => JSON.stringify(ids.map((id) => ({ id })));

/** Rows before a page that cost less to be read than a second statement. */
const NEAR = 1000;

/**
 * A page. What lies far before it is skipped in an index, which holds ids alone, so that what else is asked of its records is a second statement. So
 * it is where `db` is the connection for what takes long. @param here the connection for what does not
 */
export const findNearMisses = async (
  db: Db,
  here: Db,
  scope: Scope,
  filters: Filters,
  order: Order | null,
  { limit, offset }: Slice,
): Promise<FoundPage> => {
  const { company_id, project_id, user_id } = scope;
  if (db === here && offset <= NEAR) {
    if (order === null && conditions(scope, filters) === 0) {
      const list = scope.recycled ? plainRecycled : plainActive;
      return foundIn((await list(db, { company_id, project_id, user_id, limit, offset }))[0]);
    }
    const page = foundAtOnce(db, scope, filters, order, { limit, offset });
    return foundIn((await db.executeQuery(page)).rows[0]);
  }
  const rows = await pageIds(db, scope, filters, order, { limit, offset }).execute();
  const ids = jsonIds(rows.map(({ id }) => id));
  const { found, names_version } = foundIn((await foundById(here, { company_id, ids }))[0]);
  const byId = new Map(found.map((one) => [one[0], one]));
  return {
    found: rows.flatMap(({ id }) => {
      const one = byId.get(id);
      return one ? [one] : [];
    }),
    names_version,
    total: rows[0]?.total ?? null,
  };
};

type These = Readonly<Record<'company_id' | 'project_id' | 'user_id', number>> & {
  readonly ids: string;
};

/**
 * The ids must be the first thing in FROM: PostgreSQL orders no more than eight joins by itself (`join_collapse_limit`), and with the ids behind
 * them it joins every record of the company before it keeps a hundred. SQLite keeps the order of a cross join, whatever it knows of sizes.
 */
const theseIn = (recycled: boolean) =>
  prepared((db: Db, { company_id, project_id, user_id, ids }: These) => {
    const scope = { company_id, project_id, user_id, recycled };
    const from = db
      .selectFrom(jsonRows(db, ids, { id: 'bigint' }) as unknown as 'near_misses as r')
      .crossJoin('near_misses as n')
      .whereRef('n.id', '=', 'r.id') as unknown as Matching;
    return withColumns(joined(matching(db, scope, nothing, from))).select(
      namesVersion(company_id).as('names_version'),
    );
  });
const theseActive = theseIn(false);
const theseRecycled = theseIn(true);

/**
 * These of the records, in any order, as far as they are still there. What they show and the version of its names are of one moment.
 */
export const readNearMisses = (
  db: Db,
  { company_id, project_id, user_id, recycled }: Scope,
  ids: readonly number[],
): Promise<(NearMissRow & { readonly names_version: number })[]> =>
  (recycled ? theseRecycled : theseActive)(db, {
    company_id,
    project_id,
    user_id,
    ids: jsonIds(ids),
  });

/** An index that is walked along takes so many records in the time that one takes to be sorted or tried. */
const WALKED = 10;

/**
 * How many records finding this page may look at: all of the project's where they are counted, searched or sorted; where an index is in its order, the page and what lies
 * before it, which is walked past.
 */
export const looksAt = (
  db: Db,
  scope: Scope,
  filters: Filters,
  order: Order | null,
  { offset, limit }: Slice,
): Promise<number> => {
  const indexed = order === null || !('name' in sorts[order.field]);
  if (indexed && conditions(scope, filters) === 0)
    return Promise.resolve((offset + limit) / WALKED);
  return countNearMisses(db, { ...scope, incident_id: undefined }, nothing);
};

export const countNearMisses = async (db: Db, scope: Scope, filters: Filters): Promise<number> => {
  if (conditions(scope, filters) > 0) return countOf(matching(db, scope, filters));
  const { rows } = await sql<{ readonly total: number }>`
    select ${keptTotal(scope)} as total`.execute(db);
  return rows[0]?.total ?? 0;
};

type One = Readonly<Record<'company_id' | 'project_id' | 'user_id' | 'id', number>>;

const findIn = (recycled: boolean) =>
  prepared((db: Db, { company_id, project_id, user_id, id }: One) =>
    withColumns(
      joined(
        matching(db, { company_id, project_id, user_id, recycled }, nothing).where('n.id', '=', id),
      ),
    ),
  );
const findActive = findIn(false);
const findRecycled = findIn(true);

export const findNearMiss = async (
  db: Db,
  scope: Scope,
  id: number,
): Promise<NearMissRow | undefined> => {
  const { company_id, project_id, user_id, incident_id } = scope;
  const find = scope.recycled ? findRecycled : findActive;
  const [row] = await find(db, { company_id, project_id, user_id, id });
  return incident_id === undefined || row?.incident_id === incident_id ? row : undefined;
};

/** Near misses of any project, recycled ones too, that point at one of these rows; by id, after `after`. */
export const listNaming = (
  db: Db,
  where: {
    readonly company_id: number;
    readonly column: ForeignColumn | 'incident_id';
    readonly ids: readonly number[];
    readonly after: number;
    readonly limit: number;
  },
): Promise<NearMissRow[]> =>
  withColumns(
    joined(
      db
        .selectFrom('near_misses as n')
        .where('n.company_id', '=', where.company_id)
        .where(`n.${where.column}`, 'in', [...where.ids])
        .where('n.id', '>', where.after),
    ),
  )
    .orderBy('n.id')
    .limit(where.limit)
    .execute();
