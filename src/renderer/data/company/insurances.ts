/**
 * Insurances of vendors: what a person does to them and how the screen reads them. Every change is one entry of the vendor's
 * lane, then the host's journal, then the answer: it works the same with no network.
 */
import { ulid } from 'ulid';
import { fail, ok, type Result } from '../../../contract/problem.ts';
import type {
  Insurance,
  InsuranceSyncItem,
  InsuranceWrite,
} from '../../../contract/rest/insurances.ts';
import { recordKeyOf } from '../../entries/entry.ts';
import { insurance as queued } from '../../entries/queued.ts';
import { dropEntry, type QueueChange, replaceEntry } from '../../outbox/enqueue.ts';
import { neverDone } from '../../outbox/entry-life.ts';
import { changeQueue } from '../../outbox/change.ts';
import {
  enqueueIn,
  entriesUnder,
  isAskedAbout,
  laneEntries,
  type Place,
} from '../waiting-entries.ts';
import { lanesOf } from '../lanes.ts';
import { fetchedOf, markFetched } from './fetched.ts';
import type { Deps, InsuranceRow, OutboxEntry, SpotterDb } from '../db.ts';
import { mirror } from '../mirror.ts';
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

/** liveQuery: the insurances of a vendor, with what waits on top. */
export const listInsurances = async (
  { db }: Pick<Deps, 'db'>,
  target: InsuranceTarget,
): Promise<readonly InsuranceView[]> => {
  const { account, project_id, vendor_id } = target;
  const rows = await db.insurances.where({ account, project_id, vendor_id }).toArray();
  return showInsurances(rows, await laneEntries(db, laneOf(target)));
};

/** liveQuery: all that this laptop knows of the project, by vendor. */
export const insurancesByVendor = async (
  { db }: Pick<Deps, 'db'>,
  { account, project_id }: Place,
): Promise<ReadonlyMap<number, readonly InsuranceView[]>> => {
  const rows = await db.insurances
    .where('[account+project_id+vendor_id]')
    .between([account, project_id, -Infinity], [account, project_id, Infinity])
    .toArray();
  const entries = await entriesUnder(db, `${lanesOf('insurances', account, project_id)}-`);
  return Map.groupBy(showInsurances(rows, entries), (view) => view.vendor_id);
};

/** What others changed in the fields that a parked change of this record changes too. */
export const disputeOf = async (
  { db }: Pick<Deps, 'db'>,
  entry_id: string,
): Promise<{
  readonly mine: InsuranceWrite;
  readonly theirs: Readonly<Record<string, unknown>>;
} | null> => {
  const entry = queued.update.read(await db.entries.get(entry_id));
  const theirs = entry?.checkpoint.theirs;
  return entry === null || theirs === undefined ? null : { mine: entry.payload.changes, theirs };
};

const isOf =
  (key: string) =>
  (entry: OutboxEntry): boolean =>
    recordKeyOf(entry) === key;

const queueNew = (
  deps: Deps,
  change: QueueChange,
  target: InsuranceTarget,
  fields: InsuranceFields,
): Promise<OutboxEntry> => {
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
  const lane = await laneEntries(db, laneOf(target));
  const own = lane.filter(isOf(view.key));
  const [create] = queued.create.in(own);
  if (create !== undefined && neverDone(create)) {
    const insurance = { ...create.payload.insurance, ...changes };
    const next = queued.create({ ...create.payload, insurance, about });
    await replaceEntry(db, change, create, next, clock.now());
    return;
  }
  const base = Object.fromEntries(
    Object.keys(changes).map((name) => [name, view.fields[name as keyof InsuranceFields]]),
  );
  // The last thing that waits in the lane, and not on its way: the same fields once more do no harm, whatever came of it.
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
    await replaceEntry(db, change, last, next, clock.now());
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

/** Saves a new insurance (`view` null) or the changes of one. Ok means: saved on this laptop. */
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
 * Deletes one: never sent it leaves no trace, else it goes when the queue moves. `conflict`: it was given up while nobody knows
 * whether the server has it; it has to be sent first.
 */
export const removeInsurance = async (
  deps: Deps,
  target: InsuranceTarget,
  view: InsuranceView,
): Promise<Result<'taken_back' | 'queued'>> => {
  const done = await changeQueue(deps, tables, async (change) => {
    const own = (await laneEntries(deps.db, laneOf(target))).filter(isOf(view.key));
    const [create] = queued.create.in(own);
    if (create !== undefined && neverDone(create)) {
      for (const entry of own) await dropEntry(deps.db, change, entry);
      return 'taken_back' as const;
    }
    if (create?.state === 'parked') return 'conflict' as const;
    for (const entry of queued.update.in(own))
      if (neverDone(entry)) await dropEntry(deps.db, change, entry);
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
  /** Of the file, counted from 1 with its heading. */
  readonly row: number;
  readonly item: InsuranceSyncItem;
}

/** Lines of one request: the API takes 1,000, a journal's line is kept small. */
export const SYNC_LINES = 500;

/** Queues the lines of a file, in its order. Answers the number of requests. */
export const queueSync = (
  deps: Deps,
  target: InsuranceTarget,
  file: string,
  lines: readonly SyncLine[],
): Promise<Result<number>> =>
  changeQueue(deps, tables, async (change) => {
    let requests = 0;
    const { account, company_id, project_id, vendor_id } = target;
    for (let at = 0; at < lines.length; at += SYNC_LINES) {
      const part = lines.slice(at, at + SYNC_LINES);
      const made = queued.sync({
        key: laneOf(target),
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

/** liveQuery: the vendors of which this laptop has had the server's insurances, were there some or none. */
export const vendorsFetched = (
  deps: Pick<Deps, 'db'>,
  place: Place,
): Promise<ReadonlySet<number>> => fetchedOf(deps, FETCHED, place);

/** Brings a vendor's insurances up to date. */
export const refreshInsurances = async (
  deps: Deps,
  { account, company_id, project_id, vendor_id }: InsuranceTarget,
): Promise<Result<null>> => {
  const { insurances } = deps.db;
  const place = { account, company_id, project_id, vendor_id };
  const done = await mirror<Insurance, InsuranceRow>(deps, {
    table: insurances,
    ask: (query) =>
      deps.host.request('insurances.list', { params: { project_id, vendor_id }, query }),
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
