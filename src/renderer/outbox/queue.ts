/**
 * The queue as the waiting screen and the header see it: derived from the store, never counted aside. And what a
 * person may do to an item: try it now, hold it back, take it back.
 */
import type { Problem, Result } from '../../contract/problem.ts';
import { fail, ok } from '../../contract/problem.ts';
import type {
  Deps,
  EntryState,
  NearMissRow,
  OutboxEntry,
  PhotoRow,
  QuarantineRow,
} from '../data/db.ts';
import { entryDigests } from '../data/entries-digest.ts';
import { overlay } from '../data/near-miss-rows.ts';
import { reviveDraft } from '../data/drafts.ts';
import { incidentNeeded } from '../data/incident-ids.ts';
import { waitingFor } from '../data/incidents.ts';
import { discardBytes } from '../data/discard-bytes.ts';
import { changeQueue } from './change.ts';
import { dropEntry, replaceEntry } from './enqueue.ts';
import { type CompanyLane, companyLaneOf } from '../data/lanes.ts';
import { tmEntryOf } from '../data/company/tm-rows.ts';
import {
  againOf,
  bytesOf,
  entryOf,
  foundRecycled,
  makesIncident,
  makesNearMiss,
  nameOf,
  resumedNotes,
  takenBackWith,
} from '../entries/entry.ts';
import type { Sends } from '../entries/answers.ts';
import { neverDone } from './entry-life.ts';
import { rowsOf } from './operations/index.ts';
import { dropRows } from './waiting-rows.ts';

/** The one banner: why the whole queue stands still, and when it tries again. */
export interface QueueHold {
  readonly account: string;
  readonly problem: Problem;
  /** How often in a row. */
  readonly tries: number;
  readonly since: number;
  /** Milliseconds since the epoch; null: it waits for the user (signed out, keychain locked). */
  readonly next_try_at: number | null;
}

export interface QueueEntryView {
  readonly id: string;
  readonly kind: string;
  readonly state: EntryState;
  readonly attempts: number;
  readonly next_try_at: number | null;
  readonly problem: Problem | null;
  /** Last finished step of a photo: `uploaded`, `associated`; null before. Live bytes come as `photo.progress` events. */
  readonly step: 'uploaded' | 'associated' | null;
  /** Of a photo.send, and of a file for a time-and-material entry. */
  readonly photo: {
    readonly photo_id: string;
    readonly filename: string;
    readonly size: number;
  } | null;
  /** What a person said of its bytes (photo-pace.ts). */
  readonly pace?: OutboxEntry['photo_pace'];
  /** What a company's own record is called (data/lanes.ts); '' for all others. */
  readonly about: string;
  readonly created_at: number;
  /** May it be taken back without a trace? Not once the server may know of it. */
  readonly can_take_back: boolean;
}

/** Everything that waits for one record. */
export interface QueueItem {
  readonly key: string;
  readonly project_id: number | null;
  readonly title: string;
  readonly full_number: string;
  /** Not a near miss: the files of a time-and-material entry. Its `id` is null where no server told it. */
  readonly tm_entry: { readonly id: number | null } | null;
  /** Not a near miss: insurances of a vendor, members, a webhook. */
  readonly company: CompanyLane | null;
  readonly state: EntryState;
  /** Bytes of the photos that wait. */
  readonly bytes: number;
  /** Has the server the record itself? */
  readonly on_server: boolean;
  /** Of the record's photos on this laptop: those read back and found equal. */
  readonly delivered_photos: number;
  /** Something was refused because the server has no such record: is it in the recycle bin, or gone for good? */
  readonly missing: 'recycled' | 'gone' | null;
  /** What the incident opened here is called that has to be there first; null where nothing has. */
  readonly waits_for: string | null;
  /** Of an incident opened here: near misses that wait for it. */
  readonly needed_by: number;
  readonly entries: readonly QueueEntryView[];
}

export interface QueueCounts {
  /** Records with anything waiting, sending or parked. */
  readonly records: number;
  readonly entries: number;
  readonly photos: number;
  /** Of the photos that wait. */
  readonly bytes: number;
  readonly parked: number;
  /** On their way to the server. */
  readonly sending: number;
  /** Records of which something is on its way. */
  readonly sending_records: number;
  readonly quarantined: number;
  /** Of the parked: what "Send all again" sends. */
  readonly again: number;
  /** What something that waits by itself met last; null: nothing does. */
  readonly trouble: Problem | null;
}

const photoOf = (entry: OutboxEntry): QueueEntryView['photo'] => {
  const bytes = bytesOf(entry);
  if (bytes === null) return null;
  const { photo_id, filename, size } = bytes.photo;
  return { photo_id, filename, size };
};

