/**
 * Stores the catalog of a project: the choices of its forms. A server's catalog is kept with its ETag, so an
 * unchanged one costs a 304. For a server without a catalog it is built from the records in the database, and ids may
 * be typed (decisions §4.4).
 */
import { Dexie } from 'dexie';
import { ok, type Result } from '../../../contract/problem.ts';
import type { Catalog } from '../../../contract/rest/catalog.ts';
import type { CatalogRow, Deps, NearMissRow, SpotterDb } from './db.ts';
import type { RefreshScope } from '../near-misses/refresh-rows.ts';
import { writtenSince } from './written-since.ts';

/** liveQuery: the catalog of a project, undefined before the first refresh. */
export const getCatalog = (
  { db }: Pick<Deps, 'db'>,
  account: string,
  project_id: number,
): Promise<CatalogRow | undefined> => db.catalogs.get([account, project_id]);

export const emptyCatalog: Catalog = {
  incidents: [],
  companies: [],
  parties: [],
  people: [],
  harm_sources: [],
  work_activities: [],
  managed_equipment: [],
  vendors: [],
  time_and_material_entries: [],
  documents: [],
  folders: [],
  custom_field_definitions: [],
};

/** Mutable holder of a catalog inside one transaction. */
interface Held {
  row: CatalogRow | undefined;
}
const inside = new WeakMap<object, Map<string, PromiseLike<Held>>>();

/**
 * Reads the catalog once per transaction, because it is by far the largest row of the database. Settlements that run
 * concurrently in one transaction share the holder.
 */
const heldInside = (db: SpotterDb, account: string, project_id: number): PromiseLike<Held> => {
  // Dexie's own promise keeps awaiting code inside the transaction.
  const read = () => db.catalogs.get([account, project_id]).then((row): Held => ({ row }));
  const transaction = Dexie.currentTransaction;
  if (transaction === null) return read();
  const known = inside.get(transaction) ?? new Map<string, PromiseLike<Held>>();
  inside.set(transaction, known);
  const name = `${project_id} ${account}`;
  const held = known.get(name) ?? read();
  known.set(name, held);
  return held;
};

/** The catalog of a project, inside the settling transaction. */
export const catalogInside = (
  db: SpotterDb,
  account: string,
  project_id: number,
): PromiseLike<Catalog | null> =>
  heldInside(db, account, project_id).then(({ row }) => row?.catalog ?? null);

/** Changes the catalog inside the settling transaction. `change` returns null to leave it as it is. */
export const changeCatalog = async (
  db: SpotterDb,
  of: { readonly account: string; readonly project_id: number; readonly seen_at: number },
  change: (catalog: Catalog) => Catalog | null,
): Promise<void> => {
  const held = await heldInside(db, of.account, of.project_id);
  // Do not await between reading the row and changing it: another settlement could change it in between.
  const { row } = held;
  const catalog = row === undefined ? null : change(row.catalog);
  if (row === undefined || catalog === null) return;
  held.row = { ...row, catalog, known_at: Math.max(row.known_at ?? 0, of.seen_at) };
  await db.catalogs.put(held.row);
};

/** Maximum number of fetches while local writes overtake the response. After the last one the local catalog is kept. */
const TURNS = 3;

