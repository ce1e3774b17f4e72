/**
 * Reads near misses for the screens, all for liveQuery. The newest page comes from a compound index of the database,
 * so the list appears before its index (near-miss-index.ts) has read every row. Any other filter or order goes to
 * that index.
 */
import type { Problem } from '../../../contract/problem.ts';
import type { Deps, OperationState, NearMissRow } from '../db/db.ts';
import { writesComment } from '../../operations/operation.ts';
import { type OperationSummary, operationSummaries } from '../near-misses/queue-summary.ts';
import { createColumns } from './near-miss-columns.ts';
import type { Scope } from './near-miss-index.ts';
import { askedForAll, narrows, type Asked } from '../model/near-miss-query.ts';
import { getCatalog } from '../db/catalog.ts';
import { captionsField } from '../model/photo-notes.ts';
import { mergePhotos, withNotes, type PhotoView } from '../photos/photos.ts';

export interface ListPage {
  readonly rows: readonly NearMissRow[];
  /** Count over all pages. */
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

/** True if the database's own order answers the query without reading every row. */
export const isPlain = (asked: Asked): boolean =>
  !narrows(asked) && asked.sort === (asked.bin === 0 ? null : '-removed_at');

/** Active records reported at or after `from` and before `to`. */
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
 * A page of a project's near misses, in the default order unless another is given. A filter or another order reads
 * every row of the project, so use that only for few records or when the result must not wait for the index.
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

/** A record with its first photo, as shown in a list. */
export interface ListRow {
  readonly row: NearMissRow;
  readonly photo: PhotoView | undefined;
}

const withPhotos = async (
  { db }: Pick<Deps, 'db'>,
  rows: readonly NearMissRow[],
): Promise<ListRow[]> => {
  // One query per record, all in parallel: a cursor over them would wait for each in turn.
  const of = ({ key }: NearMissRow) => db.photos.where('near_miss_key').equals(key).toArray();
  const lane = ({ key }: NearMissRow) => db.operations.where('lane').equals(key).toArray();
  const [photos, lanes] = await Promise.all([
    Promise.all(rows.map(of)),
    Promise.all(rows.map(lane)),
  ]);
  const shown = rows.map((row, at) => mergePhotos(row, photos[at] ?? [], lanes[at] ?? []));
  const withLines = rows.find((row, at) => (shown[at]?.length ?? 0) > 1 && saysLines(row));
  const catalog = withLines && (await getCatalog({ db }, withLines.account, withLines.project_id));
  const field = captionsField(catalog?.catalog.custom_field_definitions ?? []);
  return rows.map((row, at) => ({ row, photo: withNotes(row, shown[at] ?? [], field)[0] }));
};

/**
 * True if a custom field may contain an order of photos. Otherwise the list need not read the catalog, which is the
 * largest row of the database.
 */
const saysLines = ({ fields }: NearMissRow): boolean =>
  Object.values(fields.custom_fields).some(
    (value) => typeof value === 'string' && value.includes('\n'),
  );

/** Rows for the keys of an index answer; undefined for a record deleted meanwhile. */
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

/** Maps positions to rows, starting at `from`. The held row keeps its position unless another row takes it. */
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

/** Rows in the default order, used before the index is ready. */
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

export const getNearMiss = ({ db }: Pick<Deps, 'db'>, key: string) => db.near_misses.get(key);

interface WaitingRecord {
  /** The worst state of its operations: one parked operation makes it `parked`. */
  readonly state: OperationState;
  readonly photos: number;
  /** True if only comments wait. */
  readonly only_comments: boolean;
  /** Why the server rejected the text or the fields; the person corrects them in the form. */
  readonly refused: Extract<Problem, { kind: 'refused' | 'bad_input' }> | null;
  /** True when someone else changed the same fields, so that a person has to compare. */
  readonly conflict: boolean;
}

/** True for a change of the report itself, which its form shows. */
const changesReport = (operation: OperationSummary): boolean =>
  operation.photo === null && !writesComment(operation);

const refusedOf = (operation: OperationSummary): WaitingRecord['refused'] => {
  const { state, problem } = operation;
  return state === 'parked' &&
    changesReport(operation) &&
    (problem?.kind === 'refused' || problem?.kind === 'bad_input')
    ? problem
    : null;
};

const isDisputed = (operation: OperationSummary): boolean =>
  operation.state === 'parked' &&
  changesReport(operation) &&
  operation.problem?.kind === 'conflict';

/** Queue states by record key. Records without queued operations are absent. */
export const waitingRecords = async (
  { db }: Pick<Deps, 'db'>,
  account: string,
): Promise<ReadonlyMap<string, WaitingRecord>> => {
  const order: readonly OperationState[] = ['waiting', 'sending', 'parked'];
  const out = new Map<string, WaitingRecord>();
  for (const operation of await operationSummaries(db, account)) {
    const had = out.get(operation.lane) ?? {
      state: 'waiting',
      photos: 0,
      only_comments: true,
      refused: null,
      conflict: false,
    };
    out.set(operation.lane, {
      state:
        order.indexOf(operation.state) > order.indexOf(had.state) ? operation.state : had.state,
      photos: had.photos + (operation.photo === null ? 0 : 1),
      only_comments: had.only_comments && writesComment(operation),
      refused: had.refused ?? refusedOf(operation),
      conflict: had.conflict || isDisputed(operation),
    });
  }
  return out;
};

/** True if the project has any active near miss, of any date. */
export const hasNearMisses = async ({ db }: Pick<Deps, 'db'>, scope: Scope): Promise<boolean> =>
  (await range(db, scope, 0).limit(1).count()) > 0;
