/** Near misses in SQL: one joined select for every answer, and the writes. Rules are domain/near-misses.ts's. */
import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import type { NearMissSortField } from '../../contract/rest/near-misses.ts';
import type { Db } from './db.ts';
import { gathered } from './gather.ts';
import { insertMany, jsonRows, written, type KindsOf } from './many.ts';
import { countChanges, keptTotal } from './near-miss-counts.ts';
import { contains, indexTexts } from './near-miss-search.ts';
import { countOf, type Slice } from './newest-first.ts';
import { prepared } from './prepared.ts';
import { isHidden, ofVisible } from './private-incidents.ts';
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

/** A row of a page: of one record, and how many records there are on all pages. */
export interface Found {
  readonly id: number;
  readonly total: number;
}

/** The ids alone of a page, in its order. */
export const listNearMissIds = (
  db: Db,
  scope: Scope,
  filters: Filters,
  order: Order | null,
  slice: Slice,
): Promise<Found[]> => pageIds(db, scope, filters, order, slice).execute();

/** These of the records, in any order, as far as they are still there. */
export const listNearMissesById = (
  db: Db,
  scope: Scope,
  ids: readonly number[],
): Promise<NearMissRow[]> =>
  withColumns(joined(matching(db, scope, nothing).where('n.id', 'in', [...ids]))).execute();

/**
 * The page's ids are found and sorted first, and only they are joined with what an answer shows. The page must stay the first
 * thing in FROM: PostgreSQL orders no more than eight joins by itself (`join_collapse_limit`), and with the page behind
 * them it joins every record of the company before it keeps a hundred. SQLite keeps the order of a cross join, whatever it knows of sizes.
 */