/** Fetches the catalog. Builds it from the local records if the server has none. */
export const refreshCatalog = async (
  deps: Pick<Deps, 'db' | 'host' | 'clock'>,
  scope: RefreshScope,
  turn = 1,
): Promise<Result<CatalogRow>> => {
  const { db, host, clock } = deps;
  const { account, project_id } = scope;
  const asked_at = clock.tick();
  const had = await db.catalogs.get([account, project_id]);
  const etag = had?.source === 'server' ? had.etag : null;
  const input = {
    params: { project_id },
    ...(etag === null ? {} : { if_none_match: etag }),
  };
  const answer = await host.request('catalog.show', input, account);
  if (!answer.ok && answer.problem.kind === 'gone') return ok(await rebuildCatalog(deps, scope));
  if (!answer.ok) return answer;
  const base = { account, project_id, fetched_at: clock.now(), known_at: asked_at };
  const { status, data } = answer.value;
  const put = await db.transaction('rw', db.catalogs, async () => {
    const now = await db.catalogs.get([account, project_id]);
    if (writtenSince(now?.known_at ?? 0, asked_at, clock.tick())) return { now, row: null };
    if (status === 304 && now === undefined) return { now, row: null };
    const row: CatalogRow =
      status === 304 && now !== undefined
        ? { ...now, ...base }
        : { ...base, catalog: data, etag: answer.value.etag, source: 'server' };
    await db.catalogs.put(row);
    return { now, row };
  });
  if (put.row !== null) return ok(put.row);
  // A record was written here, or a newer response arrived, while this request was in flight.
  return put.now !== undefined && turn >= TURNS
    ? ok(put.now)
    : refreshCatalog(deps, scope, turn + 1);
};

/**
 * Builds the catalog from the records in the database, for a server without one (decisions §4.4). Call it after the
 * records are read.
 */
export const rebuildCatalog = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { account, project_id }: RefreshScope,
): Promise<CatalogRow> => {
  const rows = await db.near_misses
    .where('[account+project_id+bin+created_at]')
    .between([account, project_id, 0, -Infinity], [account, project_id, 1, Infinity])
    .toArray();
  const known = (await db.catalogs.get([account, project_id]))?.catalog.incidents ?? [];
  const row: CatalogRow = {
    account,
    project_id,
    catalog: withAudience(catalogOfRecords(rows), known),
    etag: null,
    source: 'records',
    fetched_at: clock.now(),
  };
  await db.catalogs.put(row);
  return row;
};

/** Keeps what an earlier catalog said of who sees an incident, because records do not say it. */
const withAudience = (catalog: Catalog, known: Catalog['incidents']): Catalog => {
  const before = new Map(known.map((one) => [one.id, one]));
  return {
    ...catalog,
    incidents: catalog.incidents.map((one) => {
      const had = before.get(one.id);
      return had?.private === undefined
        ? one
        : { ...one, private: had.private, visible_to: had.visible_to };
    }),
  };
};

/** Collects every incident, company, party and so on that the records name, each once, sorted by id. Pure. */
export const catalogOfRecords = (rows: readonly Pick<NearMissRow, 'server'>[]): Catalog => {
  const gather = <T extends { readonly id: number }>(
    pick: (server: NonNullable<NearMissRow['server']>) => T | null,
  ): T[] => {
    const found = new Map<number, T>();
    for (const { server } of rows) {
      const item = server === null ? null : pick(server);
      if (item !== null && !found.has(item.id)) found.set(item.id, item);
    }
    return [...found.values()].sort((a, b) => a.id - b.id);
  };
  const named = (item: { id: number; name?: string | null } | null | undefined) =>
    item === null || item === undefined
      ? null
      : { id: item.id, name: item.name ?? String(item.id) };
  const lookup = (
    item:
      | { id: number; name?: string | null; active?: boolean | null; global?: boolean | null }
      | null
      | undefined,
  ) =>
    item === null || item === undefined
      ? null
      : {
          id: item.id,
          name: item.name ?? String(item.id),
          active: item.active ?? true,
          global: item.global ?? false,
        };
  return {
    ...emptyCatalog,
    incidents: gather((server) =>
      !server.incident_id
        ? null
        : {
            id: server.incident_id,
            number: Number(String(server.full_number ?? '').split('-')[0]) || server.incident_id,
            title: server.incident_title ?? '',
          },
    ),
    companies: gather((server) => named(server.affected_company)),
    parties: gather((server) => {
      const item = named(server.affected_party);
      return item === null ? null : { ...item, reference_user: false };
    }),
    people: gather((server) => {
      const item = named(server.affected_person);
      return item === null ? null : { ...item, login: server.affected_person?.login ?? '' };
    }),
    harm_sources: gather((server) => lookup(server.harm_source)),
    work_activities: gather((server) => lookup(server.work_activity)),
    managed_equipment: gather((server) => named(server.managed_equipment)),
  };
};
