/**
 * The queue as the waiting screen and the header show it, always derived from the store and never counted separately.
 * Also the actions of a person on an item: retry, hold back, cancel.
 */
import type { Problem, Result } from '../../../contract/problem.ts';
import { fail, ok } from '../../../contract/problem.ts';
import type {
  Deps,
  OperationState,
  NearMissRow,
  OutboxOperation,
  PhotoRow,
  QuarantineRow,
} from '../../data/db/db.ts';
import { operationSummaries } from '../../data/near-misses/queue-summary.ts';
import { overlay } from '../../data/model/near-miss-rows.ts';
import { draftQueuedComments } from '../../data/comments/comment-drafts.ts';
import { reviveDraft } from '../../data/near-misses/drafts.ts';
import { incidentNeeded } from '../../data/model/incident-ids.ts';
import { waitingFor } from '../../data/near-misses/incidents.ts';
import { discardBytes } from '../../data/photos/discard-bytes.ts';
import { changeQueue } from './change.ts';
import { dropOperation, replaceOperation } from './enqueue.ts';
import { type CompanyLane, companyLaneOf } from '../../data/model/lanes.ts';
import { tmEntryOf } from '../../data/company/tm-rows.ts';
import {
  requeued,
  bytesOf,
  operationOf,
  foundRecycled,
  makesIncident,
  makesNearMiss,
  nameOf,
  retryCheckpointOf,
  cancelledWith,
} from '../../operations/operation.ts';
import type { RequeueMode } from '../../operations/spec.ts';
import { provablyNotSent } from './operation-life.ts';
import { rowsOf } from '../handlers/index.ts';
import { dropRows } from '../handlers/optimistic-rows.ts';

/** The banner: why the whole queue stands still, and when it retries. */
export interface OpenBreaker {
  readonly account: string;
  readonly problem: Problem;
  /** Failures in a row. */
  readonly tries: number;
  readonly since: number;
  /** Milliseconds since the epoch; null: it waits for the user (signed out, keychain locked). */
  readonly next_try_at: number | null;
}

export interface QueuedOperation {
  readonly id: string;
  readonly kind: string;
  readonly state: OperationState;
  readonly attempts: number;
  readonly next_try_at: number | null;
  readonly problem: Problem | null;
  /**
   * Last finished step of a photo: `uploaded`, `associated`; null before. Live bytes come as `photo.progress` events.
   */
  readonly step: 'uploaded' | 'associated' | null;
  /** Set for a photo.send, and for a file of a time-and-material entry. */
  readonly photo: {
    readonly photo_id: string;
    readonly filename: string;
    readonly size: number;
  } | null;
  /** Whether a person paused its bytes or forced them (upload-policy.ts). */
  readonly pace?: OutboxOperation['photo_pace'];
  /** The name of a company's own record (data/model/lanes.ts); '' for all others. */
  readonly about: string;
  readonly created_at: number;
  /** True if it can be cancelled without a trace, that is until the server may know of it. */
  readonly can_take_back: boolean;
}

/** All queued operations of one record. */
export interface QueueItem {
  readonly key: string;
  readonly project_id: number | null;
  readonly title: string;
  readonly full_number: string;
  /** Set for files of a time-and-material entry instead of a near miss. Its `id` is null if no server reported it. */
  readonly tm_entry: { readonly id: number | null } | null;
  /** Set for a company's own records (such as insurances, members or webhooks) instead of a near miss. */
  readonly company: CompanyLane | null;
  readonly state: OperationState;
  /** Bytes of the queued photos. */
  readonly bytes: number;
  /** True if the server has the record itself. */
  readonly on_server: boolean;
  /** The record's photos on this laptop with a verified server copy. */
  readonly delivered_photos: number;
  /** Set if an operation was refused because the server has no such record: it is in the recycle bin, or gone for good. */
  readonly missing: 'recycled' | 'gone' | null;
  /** The title of the locally opened incident that must be sent first; null if there is none. */
  readonly waits_for: string | null;
  /** For a locally opened incident: the number of operations that wait for it. */
  readonly needed_by: number;
  readonly operations: readonly QueuedOperation[];
}

export interface QueueCounts {
  /** Records with anything waiting, sending or parked. */
  readonly records: number;
  readonly operations: number;
  readonly photos: number;
  /** Bytes of the queued photos. */
  readonly bytes: number;
  readonly parked: number;
  readonly sending: number;
  readonly sending_records: number;
  readonly quarantined: number;
  /** Parked operations that "Send all again" would send. */
  readonly again: number;
  /** The last problem of an operation in backoff; null if there is none. */
  readonly trouble: Problem | null;
}

