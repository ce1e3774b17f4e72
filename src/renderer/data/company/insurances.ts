/**
 * Edits and reads the insurances of vendors. Every change is one operation in the vendor's lane, then the host's journal,
 * then the result, so it works the same offline.
 */
import { ulid } from 'ulid';
import { fail, ok, type Result } from '../../../contract/problem.ts';
import type {
  Insurance,
  InsuranceSyncItem,
  InsuranceWrite,
} from '../../../contract/rest/insurances.ts';
import { recordKeyOf } from '../../operations/operation.ts';
import { insurance as queued } from '../../operations/queued.ts';
import { dropOperation, type QueueChange, replaceOperation } from '../../outbox/queue/enqueue.ts';
import { provablyNotSent } from '../../outbox/queue/operation-life.ts';
import { changeQueue } from '../../outbox/queue/change.ts';
import {
  enqueueIn,
  operationsUnder,
  isAskedAbout,
  laneOperations,
  type Place,
} from '../near-misses/pending-operations.ts';
import { lanesOf } from '../model/lanes.ts';
import { fetchedOf, markFetched } from './fetched.ts';
import type { Deps, InsuranceRow, OutboxOperation, SpotterDb } from '../db/db.ts';
import { mirror } from '../db/mirror.ts';
import {
  insuranceChanges,
  type InsuranceFields,
  insuranceLane,
  insuranceName,
  type InsuranceTarget,
  type InsuranceView,
  newInsurance,
  serverInsuranceKey,
  showInsurances,
} from './insurance-rows.ts';

const tables = (db: SpotterDb) => [db.insurances];

const laneOf = ({ account, project_id, vendor_id }: InsuranceTarget): string =>
  insuranceLane(account, project_id, vendor_id);

/** liveQuery: the insurances of a vendor, with pending edits applied. */
export const listInsurances = async (
  { db }: Pick<Deps, 'db'>,
  target: InsuranceTarget,
): Promise<readonly InsuranceView[]> => {
  const { account, project_id, vendor_id } = target;
  const rows = await db.insurances.where({ account, project_id, vendor_id }).toArray();
  return showInsurances(rows, await laneOperations(db, laneOf(target)));
};

/** liveQuery: all local insurances of the project, by vendor. */
export const insurancesByVendor = async (
  { db }: Pick<Deps, 'db'>,
  { account, project_id }: Place,
): Promise<ReadonlyMap<number, readonly InsuranceView[]>> => {
  const rows = await db.insurances
    .where('[account+project_id+vendor_id]')
    .between([account, project_id, -Infinity], [account, project_id, Infinity])
    .toArray();
  const operations = await operationsUnder(db, `${lanesOf('insurances', account, project_id)}-`);
  return Map.groupBy(showInsurances(rows, operations), (view) => view.vendor_id);
};

/** For a parked change with a conflict: its values, and the other person's values of the same fields. */
export const disputeOf = async (
  { db }: Pick<Deps, 'db'>,
  operation_id: string,
): Promise<{
  readonly mine: InsuranceWrite;
  readonly theirs: Readonly<Record<string, unknown>>;
} | null> => {
  const operation = queued.update.read(await db.operations.get(operation_id));
  const theirs = operation?.checkpoint.theirs;
  return operation === null || theirs === undefined
    ? null
    : { mine: operation.payload.changes, theirs };
};

const isOf =
  (key: string) =>
  (operation: OutboxOperation): boolean =>
    recordKeyOf(operation) === key;

const queueNew = (
  deps: Deps,
  change: QueueChange,
  target: InsuranceTarget,
  fields: InsuranceFields,
): Promise<OutboxOperation> => {
  const { account, company_id, project_id, vendor_id } = target;
  const made = queued.create({
    key: laneOf(target),
    company_id,
    project_id,
    vendor_id,
    record_key: ulid(),
    insurance: insuranceChanges(newInsurance, fields),
    about: insuranceName(fields),
  });
  return enqueueIn(deps, change, account, made);
};

const queueUpdate = async (
  deps: Deps,
  change: QueueChange,
  target: InsuranceTarget,
  { view, fields }: { readonly view: InsuranceView; readonly fields: InsuranceFields },
): Promise<void> => {
  const { db, clock } = deps;
  const changes = insuranceChanges(view.fields, fields);
  if (Object.keys(changes).length === 0) return;
  const about = insuranceName(fields);
  const lane = await laneOperations(db, laneOf(target));
  const own = lane.filter(isOf(view.key));
  const [create] = queued.create.in(own);
  if (create !== undefined && provablyNotSent(create)) {
    const insurance = { ...create.payload.insurance, ...changes };
    const next = queued.create({ ...create.payload, insurance, about });
    await replaceOperation(db, change, create, next, clock.now());
    return;
  }
  const base = Object.fromEntries(
    Object.keys(changes).map((name) => [name, view.fields[name as keyof InsuranceFields]]),
  );
  // Merge into the lane's last operation unless it is being sent. Sending the same fields twice is harmless, whatever the
  // earlier attempt did.
  const last = queued.update.read(lane.at(-1));
  if (last !== null && last.state !== 'sending' && isOf(view.key)(last)) {
    const { payload: had, checkpoint } = last;
    const asked = isAskedAbout(view.waiting, last) ? checkpoint.theirs : {};
    const next = queued.update({
      ...had,
      about,
      changes: { ...had.changes, ...changes },
      base: { ...base, ...had.base, ...asked },
    });
    await replaceOperation(db, change, last, next, clock.now());
    return;
  }
  const { account, company_id, project_id, vendor_id } = target;
  const made = queued.update({
    key: laneOf(target),
    company_id,
    project_id,
    vendor_id,
    about,
    record_key: view.key,
    server_id: view.server_id,
    changes,
    base,
  });
  await enqueueIn(deps, change, account, made);
};

