/**
 * Which entries may be sent now. A lane is one near miss: in order inside it, lanes side by side. A parked create holds
 * its lane, because nothing else makes sense before it; whatever is behind another refusal passes. What failed and is
 * tried again holds its lane too, until it failed so often that it is passed by: then photos pass a change of the record,
 * while its later changes wait for it, or they would be overtaken; and all pass a photo, but a delete, because a record in
 * the bin takes no photos.
 */
import { Dexie } from 'dexie';
import type { OutboxEntry, SpotterDb } from '../data/db.ts';
import type { Facts } from '../entries/answers.ts';
import { bytesOf, factsOf } from '../entries/entry.ts';
import { incidentNeeded } from '../data/incident-ids.ts';
import { mayHeal } from './judge-problem.ts';

/** Rows read at once beyond those wanted: some lanes are closed. */
const CHUNK = 100;

/** Rows put at once for which Dexie names the keys (data/entries-digest.ts lives on them). */
const NAMED_MAX = 49;

export interface ClaimInput {
  readonly account: string;
  readonly max: number;
  /** Lanes being sent. */
  readonly busy: ReadonlySet<string>;
  /** May this entry be tried yet? */
  readonly rested: (entry: OutboxEntry) => boolean;
  /** Entries of which only so many are taken: the rest wait, and what is behind them in other lanes goes. */
  readonly bulky: (entry: OutboxEntry) => boolean;
  readonly bulky_max: number;
  /** Passed by for now: what is behind it in its lane goes. */
  readonly held: (entry: OutboxEntry) => boolean;
  /** Waits, and is waited for only by what may not overtake it. */
  readonly passed: (entry: OutboxEntry) => boolean;
}

/** What no schema knows is set aside when its turn comes, so that its order means nothing. */
const orderOf = ({ kind }: OutboxEntry): Facts['order'] => factsOf(kind)?.order ?? 'fixed';

/** Does a parked one hold its lane? What is unknown is set aside, so it holds nothing. */
const blocks = ({ kind }: OutboxEntry): boolean => factsOf(kind)?.blocks ?? false;

const changesRecord = (entry: OutboxEntry): boolean => ['record', 'last'].includes(orderOf(entry));

/** May what is behind it in its lane go before it? Of a company's records nothing may: their order is their meaning. */
const passable = (entry: OutboxEntry): boolean => orderOf(entry) !== 'fixed';

/** Of these, what belongs to an incident opened here that the server does not have yet (failures A27). */
const beforeTheirIncident = async (
  db: SpotterDb,
  entries: readonly OutboxEntry[],
): Promise<ReadonlySet<string>> => {
  const needs = entries.flatMap((entry) => {
    const needed = incidentNeeded(entry);
    return needed === null ? [] : [{ id: entry.id, ...needed }];
  });
  if (needs.length === 0) return new Set();
  const links = await db.links.bulkGet(needs.map(({ link }) => link));
  const open = needs.filter((_need, index) => links[index] === undefined);
  // One that is not on the queue any more will never come: what needs it goes, is parked and says so.
  const lanes = [...new Set(open.map(({ lane }) => lane))];
  const waiting = new Set(
    (await db.entries.where('lane').anyOf(lanes).toArray()).map(({ lane }) => lane),
  );
  return new Set(open.filter(({ lane }) => waiting.has(lane)).map(({ id }) => id));
};

/**
 * Marks the first sendable entry of up to `max` lanes as `sending` and counts the attempt, in one transaction, before
 * anything leaves: after a crash it is known that the server may have them.
 */