const photoOf = (operation: OutboxOperation): QueuedOperation['photo'] => {
  const bytes = bytesOf(operation);
  if (bytes === null) return null;
  const { photo_id, filename, size } = bytes.photo;
  return { photo_id, filename, size };
};

const view = (operation: OutboxOperation): QueuedOperation => ({
  id: operation.id,
  kind: operation.kind,
  state: operation.state,
  attempts: operation.attempts,
  next_try_at: operation.next_try_at,
  problem: operation.last_problem,
  step: bytesOf(operation)?.step ?? null,
  photo: photoOf(operation),
  pace: operation.photo_pace,
  about: nameOf(operation) ?? '',
  created_at: operation.created_at,
  can_take_back: provablyNotSent(operation),
});

const worst = (states: readonly OperationState[]): OperationState =>
  states.includes('parked') ? 'parked' : states.includes('sending') ? 'sending' : 'waiting';

const missingOf = (
  lane: readonly OutboxOperation[],
  row: NearMissRow | undefined,
): QueueItem['missing'] => {
  const gone = lane.filter(
    (operation) => operation.state === 'parked' && operation.last_problem?.kind === 'gone',
  );
  if (gone.length === 0) return null;
  const recycled =
    gone.some((operation) => foundRecycled(operation) === true) || Boolean(row?.server?.deleted_at);
  return recycled ? 'recycled' : 'gone';
};

/** The first lanes to show: parked ones, those being sent, then the rest in order. */
const firstLanes = async (
  { db }: Pick<Deps, 'db'>,
  account: string,
  limit: number,
): Promise<readonly string[]> => {
  const lanes = new Set<string>();
  for (const state of ['parked', 'sending', 'waiting'] as const)
    await db.operations
      .where('[account+state+seq]')
      .between([account, state, -Infinity], [account, state, Infinity])
      .until(() => lanes.size >= limit)
      .each((operation) => {
        if (lanes.size < limit) lanes.add(operation.lane);
      });
  return [...lanes];
};

/**
 * For near misses: the locally opened incident they wait for. For such incidents: the number of operations that wait for
 * them.
 */
const incidentsOf = async (
  { db }: Pick<Deps, 'db'>,
  lanes: ReadonlyMap<string, readonly OutboxOperation[]>,
) => {
  const needed = new Map(
    [...lanes].flatMap(([lane, operations]) => {
      const need = operations.map(incidentNeeded).find((one) => one !== null);
      return need ? [[lane, need.lane] as const] : [];
    }),
  );
  const waiting = await db.operations
    .where('lane')
    .anyOf([...new Set(needed.values())])
    .toArray();
  const titles = new Map(waiting.map((operation) => [operation.lane, nameOf(operation) ?? '']));
  const needed_by = new Map<string, number>();
  for (const [lane, [first]] of lanes)
    if (first && makesIncident(first)) needed_by.set(lane, await waitingFor(db, first));
  return {
    waits_for: (lane: string) => titles.get(needed.get(lane) ?? '') ?? null,
    needed_by: (lane: string) => needed_by.get(lane) ?? 0,
  };
};

const itemsInside = async (
  deps: Pick<Deps, 'db'>,
  account: string,
  limit: number,
): Promise<readonly QueueItem[]> => {
  const { db } = deps;
  const keys = await firstLanes(deps, account, limit);
  const all = await db.operations.where('lane').anyOf(keys).sortBy('seq');
  const lanes = Map.groupBy(
    all.filter((operation) => operation.account === account),
    (operation) => operation.lane,
  );
  const rows = await db.near_misses.bulkGet([...keys]);
  const incidents = await incidentsOf(deps, lanes);
  const delivered = Map.groupBy(
    await db.photos
      .where('near_miss_key')
      .anyOf(keys)
      .and((photo) => photo.state === 'delivered')
      .toArray(),
    (photo) => photo.near_miss_key ?? '',
  );
  return keys.map((key, index) => {
    const operations = (lanes.get(key) ?? []).map(view);
    const row = rows[index];
    const tm = tmEntryOf(key);
    const company = companyLaneOf(key);
    return {
      key,
      company,
      project_id: row?.project_id ?? tm?.project_id ?? company?.project_id ?? null,
      tm_entry: tm === null ? null : { id: tm.id },
      title: row?.title ?? '',
      full_number: row?.full_number ?? '',
      state: worst(operations.map((operation) => operation.state)),
      bytes: operations.reduce((sum, operation) => sum + (operation.photo?.size ?? 0), 0),
      on_server:
        tm !== null ||
        company !== null ||
        (row?.server_id !== null && row?.server_id !== undefined),
      delivered_photos: delivered.get(key)?.length ?? 0,
      missing: company === null ? missingOf(lanes.get(key) ?? [], row) : null,
      waits_for: incidents.waits_for(key),
      needed_by: incidents.needed_by(key),
      operations,
    };
  });
};

