/**
 * Reading near misses for the screens, all meant for liveQuery. The newest page comes straight from a compound index of
 * the database, so that the list is there before its index (near-miss-index.ts) has read everything; whatever is filtered
 * or sorted otherwise is asked of that.
 */
import type { Problem } from '../../contract/problem.ts';
import type { Deps, EntryState, NearMissRow } from './db.ts';
import { type EntryDigest, entryDigests } from './entries-digest.ts';
import { createColumns } from './near-miss-columns.ts';
import type { Scope } from './near-miss-index.ts';
import { askedForAll, narrows, type Asked } from './near-miss-query.ts';
import { getCatalog } from './catalog.ts';
import { captionsField } from './photo-notes.ts';
import { mergePhotos, withNotes, type PhotoView } from './photos.ts';

export interface ListPage {
  readonly rows: readonly NearMissRow[];
  /** Of all pages. */
  readonly total: number;
}

const range = (db: Deps['db'], { account, project_id }: Scope, bin: 0 | 1) =>
  bin === 0
    ? db.near_misses
        .where('[account+project_id+bin+created_at]')
        .between([account, project_id, 0, -Infinity], [account, project_id, 0, Infinity])
    : db.near_misses
        .where('[account+project_id+bin+removed_at]')
        .between([account, project_id, 1, -Infinity], [account, project_id, 1, Infinity]);

/** Can it be answered from the database's own order, without reading every row? */
export const isPlain = (asked: Asked): boolean =>
  !narrows(asked) && asked.sort === (asked.bin === 0 ? null : '-removed_at');

/** The active ones that were reported from `from` on and before `to`. */
export const reportedBetween = (
  { db }: Pick<Deps, 'db'>,
  { account, project_id }: Scope,
  from: number,
  to: number,
): Promise<NearMissRow[]> =>
  db.near_misses
    .where('[account+project_id+bin+created_at]')
    .between([account, project_id, 0, from], [account, project_id, 0, to], true, false)
    .toArray();

export interface ListQuery extends Scope, Partial<Asked> {
  readonly offset: number;
  readonly limit: number;
}

/**
 * A page of the near misses of a project, in its plain order where none is asked for. Anything else reads every row of
 * the project: for few records, and for what must not wait for the index.
 */
export const listNearMisses = async (
  { db }: Pick<Deps, 'db'>,
  { account, project_id, offset, limit, ...asked }: ListQuery,
): Promise<ListPage> => {
  const scope = { account, project_id };
  const plain = { ...askedForAll, sort: asked.bin === 1 ? ('-removed_at' as const) : null };
  const query = { ...plain, ...asked };
  if (isPlain(query)) {
    const rows = range(db, scope, query.bin);
    const [total, page] = await Promise.all([
      rows.count(),
      rows.clone().reverse().offset(offset).limit(limit).toArray(),
    ]);
    return { rows: page, total };
  }
  const columns = createColumns();
  const rows = new Map<string, NearMissRow>();
  for (const row of await range(db, scope, query.bin).toArray()) {
    columns.put(row);
    rows.set(row.key, row);
  }
  const { found } = columns.ask(query);
  return {
    rows: found.slice(offset, offset + limit).flatMap((one) => rows.get(one.key) ?? []),
    total: found.length,
  };
};

/** One record with the first of its photos, as a list shows it. */
export interface ListRow {
  readonly row: NearMissRow;
  readonly photo: PhotoView | undefined;
}

const withPhotos = async (
  { db }: Pick<Deps, 'db'>,
  rows: readonly NearMissRow[],
): Promise<ListRow[]> => {
  // One question per record, all at once: a cursor over them would wait for each in turn.
  const of = ({ key }: NearMissRow) => db.photos.where('near_miss_key').equals(key).toArray();
  const lane = ({ key }: NearMissRow) => db.entries.where('lane').equals(key).toArray();
  const [photos, lanes] = await Promise.all([
    Promise.all(rows.map(of)),
    Promise.all(rows.map(lane)),
  ]);
  const shown = rows.map((row, at) => mergePhotos(row, photos[at] ?? [], lanes[at] ?? []));
  const told = rows.find((row, at) => (shown[at]?.length ?? 0) > 1 && saysLines(row));
  const catalog = told && (await getCatalog({ db }, told.account, told.project_id));
  const field = captionsField(catalog?.catalog.custom_field_definitions ?? []);
  return rows.map((row, at) => ({ row, photo: withNotes(row, shown[at] ?? [], field)[0] }));
};

