/**
 * Reads near misses: one joined select for every response, with its filters and sort orders. The rules are in
 * domain/near-misses/near-misses.ts.
 */
import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import {
  eachField,
  lookupFields,
  nearMissFields,
  textFields,
  type LookupField,
} from '../../../contract/rest/near-miss-fields.ts';
import type { NearMissSortField } from '../../../contract/rest/near-misses.ts';
import type { Db } from '../engine/db.ts';
import { jsonArray, jsonArrayOf, jsonRows, written } from '../engine/bulk-sql.ts';
import { keptTotal } from './near-miss-counts.ts';
import { contains } from './near-miss-search.ts';
import { inRange, type Following } from '../engine/following.ts';
import { countOf, type Slice } from '../engine/newest-first.ts';
import { prepared } from '../engine/prepared.ts';
import { lostIncidents, ofVisible } from './private-incidents.ts';
import { deletedFrom } from './deleted-near-misses.ts';
import type { Database } from '../engine/schema.ts';
import { namesVersion } from '../engine/denormalized-names.ts';

/** The foreign keys of a near miss and the lookup tables they point to. */
export const foreignColumns = eachField(lookupFields, (name) => nearMissFields[name].of) as {
  readonly [N in LookupField]: (typeof nearMissFields)[N]['of'];
};
export type ForeignColumn = LookupField;

/** Selects one project's active records, its recycle bin, or both (null), as one user sees them. */
export interface Scope {
  readonly company_id: number;
  readonly project_id: number;
  readonly recycled: boolean | null;
  readonly user_id: number;
  /** Only records that this user created (decisions §12.2). */
  readonly own: boolean;
  readonly incident_id?: number | undefined;
}

/** Parsed `filters[…]`. A column matches any of its ids; times are in milliseconds and inclusive. */
export interface Filters {
  readonly ids: readonly { readonly column: ForeignColumn; readonly any_of: readonly number[] }[];
  readonly created_from: number | null;
  readonly created_to: number | null;
  readonly text: string | null;
  /** Null: any change. */
  readonly changed: Following | null;
}

export interface Order {
  readonly field: NearMissSortField | 'updated_at';
  readonly descending: boolean;
}

type Matching = SelectQueryBuilder<Database & { n: Database['near_misses'] }, 'n', object>;

const records = (db: Db): Matching => db.selectFrom('near_misses as n');

/** A filtered query without selected columns. @param from the base table, or a join from each incident to its records */
const matching = (db: Db, scope: Scope, filters: Filters, from = records(db)): Matching => {
  let query = from
    .where('n.company_id', '=', scope.company_id)
    .where(ofVisible(scope.company_id, scope.user_id));
  if (scope.own) query = query.where('n.created_by', '=', scope.user_id);
  if (scope.recycled !== null)
    query = query.where('n.deleted_at', scope.recycled ? 'is not' : 'is', null);
  if (filters.changed !== null)
    query = query.where(inRange('n.updated_at', 'n.id', filters.changed));
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

/** Joins the tables that responses show columns of. */
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
    )
    .innerJoin('users as author', 'author.id', 'n.created_by');

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
    'n.anonymised_at',
    'n.erased_at',
    'n.version',
    'n.attachment_count',
    'n.comment_count',
    'n.custom_fields',
    'n.description',
    'n.description_plain_text',
    ...[...lookupFields, ...textFields].map((name) => `n.${name}` as const),
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
    'author.id as author_id',
    'author.name as author_name',
    'author.login as author_login',
  ]);

export type NearMissRow = Awaited<ReturnType<ReturnType<typeof withColumns>['execute']>>[number];

