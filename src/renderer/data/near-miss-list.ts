/**
 * Reading near misses for the screens, all meant for liveQuery. Without filter or search the newest page comes
 * straight from a compound index; with them the rows of the project are read in that order and judged in memory.
 */
import type { NearMissSortField } from '../../contract/rest/near-misses.ts';
import type { Deps, EntryState, NearMissRow } from './db.ts';
import { fold } from './text.ts';

type Sort = NearMissSortField | `-${NearMissSortField}`;

export interface ListQuery {
  readonly account: string;
  readonly project_id: number;
  /** Any case, accents ignored; every word must occur. */
  readonly query?: string;
  readonly incident_id?: number | null;
  readonly filters?: {
    readonly affected_company_id?: readonly number[];
    readonly affected_party_id?: readonly number[];
    readonly affected_person_id?: readonly number[];
    readonly harm_source_id?: readonly number[];
    readonly managed_equipment_id?: readonly number[];
    readonly work_activity_id?: readonly number[];
    /** Milliseconds since the epoch, both ends included, null is open. */
    readonly created_at?: { readonly from: number | null; readonly to: number | null };
  };
  /** Default `-created_at`. Nulls and empty names last, as the service sorts. */
  readonly sort?: Sort;
  readonly offset: number;
  readonly limit: number;
}

export interface ListPage {
  readonly rows: readonly NearMissRow[];
  /** Of all pages. */
  readonly total: number;
}

const range = (db: Deps['db'], account: string, project_id: number, bin: 0 | 1) =>
  bin === 0
    ? db.near_misses
        .where('[account+project_id+bin+created_at]')
        .between([account, project_id, 0, -Infinity], [account, project_id, 0, Infinity])
    : db.near_misses
        .where('[account+project_id+bin+removed_at]')
        .between([account, project_id, 1, -Infinity], [account, project_id, 1, Infinity]);

const fits = (query: ListQuery): ((row: NearMissRow) => boolean) => {
  const words = fold(query.query ?? '')
    .split(/\s+/)
    .filter(Boolean);
  const { created_at, ...ids } = query.filters ?? {};
  const wanted = Object.entries(ids)
    .filter(([, list]) => list !== undefined && list.length > 0)
    .map(([name, list]) => [name as keyof typeof ids, new Set(list)] as const);
  return (row) =>
    (!query.incident_id || row.incident_id === query.incident_id) &&
    row.created_at >= (created_at?.from ?? -Infinity) &&
    row.created_at <= (created_at?.to ?? Infinity) &&
    wanted.every(([name, set]) => set.has(row.fields[name] ?? 0)) &&
    words.every((word) => row.search.includes(word));
};

const sortValue = (row: NearMissRow, field: NearMissSortField): string | number | null => {
  if (field === 'created_at') return row.created_at;
  if (field === 'number') return row.server?.number ?? null;
  if (field === 'full_number') return row.full_number || null;
  return row.names[field] || null;
};

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

const by = (sort: Sort): ((a: NearMissRow, b: NearMissRow) => number) => {
  const down = sort.startsWith('-');
  const field = (down ? sort.slice(1) : sort) as NearMissSortField;
  return (a, b) => {
    const [x, y] = [sortValue(a, field), sortValue(b, field)];
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    const order =
      typeof x === 'number' && typeof y === 'number' ? x - y : collator.compare(`${x}`, `${y}`);
    return (down ? -order : order) || b.created_at - a.created_at;
  };
};

/** A page of the active near misses of a project. */
export const listNearMisses = async (
  { db }: Pick<Deps, 'db'>,
  query: ListQuery,
): Promise<ListPage> => {
  const { account, project_id, offset, limit, sort = '-created_at' } = query;
  const judged =
    (query.query ?? '').trim() !== '' ||
    Boolean(query.incident_id) ||
    Object.values(query.filters ?? {}).some((value) => value !== undefined);
  if (!judged && (sort === '-created_at' || sort === 'created_at')) {
    const rows = range(db, account, project_id, 0);
    const [total, page] = await Promise.all([
      rows.count(),
      (sort === 'created_at' ? rows.clone() : rows.clone().reverse())
        .offset(offset)
        .limit(limit)
        .toArray(),
    ]);
    return { rows: page, total };
  }
  const all = await range(db, account, project_id, 0).toArray();
  const found = all.filter(fits(query)).sort(by(sort));
  return { rows: found.slice(offset, offset + limit), total: found.length };
};

/** The recycle bin of a project, last removed first. */
export const listRecycled = ({ db }: Pick<Deps, 'db'>, account: string, project_id: number) =>
  range(db, account, project_id, 1).reverse().toArray();

/** One near miss, active or recycled. */
export const getNearMiss = ({ db }: Pick<Deps, 'db'>, key: string) => db.near_misses.get(key);

/** How a record waits, worst first: one parked entry makes it `parked`. Records with nothing waiting are not in it. */
export const waitingRecords = async (
  { db }: Pick<Deps, 'db'>,
  account: string,
): Promise<ReadonlyMap<string, { readonly state: EntryState; readonly photos: number }>> => {
  const order: readonly EntryState[] = ['waiting', 'sending', 'parked'];
  const out = new Map<string, { state: EntryState; photos: number }>();
  const entries = await db.entries
    .where('[account+seq]')
    .between([account, -Infinity], [account, Infinity])
    .toArray();
  for (const entry of entries) {
    const had = out.get(entry.lane) ?? { state: 'waiting', photos: 0 };
    out.set(entry.lane, {
      state: order.indexOf(entry.state) > order.indexOf(had.state) ? entry.state : had.state,
      photos: had.photos + (entry.kind === 'photo.send' ? 1 : 0),
    });
  }
  return out;
};