/**
 * liveQuery: the account's queue by record: parked first, then those being sent, then the rest, each oldest first.
 * Reads only what it shows, in one transaction, so that an operation claimed meanwhile is never missed.
 */
export const queueItems = (
  deps: Pick<Deps, 'db'>,
  account: string,
  limit = Infinity,
): Promise<readonly QueueItem[]> => {
  const { db } = deps;
  const tables = [db.operations, db.near_misses, db.photos];
  return db.transaction('r', tables, () => itemsInside(deps, account, limit));
};

/**
 * True for a parked operation that may be sent again unchanged in a batch. Excludes operations that need an individual
 * decision (conflict, possible duplicate, no place for photos) and operations that a person held back.
 */
const maySendAgain = ({
  state,
  problem,
}: {
  readonly state: OperationState;
  readonly problem: Problem | null;
}): boolean =>
  state === 'parked' &&
  problem !== null &&
  !['conflict', 'outcome_unknown', 'no_photo_place'].includes(problem.kind);

const sendingOf = (
  operations: readonly { readonly state: OperationState; readonly lane: string }[],
): Pick<QueueCounts, 'sending' | 'sending_records'> => {
  const going = operations.filter((operation) => operation.state === 'sending');
  return { sending: going.length, sending_records: new Set(going.map(({ lane }) => lane)).size };
};

/** liveQuery: the header's numbers. */
export const queueCounts = async (
  deps: Pick<Deps, 'db'>,
  account: string,
): Promise<QueueCounts> => {
  const operations = await operationSummaries(deps.db, account);
  return {
    records: new Set(operations.map((operation) => operation.lane)).size,
    operations: operations.length,
    photos: operations.filter((operation) => operation.photo !== null).length,
    bytes: operations.reduce((sum, operation) => sum + (operation.photo?.size ?? 0), 0),
    parked: operations.filter((operation) => operation.state === 'parked').length,
    ...sendingOf(operations),
    again: operations.filter(maySendAgain).length,
    trouble: operations.find(({ resting }) => resting)?.problem ?? null,
    quarantined: await deps.db.quarantine.where('account').equals(account).count(),
  };
};

/** liveQuery: why the queue stands still, or null. */
export const openBreakerOf = async (
  { db }: Pick<Deps, 'db'>,
  account: string,
): Promise<OpenBreaker | null> => {
  const hold = ((await db.meta.get('hold'))?.value as OpenBreaker | null | undefined) ?? null;
  return hold?.account === account ? hold : null;
};

/** liveQuery: operations that this version cannot read. */
export const quarantined = ({ db }: Pick<Deps, 'db'>, account: string): Promise<QuarantineRow[]> =>
  db.quarantine.where('account').equals(account).toArray();

/**
 * Retries parked or delayed operations in their place in the order. A refused operation gets a new idempotency key, because
 * the service keeps the refusal under the old one (decisions §1.5). A field that somebody else changed is compared
 * again, unless the person chose their own value (`mine`).
 */
export const retryNow = async (
  deps: Deps,
  operation_ids: readonly string[],
  sends?: RequeueMode,
): Promise<Result<null>> => {
  const { db } = deps;
  const tables = () => [db.near_misses, db.photos];
  const done = await changeQueue(deps, tables, async (change) => {
    for (const operation of await db.operations.bulkGet([...operation_ids])) {
      if (operation === undefined || operation.state === 'sending') continue;
      const row = await db.near_misses.get(operation.lane);
      if (row !== undefined) change.rows.set(operation.lane, row);
      const photo = photoOf(operation);
      if (photo !== null)
        await db.photos.update(photo.photo_id, { state: 'waiting', problem: null });
      const refused = provablyNotSent(operation) && operation.attempts > 0;
      const read = operationOf(operation);
      const resumed = refused ? retryCheckpointOf(operation) : operation.checkpoint;
      if (resumed === null && read !== null)
        await replaceOperation(db, change, operation, requeued(read, sends), deps.clock.now());
      else
        await db.operations.update(operation.id, {
          state: 'waiting',
          consecutive_failures: 0,
          next_try_at: null,
          last_problem: null,
          checkpoint: resumed ?? operation.checkpoint,
        });
    }
  });
  return done.ok ? ok(null) : done;
};