const view = (entry: OutboxEntry): QueueEntryView => ({
  id: entry.id,
  kind: entry.kind,
  state: entry.state,
  attempts: entry.attempts,
  next_try_at: entry.next_try_at,
  problem: entry.last_problem,
  step: bytesOf(entry)?.step ?? null,
  photo: photoOf(entry),
  pace: entry.photo_pace,
  about: nameOf(entry) ?? '',
  created_at: entry.created_at,
  can_take_back: neverDone(entry),
});

const worst = (states: readonly EntryState[]): EntryState =>
  states.includes('parked') ? 'parked' : states.includes('sending') ? 'sending' : 'waiting';

const missingOf = (
  lane: readonly OutboxEntry[],
  row: NearMissRow | undefined,
): QueueItem['missing'] => {
  const gone = lane.filter(
    (entry) => entry.state === 'parked' && entry.last_problem?.kind === 'gone',
  );
  if (gone.length === 0) return null;
  const recycled =
    gone.some((entry) => foundRecycled(entry) === true) || Boolean(row?.server?.deleted_at);
  return recycled ? 'recycled' : 'gone';
};

/** The first lanes to show: what needs the user, what is being sent, then the rest in its order. */
const firstLanes = async (
  { db }: Pick<Deps, 'db'>,
  account: string,
  limit: number,
): Promise<readonly string[]> => {
  const lanes = new Set<string>();
  for (const state of ['parked', 'sending', 'waiting'] as const)
    await db.entries
      .where('[account+state+seq]')
      .between([account, state, -Infinity], [account, state, Infinity])
      .until(() => lanes.size >= limit)
      .each((entry) => {
        if (lanes.size < limit) lanes.add(entry.lane);
      });
  return [...lanes];
};

/** Of near misses among the lanes: the incident opened here that is not there yet. Of such incidents: what waits for them. */
const incidentsOf = async (
  { db }: Pick<Deps, 'db'>,
  lanes: ReadonlyMap<string, readonly OutboxEntry[]>,
) => {
  const needed = new Map(
    [...lanes].flatMap(([lane, entries]) => {
      const need = entries.map(incidentNeeded).find((one) => one !== null);
      return need ? [[lane, need.lane] as const] : [];
    }),
  );
  const waiting = await db.entries
    .where('lane')
    .anyOf([...new Set(needed.values())])
    .toArray();
  const titles = new Map(waiting.map((entry) => [entry.lane, nameOf(entry) ?? '']));
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
  const all = await db.entries.where('lane').anyOf(keys).sortBy('seq');
  const lanes = Map.groupBy(
    all.filter((entry) => entry.account === account),
    (entry) => entry.lane,
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
    const entries = (lanes.get(key) ?? []).map(view);
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
      state: worst(entries.map((entry) => entry.state)),
      bytes: entries.reduce((sum, entry) => sum + (entry.photo?.size ?? 0), 0),
      on_server:
        tm !== null ||
        company !== null ||
        (row?.server_id !== null && row?.server_id !== undefined),
      delivered_photos: delivered.get(key)?.length ?? 0,
      missing: company === null ? missingOf(lanes.get(key) ?? [], row) : null,
      waits_for: incidents.waits_for(key),
      needed_by: incidents.needed_by(key),
      entries,
    };
  });
};

/**
 * liveQuery: what waits for this account, per record: what needs the user first, then what is being sent, then the rest,
 * each oldest first. Reads no more than it shows, all of it at one moment: an entry that is claimed meanwhile is never missed.
 */
export const queueItems = (
  deps: Pick<Deps, 'db'>,
  account: string,
  limit = Infinity,
): Promise<readonly QueueItem[]> => {
  const { db } = deps;
  const tables = [db.entries, db.near_misses, db.photos];
  return db.transaction('r', tables, () => itemsInside(deps, account, limit));
};

/**
 * Parked, and to be sent again as it is, all in one go. Left out is what a person must decide about first, one by one (two
 * versions, a double, a place for photos), and what a person set aside.
 */
const maySendAgain = ({
  state,
  problem,
}: {
  readonly state: EntryState;
  readonly problem: Problem | null;
}): boolean =>
  state === 'parked' &&
  problem !== null &&
  !['conflict', 'unsure', 'no_photo_place'].includes(problem.kind);

const sendingOf = (
  entries: readonly { readonly state: EntryState; readonly lane: string }[],
): Pick<QueueCounts, 'sending' | 'sending_records'> => {
  const going = entries.filter((entry) => entry.state === 'sending');
  return { sending: going.length, sending_records: new Set(going.map(({ lane }) => lane)).size };
};

/** liveQuery: the header's numbers. */
export const queueCounts = async (
  deps: Pick<Deps, 'db'>,
  account: string,
): Promise<QueueCounts> => {
  const entries = await entryDigests(deps.db, account);
  return {
    records: new Set(entries.map((entry) => entry.lane)).size,
    entries: entries.length,
    photos: entries.filter((entry) => entry.photo !== null).length,
    bytes: entries.reduce((sum, entry) => sum + (entry.photo?.size ?? 0), 0),
    parked: entries.filter((entry) => entry.state === 'parked').length,
    ...sendingOf(entries),
    again: entries.filter(maySendAgain).length,
    trouble: entries.find(({ resting }) => resting)?.problem ?? null,
    quarantined: await deps.db.quarantine.where('account').equals(account).count(),
  };
};

