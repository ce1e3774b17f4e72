/**
 * What counts and lists need of the queue, in memory: a few fields of every entry, read once and from then on only where an
 * entry changed, in this window or another. With ten thousand entries a query over all of them costs most of a second and
 * keeps every write waiting meanwhile; this one costs as much as what changed. Derived from the store alone: nothing is
 * counted aside, and another look at the store gives the same.
 */
import { Dexie, type ObservabilitySet } from 'dexie';
import type { Problem } from '../../contract/problem.ts';
import type { EntryState, OutboxEntry, SpotterDb } from './db.ts';
import { bytesOf } from '../entries/entry.ts';
import { incidentNeeded } from './incident-ids.ts';

/** An entry, as far as numbers and marks need it. */
export interface EntryDigest {
  readonly id: string;
  readonly seq: number;
  readonly account: string;
  readonly lane: string;
  readonly kind: string;
  readonly state: EntryState;
  /** Of what sends bytes. */
  readonly photo: { readonly photo_id: string; readonly size: number } | null;
  readonly photo_pace: OutboxEntry['photo_pace'];
  /** What it met last, where it waits; or what a person has to look at. */
  readonly problem: Problem | null;
  /** Does it wait by itself, after it failed? */
  readonly resting: boolean;
  /** The lane of the incident opened here that has to be there first. */
  readonly needs: string | null;
  /** Are a photo's bytes all on the server? */
  readonly uploaded: boolean;
}

const digestOf = (entry: OutboxEntry): EntryDigest => {
  const bytes = bytesOf(entry);
  return {
    id: entry.id,
    seq: entry.seq,
    account: entry.account,
    lane: entry.lane,
    kind: entry.kind,
    state: entry.state,
    photo_pace: entry.photo_pace,
    photo: bytes && { photo_id: bytes.photo.photo_id, size: bytes.photo.size },
    problem: entry.last_problem,
    resting: entry.state === 'waiting' && entry.next_try_at !== null,
    needs: incidentNeeded(entry)?.lane ?? null,
    uploaded: bytes?.uploaded ?? false,
  };
};

/** A node of Dexie's range set, as it also comes from other windows: plain. */
interface Ranges {
  readonly from?: unknown;
  readonly to?: unknown;
  readonly l?: Ranges | null;
  readonly r?: Ranges | null;
}

/** The keys that changed; null where more than single keys did, and everything has to be read again. */
const keysOf = (ranges: Ranges | null | undefined, into: string[]): string[] | null => {
  if (!ranges || ranges.from === undefined) return into;
  if (typeof ranges.from !== 'string' || ranges.from !== ranges.to) return null;
  into.push(ranges.from);
  return keysOf(ranges.l, into) && keysOf(ranges.r, into);
};

interface Digest {
  entries: Map<string, EntryDigest>;
  changed: Set<string>;
  /** Not read yet, or more changed than can be named. */
  unknown: boolean;
  /** What reads now: one at a time. */
  reading: Promise<unknown>;
}

/** Rows read at once: writes may pass between two of them. */
const PAGE = 1_000;
/** More changed keys than this are read with everything else. */
const CHANGED_MAX = 5_000;

const readAll = async (db: SpotterDb): Promise<Map<string, EntryDigest>> => {
  const entries = new Map<string, EntryDigest>();
  for (let after = ''; ;) {
    const rows = await db.entries.where('id').above(after).limit(PAGE).toArray();
    for (const row of rows) entries.set(row.id, digestOf(row));
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return entries;
    after = last.id;
  }
};

/** What changes while this reads is noted, and read by the next look. */
const catchUp = async (db: SpotterDb, digest: Digest): Promise<void> => {
  const { unknown, changed } = digest;
  digest.changed = new Set();
  digest.unknown = false;
  try {
    if (unknown || changed.size > CHANGED_MAX) {
      digest.entries = await readAll(db);
      return;
    }
    const keys = [...changed];
    const rows = keys.length === 0 ? [] : await db.entries.bulkGet(keys);
    keys.forEach((key, at) => {
      const row = rows[at];
      if (row === undefined) digest.entries.delete(key);
      else digest.entries.set(key, digestOf(row));
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
    entries: new Map(),
    changed: new Set(),
    unknown: true,
    reading: Promise.resolve(),
  };
  const part = `idb://${db.name}/entries/`;
  const note = (parts: ObservabilitySet): void => {
    if (!db.isOpen()) {
      // Over, or opened again: then it is read anew.
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
 * liveQuery: every entry of this laptop, in no order. Asked again whenever any entry changed. Rejects where the database
 * cannot be read.
 */
export const allEntryDigests = async (db: SpotterDb): Promise<readonly EntryDigest[]> => {
  const digest = digestFor(db);
  // Observed as a whole. And a change that made the query ask again has been noted when this answers.
  await db.entries.limit(1).toArray();
  digest.reading = digest.reading
    .catch(() => undefined)
    .then(() => Dexie.ignoreTransaction(() => catchUp(db, digest)));
  await digest.reading;
  return [...digest.entries.values()];
};

/** liveQuery: those of the account. */
export const entryDigests = async (
  db: SpotterDb,
  account: string,
): Promise<readonly EntryDigest[]> =>
  (await allEntryDigests(db)).filter((entry) => entry.account === account);