/** An order of photos may be among them: without one the catalog, the largest row of the database, is not read for a list. */
const saysLines = ({ fields }: NearMissRow): boolean =>
  Object.values(fields.custom_fields).some(
    (value) => typeof value === 'string' && value.includes('\n'),
  );

/** Rows for places of an answer of the index; one that is gone meanwhile is undefined. */
export const rowsOf = async (
  deps: Pick<Deps, 'db'>,
  keys: readonly string[],
): Promise<readonly (ListRow | undefined)[]> => {
  const rows = await deps.db.near_misses.bulkGet([...keys]);
  const shown = await withPhotos(
    deps,
    rows.filter((row) => row !== undefined),
  );
  const by = new Map(shown.map((one) => [one.row.key, one]));
  return keys.map((key) => by.get(key));
};

/** Rows by their places, the first at `from`; the held one stays where no row takes its place. */
export const placed = (
  rows: readonly (ListRow | undefined)[],
  from: number,
  held_at = 0,
  held?: ListRow,
): ReadonlyMap<number, ListRow> =>
  new Map([
    ...(held === undefined ? [] : [[held_at, held] as const]),
    ...rows.flatMap((row, at) => (row === undefined ? [] : [[from + at, row] as const])),
  ]);

/** Rows of the plain order, before the index is there. */
export const plainRows = async (
  deps: Pick<Deps, 'db'>,
  scope: Scope,
  bin: 0 | 1,
  from: number,
  to: number,
): Promise<readonly ListRow[]> =>
  withPhotos(
    deps,
    await range(deps.db, scope, bin)
      .reverse()
      .offset(from)
      .limit(to - from)
      .toArray(),
  );

export const countPlain = ({ db }: Pick<Deps, 'db'>, scope: Scope, bin: 0 | 1): Promise<number> =>
  range(db, scope, bin).count();

/** One near miss, active or recycled. */
export const getNearMiss = ({ db }: Pick<Deps, 'db'>, key: string) => db.near_misses.get(key);

/** How a record waits. */
interface WaitingRecord {
  /** The worst: one parked entry makes it `parked`. */
  readonly state: EntryState;
  readonly photos: number;
  /** What was refused of its text and fields, to be put right in the form. */
  readonly refused: Extract<Problem, { kind: 'refused' | 'bad_input' }> | null;
}

const refusedOf = ({ photo, state, problem }: EntryDigest): WaitingRecord['refused'] =>
  state === 'parked' &&
  photo === null &&
  (problem?.kind === 'refused' || problem?.kind === 'bad_input')
    ? problem
    : null;

/** By record. Those with nothing waiting are not in it. */
export const waitingRecords = async (
  { db }: Pick<Deps, 'db'>,
  account: string,
): Promise<ReadonlyMap<string, WaitingRecord>> => {
  const order: readonly EntryState[] = ['waiting', 'sending', 'parked'];
  const out = new Map<string, WaitingRecord>();
  for (const entry of await entryDigests(db, account)) {
    const had = out.get(entry.lane) ?? { state: 'waiting', photos: 0, refused: null };
    out.set(entry.lane, {
      state: order.indexOf(entry.state) > order.indexOf(had.state) ? entry.state : had.state,
      photos: had.photos + (entry.photo === null ? 0 : 1),
      refused: had.refused ?? refusedOf(entry),
    });
  }
  return out;
};

/** Is there any in the project, of whatever time, outside the recycle bin? */
export const hasNearMisses = async ({ db }: Pick<Deps, 'db'>, scope: Scope): Promise<boolean> =>
  (await range(db, scope, 0).limit(1).count()) > 0;