export const claim = (db: SpotterDb, input: ClaimInput): Promise<readonly OutboxEntry[]> =>
  db.transaction('rw', db.entries, db.links, async () => {
    const { account, max, busy } = input;
    const closed = new Set(busy);
    const inState = (state: string, after: number) =>
      db.entries
        .where('[account+state+seq]')
        .between([account, state, after], [account, state, Infinity], false, true);
    const size = max + CHUNK;
    const waiting = (after: number) => inState('waiting', after).limit(size).toArray();
    const [parked, first] = await Promise.all([
      inState('parked', -Infinity).toArray(),
      waiting(-Infinity),
    ]);
    const unchanged = new Set<string>();
    const photoless = new Set<string>();
    for (const entry of parked) if (blocks(entry)) closed.add(entry.lane);
    const heads: OutboxEntry[] = [];
    let bulky = 0;
    for (let chunk = first; heads.length < max;) {
      const early = await beforeTheirIncident(db, chunk);
      for (const entry of chunk) {
        if (early.has(entry.id)) closed.add(entry.lane);
        if (closed.has(entry.lane) || input.held(entry)) continue;
        // What is behind a delete that waits is overtaken by nothing either.
        if (orderOf(entry) === 'last' && photoless.has(entry.lane)) unchanged.add(entry.lane);
        if (unchanged.has(entry.lane) && changesRecord(entry)) continue;
        if (input.passed(entry) && passable(entry) && !blocks(entry)) {
          (changesRecord(entry) ? unchanged : photoless).add(entry.lane);
          continue;
        }
        closed.add(entry.lane);
        if (entry.journaled !== 1 || !input.rested(entry) || heads.length >= max) continue;
        if (input.bulky(entry) && (bulky += 1) > input.bulky_max) continue;
        heads.push(entry);
      }
      const last = chunk.at(-1);
      if (last === undefined || chunk.length < size) break;
      chunk = await waiting(last.seq);
    }
    const claimed = heads.map((entry) => ({
      ...entry,
      state: 'sending' as const,
      attempts: entry.attempts + 1,
      next_try_at: null,
    }));
    // Few enough at once that Dexie tells which entries changed; of more it says only that all may have.
    for (let at = 0; at < claimed.length; at += NAMED_MAX)
      await db.entries.bulkPut(claimed.slice(at, at + NAMED_MAX));
    return claimed;
  });

/** Claimed but not begun: as if it had never been claimed. */
export const unclaim = async (db: SpotterDb, entries: readonly OutboxEntry[]): Promise<void> => {
  if (entries.length === 0) return;
  await db.entries
    .where('id')
    .anyOf(entries.map((entry) => entry.id))
    .modify((entry: { -readonly [K in keyof OutboxEntry]: OutboxEntry[K] }) => {
      entry.state = 'waiting';
      entry.attempts -= 1;
    });
};

/** Accounts with entries, by leaps over the index: a walk over ten thousand entries takes a second. */
export const accountsOf = async (db: SpotterDb): Promise<readonly string[]> => {
  const accounts: string[] = [];
  let key: unknown = await db.entries.orderBy('[account+seq]').firstKey();
  while (Array.isArray(key)) {
    const account = String(key[0]);
    accounts.push(account);
    key = await db.entries.where('[account+seq]').above([account, Dexie.maxKey]).firstKey();
  }
  return accounts;
};

/** Nobody sends any more: what was being sent when the last leader ended waits again. */
export const releaseAll = async (db: SpotterDb): Promise<void> => {
  for (const account of await accountsOf(db))
    await db.entries
      .where('[account+state+seq]')
      .between([account, 'sending', -Infinity], [account, 'sending', Infinity])
      .modify({ state: 'waiting' });
};

/**
 * What may heal by itself is never parked. Earlier versions parked an entry that had failed three times: such entries wait
 * again, and are sent.
 */
export const releaseHealing = async (db: SpotterDb): Promise<void> => {
  for (const account of await accountsOf(db)) {
    const parked = await db.entries
      .where('[account+state+seq]')
      .between([account, 'parked', -Infinity], [account, 'parked', Infinity])
      .and(({ last_problem }) => last_problem !== null && mayHeal(last_problem))
      .toArray();
    await db.entries.bulkUpdate(
      parked.map(({ id }) => ({
        key: id,
        changes: { state: 'waiting', strikes: 0, next_try_at: null },
      })),
    );
    const photos = parked.flatMap((entry) => bytesOf(entry)?.photo.photo_id ?? []);
    await db.photos.bulkUpdate(photos.map((key) => ({ key, changes: { problem: null } })));
  }
};
