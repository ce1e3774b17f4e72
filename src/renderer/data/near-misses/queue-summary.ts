/**
 * Keeps a summary of every queue operation in memory, for counts and lists. It reads all operations once, then only changed
 * ones, from this window or another. With ten thousand operations a query over all of them takes most of a second and
 * blocks every write meanwhile. It derives from the database alone: a fresh read gives the same summary.
 */
import { Dexie, type ObservabilitySet } from 'dexie';
import type { Problem } from '../../../contract/problem.ts';
import type { OperationState, OutboxOperation, SpotterDb } from '../db/db.ts';
import { bytesOf } from '../../operations/operation.ts';
import { incidentNeeded } from '../model/incident-ids.ts';

export interface OperationSummary {
  readonly id: string;
  readonly seq: number;
  readonly account: string;
  readonly lane: string;
  readonly kind: string;
  readonly state: OperationState;
  /** Set only for an operation that uploads bytes. */
  readonly photo: { readonly photo_id: string; readonly size: number } | null;
  readonly photo_pace: OutboxOperation['photo_pace'];
  /** The last failure of a waiting operation, or the problem a person has to resolve. */
  readonly problem: Problem | null;
  /** True while the operation backs off after a failure. */
  readonly resting: boolean;
  /** Lane of the locally created incident that must be delivered first. */
  readonly needs: string | null;
  /** True once all bytes of the photo are on the server. */
  readonly uploaded: boolean;
}

const digestOf = (operation: OutboxOperation): OperationSummary => {
  const bytes = bytesOf(operation);
  return {
    id: operation.id,
    seq: operation.seq,
    account: operation.account,
    lane: operation.lane,
    kind: operation.kind,
    state: operation.state,
    photo_pace: operation.photo_pace,
    photo: bytes && { photo_id: bytes.photo.photo_id, size: bytes.photo.size },
    problem: operation.last_problem,
    resting: operation.state === 'waiting' && operation.next_try_at !== null,
    needs: incidentNeeded(operation)?.lane ?? null,
    uploaded: bytes?.uploaded ?? false,
  };
};

/** A node of Dexie's range set as other windows send it: a plain object. */
interface Ranges {
  readonly from?: unknown;
  readonly to?: unknown;
  readonly l?: Ranges | null;
  readonly r?: Ranges | null;
}

/** The changed keys; null when a range is not a single key, so that everything must be read again. */
const keysOf = (ranges: Ranges | null | undefined, into: string[]): string[] | null => {
  if (!ranges || ranges.from === undefined) return into;
  if (typeof ranges.from !== 'string' || ranges.from !== ranges.to) return null;
  into.push(ranges.from);
  return keysOf(ranges.l, into) && keysOf(ranges.r, into);
};

interface Digest {
  operations: Map<string, OperationSummary>;
  changed: Set<string>;
  /** True before the first read, or when the changed keys are unknown. */
  unknown: boolean;
  /** The running read; reads are serialized. */
  reading: Promise<unknown>;
}

/** Rows per read. Other writes may run between two reads. */
const PAGE = 1_000;
/** Above this many changed keys, read all operations instead. */
const CHANGED_MAX = 5_000;

const readAll = async (db: SpotterDb): Promise<Map<string, OperationSummary>> => {
  const operations = new Map<string, OperationSummary>();
  for (let after = ''; ;) {
    const rows = await db.operations.where('id').above(after).limit(PAGE).toArray();
    for (const row of rows) operations.set(row.id, digestOf(row));
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return operations;
    after = last.id;
  }
};

/** Keys that change during this read are collected for the next one. */
const catchUp = async (db: SpotterDb, digest: Digest): Promise<void> => {
  const { unknown, changed } = digest;
  digest.changed = new Set();
  digest.unknown = false;
  try {
    if (unknown || changed.size > CHANGED_MAX) {
      digest.operations = await readAll(db);
      return;
    }
    const keys = [...changed];
    const rows = keys.length === 0 ? [] : await db.operations.bulkGet(keys);
    keys.forEach((key, at) => {
      const row = rows[at];
      if (row === undefined) digest.operations.delete(key);
      else digest.operations.set(key, digestOf(row));
    });
  } catch (error) {
    digest.unknown = true;
    throw error;
  }
};

const digests = new WeakMap<SpotterDb, Digest>();

const digestFor = (db: SpotterDb): Digest => {
  const had = digests.get(db);
  if (had !== undefined) return had;
  const digest: Digest = {
    operations: new Map(),
    changed: new Set(),
    unknown: true,
    reading: Promise.resolve(),
  };
  const part = `idb://${db.name}/operations/`;
  const note = (parts: ObservabilitySet): void => {
    if (!db.isOpen()) {
      // The database was closed or reopened: drop this summary, so that a new one is read.
      Dexie.on.storagemutated.unsubscribe(note);
      digests.delete(db);
      return;
    }
    const keys = part in parts ? keysOf(parts[part] as unknown as Ranges, []) : [];
    if (keys === null) digest.unknown = true;
    else for (const key of keys) digest.changed.add(key);
  };
  Dexie.on('storagemutated', note);
  digests.set(db, digest);
  return digest;
};

/**
 * liveQuery: the summary of every operation on this laptop, unordered. Runs again whenever any operation changes. Rejects if
 * the database cannot be read.
 */
export const allOperationSummaries = async (
  db: SpotterDb,
): Promise<readonly OperationSummary[]> => {
  const digest = digestFor(db);
  // Makes the liveQuery observe the whole table. The change that reran the query is noted by the time this resolves.
  await db.operations.limit(1).toArray();
  digest.reading = digest.reading
    .catch(() => undefined)
    .then(() => Dexie.ignoreTransaction(() => catchUp(db, digest)));
  await digest.reading;
  return [...digest.operations.values()];
};

export const operationSummaries = async (
  db: SpotterDb,
  account: string,
): Promise<readonly OperationSummary[]> =>
  (await allOperationSummaries(db)).filter((operation) => operation.account === account);