/** liveQuery: why the queue stands still, or null. */
export const queueHold = async (
  { db }: Pick<Deps, 'db'>,
  account: string,
): Promise<QueueHold | null> => {
  const hold = ((await db.meta.get('hold'))?.value as QueueHold | null | undefined) ?? null;
  return hold?.account === account ? hold : null;
};

/** liveQuery: entries this version cannot read. */
export const quarantined = ({ db }: Pick<Deps, 'db'>, account: string): Promise<QuarantineRow[]> =>
  db.quarantine.where('account').equals(account).toArray();

/**
 * Tries parked or delayed entries again, in their place of the order. One that was refused gets a new idempotency
 * key: the service keeps the refusal under the old one (decisions §1.5). What somebody else changed too is asked about again,
 * unless the person has chosen (`mine`).
 */
export const retryNow = async (
  deps: Deps,
  entry_ids: readonly string[],
  sends?: Sends,
): Promise<Result<null>> => {
  const { db } = deps;
  const tables = () => [db.near_misses, db.photos];
  const done = await changeQueue(deps, tables, async (change) => {
    for (const entry of await db.entries.bulkGet([...entry_ids])) {
      if (entry === undefined || entry.state === 'sending') continue;
      const row = await db.near_misses.get(entry.lane);
      if (row !== undefined) change.rows.set(entry.lane, row);
      const photo = photoOf(entry);
      if (photo !== null)
        await db.photos.update(photo.photo_id, { state: 'waiting', problem: null });
      const refused = neverDone(entry) && entry.attempts > 0;
      const read = entryOf(entry);
      const resumed = refused ? resumedNotes(entry) : entry.checkpoint;
      if (resumed === null && read !== null)
        await replaceEntry(db, change, entry, againOf(read, sends), deps.clock.now());
      else
        await db.entries.update(entry.id, {
          state: 'waiting',
          strikes: 0,
          next_try_at: null,
          last_problem: null,
          checkpoint: resumed ?? entry.checkpoint,
        });
    }
  });
  return done.ok ? ok(null) : done;
};

/** Everything parked that `maySendAgain`. Answers how many there were. */
export const sendAllAgain = async (deps: Deps, account: string): Promise<Result<number>> => {
  const parked = await deps.db.entries
    .where('[account+state+seq]')
    .between([account, 'parked', -Infinity], [account, 'parked', Infinity])
    .and(({ state, last_problem }) => maySendAgain({ state, problem: last_problem }))
    .primaryKeys();
  const retried = await retryNow(deps, parked);
  return retried.ok ? ok(parked.length) : retried;
};

/** Holds entries back until the user wants them sent: parked without a problem. What is being sent stays as it is. */
export const park = async ({ db }: Pick<Deps, 'db'>, entry_ids: readonly string[]) => {
  await db.entries
    .where('id')
    .anyOf([...entry_ids])
    .and((entry) => entry.state === 'waiting')
    .modify({ state: 'parked', next_try_at: null, last_problem: null });
};

/**
 * Takes one entry off the queue. A create becomes a draft again, with its photos; a photo leaves the record; an edit
 * is undone; a delete or restore is undone. `conflict`: the server may have it already, nothing was changed.
 */
export const takeBack = async (deps: Deps, entry_id: string): Promise<Result<null>> => {
  const { db, clock, history } = deps;
  let discard: Pick<PhotoRow, 'photo_id' | 'original'> | null = null;
  const tables = () => [db.near_misses, db.photos, db.drafts, db.catalogs, db.tm_attachments];
  const free = await changeQueue(deps, tables, async (change) => {
    const entry = await db.entries.get(entry_id);
    if (entry === undefined) return true;
    if (!neverDone(entry)) return false;
    if ((await waitingFor(db, entry)) > 0) return false;
    const lane = await db.entries.where('lane').equals(entry.lane).sortBy('seq');
    const row = await db.near_misses.get(entry.lane);
    if (row !== undefined) change.rows.set(entry.lane, row);
    const goes = takenBackWith(entry, lane);
    if (makesNearMiss(entry)) {
      for (const one of goes) await dropEntry(db, change, one);
      await history.forget(db, entry.lane);
      if (row !== undefined) await backToDraft(deps, row);
      return true;
    }
    for (const one of goes) {
      await history.dropped(db, one, clock.now());
      await dropEntry(db, change, one);
    }
    discard = bytesOf(entry)?.photo ?? null;
    const rows = goes.flatMap(rowsOf);
    await dropRows(db, rows);
    if (rows.length === 0 && row !== undefined && row.server !== null) {
      const rest = lane.filter((one) => one !== entry);
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
