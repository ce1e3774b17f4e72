/**
 * Chooses the operations that may be sent now. A lane is the ordering key, usually one near miss: sequential inside,
 * concurrent between lanes.
 * A parked create blocks its lane, because nothing else makes sense before it. Operations behind any other parked one
 * pass.
 * An operation that backs off blocks its lane until it has failed often enough to be passed. Photos may then pass a change
 * of the record, but its later changes may not. Everything may pass a photo except a delete, because a record in the
 * bin takes no photos.
 */
import { Dexie } from 'dexie';
import type { OutboxOperation, SpotterDb } from '../../data/db/db.ts';
import type { OperationTraits } from '../../operations/spec.ts';
import { traitsOf } from '../../operations/operation.ts';
import { incidentNeeded } from '../../data/model/incident-ids.ts';
import { withoutTry, withTry } from './operation-life.ts';

/** Rows read per step. More than wanted, because some lanes are busy. */
const CHUNK = 100;

/** The most rows per put for which Dexie reports the keys (data/near-misses/queue-summary.ts depends on them). */
const NAMED_MAX = 49;

export interface ClaimInput {
  readonly account: string;
  readonly max: number;
  /** By the server's clock. */
  readonly now: number;
  /** Lanes with an operation in flight. */
  readonly busy: ReadonlySet<string>;
  /** True if the operation's backoff has ended. */
  readonly rested: (operation: OutboxOperation) => boolean;
  /** Operations limited to `bulky_max` per claim. The rest wait, and operations behind them in other lanes go. */
  readonly bulky: (operation: OutboxOperation) => boolean;
  readonly bulky_max: number;
  /** Paused for now: operations behind it in its lane go. */
  readonly held: (operation: OutboxOperation) => boolean;
  /** Backing off. Blocks only operations that must not overtake it. */
  readonly passed: (operation: OutboxOperation) => boolean;
}

/** An operation of unknown kind is quarantined at its turn, so its order does not matter. */
const orderOf = ({ kind }: OutboxOperation): OperationTraits['order'] =>
  traitsOf(kind)?.order ?? 'fixed';

/** True if a parked operation blocks its lane. An unknown kind is quarantined, so it blocks nothing. */
const blocks = ({ kind }: OutboxOperation): boolean => traitsOf(kind)?.blocks ?? false;

const changesRecord = (operation: OutboxOperation): boolean =>
  ['record', 'last'].includes(orderOf(operation));

/** True if later operations of the lane may overtake it. The order of a company's records is fixed. */
const passable = (operation: OutboxOperation): boolean => orderOf(operation) !== 'fixed';

/** The operations that need a locally opened incident which the server does not have yet (failures A27). */
const beforeTheirIncident = async (
  db: SpotterDb,
  operations: readonly OutboxOperation[],
): Promise<ReadonlySet<string>> => {
  const needs = operations.flatMap((operation) => {
    const needed = incidentNeeded(operation);
    return needed === null ? [] : [{ id: operation.id, ...needed }];
  });
  if (needs.length === 0) return new Set();
  const links = await db.links.bulkGet(needs.map(({ link }) => link));
  const open = needs.filter((_need, index) => links[index] === undefined);
  // If the incident left the queue, it will never arrive: its dependants are sent, get parked and show why.
  const lanes = [...new Set(open.map(({ lane }) => lane))];
  const waiting = new Set(
    (await db.operations.where('lane').anyOf(lanes).toArray()).map(({ lane }) => lane),
  );
  return new Set(open.filter(({ lane }) => waiting.has(lane)).map(({ id }) => id));
};

/**
 * Marks the first sendable operation of up to `max` lanes as `sending` and counts the attempt. The transaction commits
 * before anything is sent, so that a crash leaves a record of a possible send.
 */
export const claim = (db: SpotterDb, input: ClaimInput): Promise<readonly OutboxOperation[]> =>
  db.transaction('rw', db.operations, db.links, async () => {
    const { account, max, busy } = input;
    const closed = new Set(busy);
    const inState = (state: string, after: number) =>
      db.operations
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
    for (const operation of parked) if (blocks(operation)) closed.add(operation.lane);
    const heads: OutboxOperation[] = [];
    let bulky = 0;
    for (let chunk = first; heads.length < max;) {
      const early = await beforeTheirIncident(db, chunk);
      for (const operation of chunk) {
        if (early.has(operation.id)) closed.add(operation.lane);
        if (closed.has(operation.lane) || input.held(operation)) continue;
        // Changes behind a waiting delete must not overtake it either.
        if (orderOf(operation) === 'last' && photoless.has(operation.lane))
          unchanged.add(operation.lane);
        if (unchanged.has(operation.lane) && changesRecord(operation)) continue;
        if (input.passed(operation) && passable(operation) && !blocks(operation)) {
          (changesRecord(operation) ? unchanged : photoless).add(operation.lane);
          continue;
        }
        closed.add(operation.lane);
        if (operation.journaled !== 1 || !input.rested(operation) || heads.length >= max) continue;
        if (input.bulky(operation) && (bulky += 1) > input.bulky_max) continue;
        heads.push(operation);
      }
      const last = chunk.at(-1);
      if (last === undefined || chunk.length < size) break;
      chunk = await waiting(last.seq);
    }
    const claimed = heads.map((operation) => ({
      ...operation,
      state: 'sending' as const,
      attempts: operation.attempts + 1,
      tries: withTry(operation, input.now),
      next_try_at: null,
    }));
    // Small batches, so that Dexie reports the changed keys. For larger ones it only reports that any may have changed.
    for (let at = 0; at < claimed.length; at += NAMED_MAX)
      await db.operations.bulkPut(claimed.slice(at, at + NAMED_MAX));
    return claimed;
  });

/** Undoes a claim if its attempt did not begin. */
export const unclaim = async (
  db: SpotterDb,
  operations: readonly OutboxOperation[],
): Promise<void> => {
  if (operations.length === 0) return;
  await db.operations
    .where('id')
    .anyOf(operations.map((operation) => operation.id))
    .modify((operation: { -readonly [K in keyof OutboxOperation]: OutboxOperation[K] }) => {
      operation.state = 'waiting';
      operation.attempts -= 1;
      operation.tries = withoutTry(operation);
    });
};

/** Accounts with operations. Skips through the index, because a walk over ten thousand operations takes a second. */
export const accountsOf = async (db: SpotterDb): Promise<readonly string[]> => {
  const accounts: string[] = [];
  let key: unknown = await db.operations.orderBy('[account+seq]').firstKey();
  while (Array.isArray(key)) {
    const account = String(key[0]);
    accounts.push(account);
    key = await db.operations.where('[account+seq]').above([account, Dexie.maxKey]).firstKey();
  }
  return accounts;
};

/** Resets operations that a previous leader left in `sending` to `waiting`. */
export const releaseAll = async (db: SpotterDb): Promise<void> => {
  for (const account of await accountsOf(db))
    await db.operations
      .where('[account+state+seq]')
      .between([account, 'sending', -Infinity], [account, 'sending', Infinity])
      .modify({ state: 'waiting' });
};