/** Sort columns. `name` identifies a folded name: table, alias, foreign key. */
const sorts = {
  affected_company: { name: ['affected_companies', 'ac', 'affected_company_id'] },
  affected_person: { name: ['people', 'pe', 'affected_person_id'] },
  created_at: { columns: ['n.created_at'] },
  managed_equipment: { name: ['managed_equipment', 'm', 'managed_equipment_id'] },
  full_number: { columns: ['i.number', 'n.number'] },
  harm_source: { name: ['harm_sources', 'h', 'harm_source_id'] },
  number: { columns: ['n.number'] },
  updated_at: { columns: ['n.updated_at'] },
  work_activity: { name: ['work_activities', 'w', 'work_activity_id'] },
} as const satisfies Record<Order['field'], object>;

type Joined = ReturnType<typeof joined>;
type JoinedDatabase = Joined extends SelectQueryBuilder<infer D, infer _T, infer _O> ? D : never;
type JoinedTables = Joined extends SelectQueryBuilder<infer _D, infer T, infer _O> ? T : never;

/**
 * Nulls come last in both directions; ties break by ascending id (decisions §2.3). Without an order: newest first, ties by
 * descending id.
 */
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

/** The number of conditions besides the project. */
const conditions = (
  scope: Scope,
  { ids, created_from, created_to, text, changed }: Filters,
): number =>
  (changed === null ? 0 : 1) +
  (scope.incident_id === undefined ? 0 : 1) +
  (scope.own ? 1 : 0) +
  ids.length +
  (created_from === null && created_to === null ? 0 : 1) +
  (text === null ? 0 : 1);

/** Joins each incident of the project to its records. In this join order both indexes yield the order of full numbers. */
const byIncident = (db: Db, { company_id, project_id }: Scope): Matching =>
  db
    .selectFrom('incidents as i')
    .crossJoin('near_misses as n')
    .where('i.company_id', '=', company_id)
    .where('i.project_id', '=', project_id)
    .whereRef('n.company_id', '=', 'i.company_id')
    .whereRef('n.incident_id', '=', 'i.id') as unknown as Matching;

/** Joins only the table that the sort compares, because every skipped row would pay for more joins. */
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

const nothing: Filters = {
  ids: [],
  created_from: null,
  created_to: null,
  text: null,
  changed: null,
};

const countRows = (query: Matching) => query.select((eb) => eb.fn.countAll<number>().as('total'));

/**
 * The total over all pages, as an expression for the page query. Without conditions it is the kept count. For one condition it
 * counts in an index alone. For a search or several conditions it counts the rows that the page query finds.
 */