/**
 * Retries every parked operation that `maySendAgain` accepts.
 * @returns their number
 */
export const sendAllAgain = async (deps: Deps, account: string): Promise<Result<number>> => {
  const parked = await deps.db.operations
    .where('[account+state+seq]')
    .between([account, 'parked', -Infinity], [account, 'parked', Infinity])
    .and(({ state, last_problem }) => maySendAgain({ state, problem: last_problem }))
    .primaryKeys();
  const retried = await retryNow(deps, parked);
  return retried.ok ? ok(parked.length) : retried;
};

/**
 * Holds waiting operations back until the user sends them: parked without a problem. Operations in flight stay as they are.
 */
export const park = async ({ db }: Pick<Deps, 'db'>, operation_ids: readonly string[]) => {
  await db.operations
    .where('id')
    .anyOf([...operation_ids])
    .and((operation) => operation.state === 'waiting')
    .modify({ state: 'parked', next_try_at: null, last_problem: null });
};

/**
 * Cancels one operation. A create becomes a draft again, with its photos and comments; a photo leaves the record; an edit, a delete or a
 * restore is undone. Fails with `conflict`, unchanged, if the server may have it already.
 */
export const cancelOperation = async (deps: Deps, operation_id: string): Promise<Result<null>> => {
  const { db, clock, history } = deps;
  let discard: Pick<PhotoRow, 'photo_id' | 'original'> | null = null;
  const tables = () => [
    db.near_misses,
    db.photos,
    db.drafts,
    db.comment_drafts,
    db.catalogs,
    db.tm_attachments,
  ];
  const free = await changeQueue(deps, tables, async (change) => {
    const operation = await db.operations.get(operation_id);
    if (operation === undefined) return true;
    if (!provablyNotSent(operation)) return false;
    if ((await waitingFor(db, operation)) > 0) return false;
    const lane = await db.operations.where('lane').equals(operation.lane).sortBy('seq');
    const row = await db.near_misses.get(operation.lane);
    if (row !== undefined) change.rows.set(operation.lane, row);
    const goes = cancelledWith(operation, lane);
    if (makesNearMiss(operation)) {
      const key = operation.lane;
      await draftQueuedComments(db, goes, { key, to: key });
      for (const one of goes) await dropOperation(db, change, one);
      await history.forget(db, operation.lane);
      if (row !== undefined) await backToDraft(deps, row);
      return true;
    }
    for (const one of goes) {
      await history.dropped(db, one, clock.now());
      await dropOperation(db, change, one);
    }
    discard = bytesOf(operation)?.photo ?? null;
    const rows = goes.flatMap(rowsOf);
    await dropRows(db, rows);
    if (rows.length === 0 && row !== undefined && row.server !== null) {
      const rest = lane.filter((one) => one !== operation);
      const catalog = (await db.catalogs.get([row.account, row.project_id]))?.catalog ?? null;
      await db.near_misses.put(overlay(row, row.server, rest, catalog, clock.tick()));
    }
    return true;
  });
  if (!free.ok) return free;
  if (!free.value) return fail({ kind: 'conflict', status: 409, messages: [] });
  const gone = discard as Pick<PhotoRow, 'photo_id' | 'original'> | null;
  if (gone !== null) await discardBytes(deps, gone);
  return ok(null);
};

const backToDraft = async ({ db, clock }: Deps, row: NearMissRow): Promise<void> => {
  const { key, account, company_id, project_id, fields, created_at } = row;
  await db.near_misses.delete(key);
  await db.photos
    .where('near_miss_key')
    .equals(key)
    .modify({ near_miss_key: null, draft_id: key, state: 'draft', problem: null });
  await reviveDraft(
    { db, clock },
    { id: key, account, company_id, project_id, fields, created_at },
  );
};