export const listNearMisses = (
  db: Db,
  scope: Scope,
  filters: Filters,
  order: Order | null,
  slice: Slice,
): Promise<(NearMissRow & Found)[]> => {
  const page = pageIds(db, scope, filters, order, slice);
  const these = db
    .selectFrom(page.as('page'))
    .crossJoin('near_misses as n')
    .where('n.company_id', '=', scope.company_id)
    .whereRef('n.id', '=', 'page.id');
  const shown = ordered(withColumns(joined(these as unknown as Matching)), order);
  return shown.select(sql<number>`page.total`.as('total')).execute();
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

/** What a record has of its incident: its number in it, and what an answer shows. */
interface IncidentPart {
  readonly number: number;
  readonly incident_number: number;
  readonly incident_title: string;
  readonly incident_private: number;
  readonly created_by: number | null;
}

interface InIncident {
  readonly company_id: number;
  readonly project_id: number;
  readonly incident_id: number;
}

const placeOf = ({ company_id, project_id, incident_id }: InIncident): string =>
  [company_id, project_id, incident_id].join(' ');

const countUp = prepared((tx: Db, { wanted }: { readonly wanted: string }) =>
  written(
    tx,
    sql<InIncident & Omit<IncidentPart, 'number'> & { readonly last: number }>`
      update incidents set last_near_miss_number = last_near_miss_number + r.wanted
      from ${jsonRows(tx, wanted, { company_id: 'bigint', project_id: 'bigint', incident_id: 'bigint', wanted: 'bigint' })}
      where incidents.company_id = r.company_id and incidents.project_id = r.project_id
        and incidents.id = r.incident_id
      returning incidents.company_id, incidents.project_id, incidents.id as incident_id,
        last_near_miss_number as last, number as incident_number, title as incident_title,
        private as incident_private, created_by`,
  ),
);

/** Takes the next number of an incident; null where the project has no such incident. */
export const takeNearMissNumber = gathered(
  async (tx, wheres: readonly InIncident[]): Promise<readonly (IncidentPart | null)[]> => {
    const places = new Map<string, InIncident & { wanted: number }>();
    for (const where of wheres) {
      const place = places.get(placeOf(where)) ?? { ...where, wanted: 0 };
      place.wanted += 1;
      places.set(placeOf(where), place);
    }
    const rows = await countUp(tx, { wanted: JSON.stringify([...places.values()]) });
    const counted = new Map(rows.map((row) => [placeOf(row), row]));
    return wheres.map((where) => {
      const [place, row] = [places.get(placeOf(where)), counted.get(placeOf(where))];
      if (!row || !place) return null;
      const number = row.last - place.wanted + 1;
      place.wanted -= 1;
      return { ...row, number };
    });
  },
);

const kinds = {
  company_id: 'bigint',
  id: 'bigint',
  project_id: 'bigint',
  incident_id: 'bigint',
  number: 'bigint',
  recordable: 'integer',
  affected_company_id: 'bigint',
  affected_party_id: 'bigint',
  affected_person_id: 'bigint',
  harm_source_id: 'bigint',
  work_activity_id: 'bigint',
  managed_equipment_id: 'bigint',
  created_by: 'bigint',
  created_at: 'bigint',
  updated_at: 'bigint',
  deleted_at: 'bigint',
  version: 'bigint',
  attachment_count: 'integer',
  custom_fields: 'text',
  description: 'text',
  description_plain_text: 'text',
  search: 'text',
} as const satisfies KindsOf<'near_misses'>;

const insertRows = insertMany('near_misses', kinds);

type Stored = Database['near_misses'];

/** With what is kept about them: the index of their texts and the count of their project. */
export const insertNearMisses = async (tx: Db, rows: readonly Stored[]): Promise<void> => {
  await insertRows(tx, rows);
  await indexTexts(tx, rows);
  await countChanges(
    tx,
    rows.map(({ company_id, project_id, deleted_at }) => ({
      company_id,
      project_id,
      ...(deleted_at === null ? { active: 1, recycled: 0 } : { active: 0, recycled: 1 }),
    })),
  );
};

/** The columns of the table alone, of a record with more about it. */
export const storedOf = (row: Stored): Stored =>
  Object.fromEntries(
    Object.keys(kinds).map((name) => [name, row[name as keyof Stored]]),
  ) as unknown as Stored;

export const insertNearMiss = gathered(async (tx, rows: readonly Stored[]) => {
  await insertNearMisses(tx, rows);
  return [];
});

interface Which {
  readonly company_id: number;
  readonly project_id: number;
  readonly id: number;
}

/** Changes a record; every change counts its version up. */
const change = async (
  tx: Db,
  where: Which,
  values: Partial<Omit<Stored, 'company_id' | 'id' | 'version'>>,
): Promise<void> => {
  await tx
    .updateTable('near_misses')
    .set((eb) => ({ ...values, version: eb('version', '+', 1) }))
    .where('company_id', '=', where.company_id)
    .where('id', '=', where.id)
    .execute();
};

export const updateNearMiss = async (
  tx: Db,
  where: Which,
  values: Partial<
    Omit<Stored, 'company_id' | 'id' | 'project_id' | 'incident_id' | 'deleted_at' | 'version'>
  >,
): Promise<void> => {
  await change(tx, where, values);
  const { search } = values;
  if (search !== undefined) await indexTexts(tx, [{ ...where, search }]);
};

/** Into the recycle bin, or out of it. */
export const recycleNearMiss = async (
  tx: Db,
  where: Which,
  recycled: boolean,
  now: number,
): Promise<void> => {
  await change(tx, where, { deleted_at: recycled ? now : null, updated_at: now });
  const moved = recycled ? 1 : -1;
  const { company_id, project_id } = where;
  await countChanges(tx, [{ company_id, project_id, active: -moved, recycled: moved }]);
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

const writeSearch = prepared((tx: Db, { rows }: { readonly rows: string }) =>
  written(
    tx,
    sql`update near_misses set search = r.search
      from ${jsonRows(tx, rows, { company_id: 'bigint', id: 'bigint', search: 'text' })}
      where near_misses.company_id = r.company_id and near_misses.id = r.id`,
  ),
);

/** The text that a search looks into is no change of the record: its version stays. */
export const writeSearchTexts = async (
  tx: Db,
  company_id: number,
  texts: readonly Pick<Stored, 'id' | 'project_id' | 'search'>[],
): Promise<void> => {
  await writeSearch(tx, {
    rows: JSON.stringify(texts.map(({ id, search }) => ({ company_id, id, search }))),
  });
  await indexTexts(tx, texts);
};

/** What a record points into; for its incident who created it, and for whom it is hidden: a row then, else none. */
export type MentionColumn = ForeignColumn | 'incident_id' | 'hidden_incident_id';

interface Mention {
  readonly company_id: number;
  readonly project_id: number;
  readonly place: MentionColumn;
  readonly id: number;
  /** Of `hidden_incident_id`: who looks. */
  readonly user_id?: number | null;
}

/** A row that a record points at, with all that an answer shows of it. What its table does not have is null. */
export interface Mentioned extends Mention {
  readonly name: string;
  readonly login: string | null;
  readonly active: number | null;
  readonly global: number | null;
  readonly created_at: number | null;
  readonly updated_at: number | null;
}

const none = sql`cast(null as bigint)`;
const noText = sql`cast(null as text)`;
/** The columns that a table has beside its names. */
const shownColumns = {
  affected_company_id: sql`${noText}, ${none}, ${none}, ${none}, ${none}`,
  affected_party_id: sql`${noText}, ${none}, ${none}, ${none}, ${none}`,
  affected_person_id: sql`t.login, ${none}, ${none}, ${none}, ${none}`,
  harm_source_id: sql`${noText}, t.active, t.global, t.created_at, t.updated_at`,
  work_activity_id: sql`${noText}, t.active, t.global, t.created_at, t.updated_at`,
  managed_equipment_id: sql`${noText}, ${none}, ${none}, ${none}, ${none}`,
} as const satisfies Record<ForeignColumn, unknown>;

const mentionKinds = {
  company_id: 'bigint',
  project_id: 'bigint',
  place: 'text',
  id: 'bigint',
  user_id: 'bigint',
} as const;

/** Rows of the project and of the whole company, each from its own table, in one statement. */
const readMentioned = prepared((db: Db, { mentions }: { readonly mentions: string }) => {
  const tables = (Object.keys(foreignColumns) as ForeignColumn[]).map(
    (column) => sql`
      select r.company_id, r.project_id, r.place, r.id, r.user_id, t.name, ${shownColumns[column]}
      from r join ${sql.table(foreignColumns[column])} t on t.company_id = r.company_id and t.id = r.id
      where r.place = ${sql.lit(column)} and (t.project_id is null or t.project_id = r.project_id)`,
  );
  const creators = sql`
      select r.company_id, r.project_id, r.place, r.id, r.user_id, u.name, u.login, ${none}, ${none}, ${none}, ${none}
      from r join incidents i on i.company_id = r.company_id and i.id = r.id
        join users u on u.id = i.created_by
      where r.place = 'incident_id'`;
  const hidden = sql`
      select r.company_id, r.project_id, r.place, r.id, r.user_id, i.title, ${noText}, ${none}, ${none}, ${none}, ${none}
      from r join incidents i on i.company_id = r.company_id and i.id = r.id
      where r.place = 'hidden_incident_id' and ${isHidden('i', sql.ref('r.user_id'))}`;
  return written(
    db,
    sql<Mentioned>`
      with r as (select * from ${jsonRows(db, mentions, mentionKinds)}),
        found (company_id, project_id, place, id, user_id, name, login, active, global, created_at, updated_at)
        as (${sql.join([...tables, creators, hidden], sql` union all `)})
      select * from found`,
  );
});

const nameOf = ({ company_id, project_id, place, id, user_id }: Mention): string =>
  [company_id, project_id, place, id, user_id ?? ''].join(' ');

/** Null where the company has no such row, or another project has it. */
export const findMentioned = gathered(async (db, mentions: readonly Mention[]) => {
  const asked = new Map(mentions.map((one) => [nameOf(one), one]));
  const rows = await readMentioned(db, { mentions: JSON.stringify([...asked.values()]) });
  const found = new Map(rows.map((row) => [nameOf(row), row]));
  return mentions.map((one) => found.get(nameOf(one)) ?? null);
});

/** What an answer shows of a row that is mentioned, as the joined select would have it. */
export const shownOf = (column: ForeignColumn, row: Mentioned | null): Partial<NearMissRow> => {
  const id = row?.id ?? null;
  const name = row?.name ?? null;
  switch (column) {
    case 'affected_company_id':
      return { affected_company_id: id, affected_company_name: name };
    case 'affected_party_id':
      return { affected_party_id: id, affected_party_name: name };
    case 'affected_person_id':
      return {
        affected_person_id: id,
        affected_person_name: name,
        affected_person_login: row?.login ?? null,
      };
    case 'harm_source_id':
      return {
        harm_source_id: id,
        harm_source_name: name,
        harm_source_active: row?.active ?? null,
        harm_source_global: row?.global ?? null,
        harm_source_created_at: row?.created_at ?? null,
        harm_source_updated_at: row?.updated_at ?? null,
      };
    case 'work_activity_id':
      return {
        work_activity_id: id,
        work_activity_name: name,
        work_activity_active: row?.active ?? null,
        work_activity_global: row?.global ?? null,
        work_activity_created_at: row?.created_at ?? null,
        work_activity_updated_at: row?.updated_at ?? null,
      };
    case 'managed_equipment_id':
      return { managed_equipment_id: id, managed_equipment_name: name };
  }
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