/** Saves a new insurance (`view` null) or edits an existing one. `ok` means saved on this laptop. */
export const saveInsurance = (
  deps: Deps,
  target: InsuranceTarget,
  view: InsuranceView | null,
  fields: InsuranceFields,
): Promise<Result<null>> =>
  changeQueue(deps, tables, async (change) => {
    if (view === null) await queueNew(deps, change, target, fields);
    else await queueUpdate(deps, change, target, { view, fields });
    return null;
  });

/**
 * Deletes an insurance. `cancelled`: it was never sent and leaves no trace. `queued`: the deletion is sent later.
 * `conflict`: its create is parked and the server may have it, so it has to be sent first.
 */
export const removeInsurance = async (
  deps: Deps,
  target: InsuranceTarget,
  view: InsuranceView,
): Promise<Result<'cancelled' | 'queued'>> => {
  const done = await changeQueue(deps, tables, async (change) => {
    const own = (await laneOperations(deps.db, laneOf(target))).filter(isOf(view.key));
    const [create] = queued.create.in(own);
    if (create !== undefined && provablyNotSent(create)) {
      for (const operation of own) await dropOperation(deps.db, change, operation);
      return 'cancelled' as const;
    }
    if (create?.state === 'parked') return 'conflict' as const;
    for (const operation of queued.update.in(own))
      if (provablyNotSent(operation)) await dropOperation(deps.db, change, operation);
    const { account, company_id, project_id, vendor_id } = target;
    const made = queued.delete({
      key: laneOf(target),
      company_id,
      project_id,
      vendor_id,
      record_key: view.key,
      server_id: view.server_id,
      about: insuranceName(view.fields),
    });
    await enqueueIn(deps, change, account, made);
    return 'queued' as const;
  });
  if (!done.ok) return done;
  return done.value === 'conflict'
    ? fail({ kind: 'conflict', status: 409, messages: [] })
    : ok(done.value);
};

export interface SyncLine {
  /** Line number in the file, counted from 1 including the heading. */
  readonly row: number;
  readonly item: InsuranceSyncItem;
}

/** Lines per request: the API takes 1,000, but a line of the journal should stay small. */
const SYNC_LINES = 500;

/** Queues the lines of a file in order. Returns the number of requests. */
export const queueSync = (
  deps: Deps,
  place: Omit<InsuranceTarget, 'vendor_id'>,
  file: string,
  by_vendor: ReadonlyMap<number, readonly SyncLine[]>,
): Promise<Result<number>> =>
  changeQueue(deps, tables, async (change) => {
    let requests = 0;
    const { account, company_id, project_id } = place;
    for (const [vendor_id, lines] of by_vendor)
      for (let at = 0; at < lines.length; at += SYNC_LINES) {
        const part = lines.slice(at, at + SYNC_LINES);
        const made = queued.sync({
          key: laneOf({ ...place, vendor_id }),
          company_id,
          project_id,
          vendor_id,
          about: file,
          rows: part.map(({ row }) => row),
          updates: part.map(({ item }) => item),
        });
        await enqueueIn(deps, change, account, made);
        requests += 1;
      }
    return requests;
  });

const FETCHED = 'vendor_fetched';

/** liveQuery: the vendors with insurances fetched from the server, even if there were none. */
export const vendorsFetched = (
  deps: Pick<Deps, 'db'>,
  place: Place,
): Promise<ReadonlySet<number>> => fetchedOf(deps, FETCHED, place);

export const refreshInsurances = async (
  deps: Deps,
  { account, company_id, project_id, vendor_id }: InsuranceTarget,
): Promise<Result<null>> => {
  const { insurances } = deps.db;
  const place = { account, company_id, project_id, vendor_id };
  const done = await mirror<Insurance, InsuranceRow>(deps, {
    table: insurances,
    ask: (query) =>
      deps.host.request('insurances.list', { params: { project_id, vendor_id }, query }, account),
    known: (copies) =>
      insurances
        .where('[account+server_id]')
        .anyOf(copies.map(({ id }) => [account, id]))
        .toArray(),
    idOf: ({ id }) => id,
    rowIdOf: ({ server_id }) => server_id,
    rowOf: (server, had, seen_at) => {
      const key = had?.key ?? serverInsuranceKey(account, server.id);
      return { ...place, key, server_id: server.id, server, seen_at };
    },
    held: () => insurances.where({ account, project_id, vendor_id }).toArray(),
    drop: (rows) => insurances.bulkDelete(rows.map(({ key }) => key)),
  });
  if (!done.ok) return done;
  await markFetched(deps, FETCHED, place, vendor_id);
  return ok(null);
};