const totalOf = (db: Db, scope: Scope, filters: Filters): RawBuilder<number> => {
  const count = conditions(scope, filters);
  if (count === 0 && scope.recycled !== null)
    return keptTotal({ ...scope, recycled: scope.recycled });
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
 * A record of a page: its key, the state that validates a cached text of it, and its photo count. Names have a separate version
 * (denormalized-names.ts).
 */
export type Found = readonly [id: number, version: number, updated_at: number, photos: number];

/** The version of a row that changed after its page was read. No cached text has it. */
export const STALE = -1;

/** A page in its order, and the total over all pages. The total is null if the page is empty and the query cannot return it. */
export interface FoundPage {
  readonly found: readonly Found[];
  readonly names_version: number;
  readonly total: number | null;
}

/** One row for a whole page, with its records as JSON: one row per record takes twice as long. */
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
    const scope = { company_id, project_id, user_id, recycled, own: false };
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

/** The largest offset at which one statement is faster than two. */
const NEAR = 1000;

/**
 * Finds a page. A large offset is skipped in an index that holds only ids, so a second statement reads the rest. The same
 * applies if `db` is the connection for slow statements. @param here the connection for fast statements
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
    if (order === null && scope.recycled !== null && conditions(scope, filters) === 0) {
      const list = scope.recycled === true ? plainRecycled : plainActive;
      return foundIn((await list(db, { company_id, project_id, user_id, limit, offset }))[0]);
    }
    const page = foundAtOnce(db, scope, filters, order, { limit, offset });
    return foundIn((await db.executeQuery(page)).rows[0]);
  }
  const rows = await pageIds(db, scope, filters, order, { limit, offset })
    // Only the index of changes holds the time. Elsewhere it would cost a look into the table for each skipped row.
    .$if(order?.field === 'updated_at', (page) => page.select('n.updated_at'))
    .execute();
  const ids = jsonIds(rows.map(({ id }) => id));
  const { found, names_version } = foundIn((await foundById(here, { company_id, ids }))[0]);
  const byId = new Map(found.map((one) => [one[0], one]));
  return {
    found: rows.flatMap(({ id, updated_at }) => {
      const one = byId.get(id);
      if (!one || updated_at === undefined || updated_at === one[2]) return one ? [one] : [];
      return [[id, STALE, updated_at, one[3]] as const];
    }),
    names_version,
    total: rows[0]?.total ?? null,
  };
};

/** Records that this user no longer sees, at the time when it lost sight of them, as `id`, `at` and `gone`. */
const lost = (scope: Scope, changed: Following): RawBuilder<unknown> => {
  const { company_id, project_id, user_id, own } = scope;
  return sql`
    select ln.id, l.lost_at as at, 1 as gone
    from ${lostIncidents(company_id, user_id)} as l
    join near_misses ln on ln.company_id = ${company_id} and ln.incident_id = l.incident_id
    where ln.project_id = ${project_id} and ln.id <= l.last_near_miss_id
      and ${inRange('l.lost_at', 'ln.id', changed)}
      ${own ? sql`and ln.created_by = ${user_id}` : sql``}`;
};

/** A page of the changes, with those that are no longer visible. */
export interface FoundChanges extends FoundPage {
  /** The ids of the page that the user no longer sees. */
  readonly gone: ReadonlySet<number>;
}

/**
 * Finds a page of the changes of the active and the recycled records in the order of their commits, of the records that this user
 * no longer sees, and of those that were deleted (decisions §14.3, §14.4).
 */
export const findChanges = async (
  db: Db,
  scope: Scope,
  changed: Following,
  { limit, offset }: Slice,
): Promise<FoundChanges> => {
  const both = { ...scope, recycled: null };
  const filters = { ...nothing, changed };
  const columns = ['id', 'version', 'at', 'attachment_count', 'gone'].map((name) =>
    sql.ref(`page.${name}`),
  );
  const seen = matching(db, both, filters).select([
    'n.id',
    'n.version',
    'n.updated_at as at',
    'n.attachment_count',
    sql.lit(0).as('gone'),
  ]);
  const unseen = sql`${lost(scope, changed)} union all ${deletedFrom(scope, changed)}`;
  const { rows } = await sql<PageRow>`
    select ${jsonArrayOf(db, jsonArray(db, columns))} as found,
      ${namesVersion(scope.company_id)} as names_version,
      (${countRows(matching(db, both, filters))}) + (select count(*) from (${unseen}) as u) as total
    from (
      select * from (
        select * from (${seen}) as s
        union all select g.id, 0, g.at, 0, g.gone from (${unseen}) as g) as f
      order by at asc, id asc limit ${limit} offset ${offset}) as page`.execute(db);
  const [row] = rows;
  const found = JSON.parse(row?.found ?? '[]') as (readonly [...Found, number])[];
  return {
    found: found.map(([id, version, at, photos]) => [id, version, at, photos]),
    gone: new Set(found.filter((one) => one[4] === 1).map(([id]) => id)),
    names_version: row?.names_version ?? 0,
    total: Number(row?.total ?? 0),
  };
};

/** A prepared query has one shape, so that each kind of scope has its own. */
const forEachKind = <Query>(
  make: (recycled: boolean | null, own: boolean) => Query,
): ((recycled: boolean | null, own: boolean) => Query) => {
  const made = new Map(
    [false, true, null].map((bin) => [bin, [make(bin, false), make(bin, true)]] as const),
  );
  return (bin, own) => made.get(bin)?.[own ? 1 : 0] as Query;
};

type These = Readonly<Record<'company_id' | 'project_id' | 'user_id', number>> & {
  readonly ids: string;
};

/**
 * The ids must come first in FROM. PostgreSQL reorders at most eight joins (`join_collapse_limit`); with the ids last it would
 * join every record of the company. SQLite keeps the order of a cross join.
 */
const theseIn = (recycled: boolean | null, own: boolean) =>
  prepared((db: Db, { company_id, project_id, user_id, ids }: These) => {
    const scope = { company_id, project_id, user_id, recycled, own };
    const from = db
      .selectFrom(jsonRows(db, ids, { id: 'bigint' }) as unknown as 'near_misses as r')
      .crossJoin('near_misses as n')
      .whereRef('n.id', '=', 'r.id') as unknown as Matching;
    return withColumns(joined(matching(db, scope, nothing, from))).select(
      namesVersion(company_id).as('names_version'),
    );
  });
const these = forEachKind(theseIn);

/** Reads these records in any order and omits deleted ones. Rows and names version come from one snapshot. */
export const readNearMisses = (
  db: Db,
  { company_id, project_id, user_id, recycled, own }: Scope,
  ids: readonly number[],
): Promise<(NearMissRow & { readonly names_version: number })[]> =>
  these(recycled, own)(db, {
    company_id,
    project_id,
    user_id,
    ids: jsonIds(ids),
  });

/** The number of index entries that are skipped in the time of one record sorted or filtered. */
const WALKED = 10;

/**
 * Estimates the cost of a page in records. If an index has the order: the page and the skipped entries before it, weighted by
 * `WALKED`. Otherwise all records of the project, which must be counted, searched or sorted.
 */
export const looksAt = (
  db: Db,
  scope: Scope,
  filters: Filters,
  order: Order | null,
  { offset, limit }: Slice,
): Promise<number> => {
  const indexed = order === null || !('name' in sorts[order.field]);
  const { changed, ...others } = filters;
  if (changed !== null && indexed && conditions(scope, { ...others, changed: null }) === 0)
    return countOf(matching(db, scope, filters)).then((count) => count / WALKED);
  if (indexed && conditions(scope, filters) === 0)
    return Promise.resolve((offset + limit) / WALKED);
  return countNearMisses(db, { ...scope, incident_id: undefined }, nothing);
};

export const countNearMisses = async (db: Db, scope: Scope, filters: Filters): Promise<number> => {
  const { recycled } = scope;
  if (recycled === null || conditions(scope, filters) > 0)
    return countOf(matching(db, scope, filters));
  const { rows } = await sql<{ readonly total: number }>`
    select ${keptTotal({ ...scope, recycled })} as total`.execute(db);
  return rows[0]?.total ?? 0;
};

type One = Readonly<Record<'company_id' | 'project_id' | 'user_id' | 'id', number>>;

const findIn = (recycled: boolean | null, own: boolean) =>
  prepared((db: Db, { company_id, project_id, user_id, id }: One) => {
    const scope = { company_id, project_id, user_id, recycled, own };
    return withColumns(joined(matching(db, scope, nothing).where('n.id', '=', id)));
  });
const findOne = forEachKind(findIn);

export const findNearMiss = async (
  db: Db,
  scope: Scope,
  id: number,
): Promise<NearMissRow | undefined> => {
  const { company_id, project_id, user_id, incident_id } = scope;
  const find = findOne(scope.recycled, scope.own);
  const [row] = await find(db, { company_id, project_id, user_id, id });
  return incident_id === undefined || row?.incident_id === incident_id ? row : undefined;
};

/** A near miss as it is, whoever may see it and wherever it is. */
export const findForSweep = (
  db: Db,
  company_id: number,
  id: number,
): Promise<NearMissRow | undefined> =>
  withColumns(joined(records(db)))
    .where('n.company_id', '=', company_id)
    .where('n.id', '=', id)
    .executeTakeFirst();

/**
 * Near misses of any project, including recycled ones, that reference one of these rows; in id order, starting after `after`.
 */
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
