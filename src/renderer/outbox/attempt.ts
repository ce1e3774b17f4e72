/**
 * One try of one entry, from claimed to settled, parked, delayed or quarantined. Says what it means for the queue and
 * leaves the queue to the engine. However often an entry failed, it is tried again as long as it may heal: what is counted
 * only makes its wait longer, up to the cap of backoff.ts, and progress begins the count anew.
 */
import { fail, type Problem, type Result } from '../../contract/problem.ts';
import type { Deps, OutboxEntry } from '../data/db.ts';
import { backoff } from './backoff.ts';
import { bytesOf, entryOf, isKnown } from '../entries/entry.ts';
import { runOf } from './operations/index.ts';
import type { SendContext } from './operations/operation.ts';
import type { Settler, Write } from './settle.ts';
import { type HoldOf, judge, retryAfter } from './judge-problem.ts';
import { storageProblem } from '../data/storage-problem.ts';

export type Ending =
  | { readonly what: 'settled' | 'parked' | 'quarantined' }
  /** Not before `wait` milliseconds from now. */
  | { readonly what: 'delayed'; readonly wait: number }
  /** The try failed, and yet more of the photo's bytes are on the server than before. */
  | { readonly what: 'progressed'; readonly wait: number }
  /** The try failed while the server answers questions: is it the entry alone? The queue knows the others. */
  | { readonly what: 'troubled'; readonly wait: number; readonly problem: Problem }
  | {
      readonly what: 'hold';
      readonly problem: Problem;
      readonly until: 'later' | 'user';
      readonly of: HoldOf;
      /** How long the entry itself waits. */
      readonly wait: number;
    };

export interface AttemptTools extends Deps {
  readonly settler: Settler;
  readonly random: () => number;
  /** Does the server answer at all? One question at a time, shared by all who ask. */
  probe(): Promise<Result<unknown>>;
  /** Who is signed in now. */
  account(): string | null;
}

/** A try of several steps may outlive its session: no later step goes out under another account (failures A9). */
const guarded = (tools: AttemptTools, entry: OutboxEntry): Deps['host'] => {
  const { host, account } = tools;
  const stop = (): Result<never> => fail({ kind: 'cancelled' });
  return {
    ...host,
    call: async (method, input, bytes) =>
      account() === entry.account ? host.call(method, input, bytes) : stop(),
    request: async (name, input) =>
      account() === entry.account ? host.request(name, input, entry.account) : stop(),
  };
};

const contextOf = (tools: AttemptTools, entry: OutboxEntry): Omit<SendContext, 'entry'> => {
  const deps = { db: tools.db, clock: tools.clock, host: guarded(tools, entry) };
  let checkpoint = entry.checkpoint;
  return {
    ...deps,
    async checkpoint(patch) {
      checkpoint = { ...checkpoint, ...patch };
      await deps.db.entries.update(entry.id, { checkpoint });
    },
    async serverId(key, known) {
      const link = await deps.db.links.get(key);
      return link?.server_id ?? (await deps.db.near_misses.get(key))?.server_id ?? known;
    },
  };
};

/** An entry that this version cannot read goes aside with everything it held, and the queue goes on (failures A20). */
export const quarantine = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  entry: Pick<OutboxEntry, 'account' | 'lane'> & { readonly id?: unknown },
  reason: string,
): Promise<void> => {
  await db.transaction('rw', db.entries, db.quarantine, async () => {
    await db.quarantine.add({
      account: String(entry.account),
      lane: String(entry.lane),
      raw: entry,
      reason,
      found_at: clock.now(),
    });
    if (typeof entry.id === 'string') await db.entries.delete(entry.id);
  });
};

const park = async ({ db }: Deps, entry: OutboxEntry, problem: Problem): Promise<Ending> => {
  await db.transaction('rw', db.entries, db.photos, async () => {
    await db.entries.update(entry.id, {
      state: 'parked',
      last_problem: problem,
      next_try_at: null,
    });
    const photo_id = bytesOf(entry)?.photo.photo_id;
    if (photo_id === undefined) return;
    const damaged = problem.kind === 'photo_damaged' ? { state: 'damaged' as const } : {};
    await db.photos.update(photo_id, { ...damaged, problem });
  });
  return { what: 'parked' };
};

/** Back in its place, tried again after a wait that grows with `strikes`, the failures since it last got on. */
const rest = async (
  tools: AttemptTools,
  entry: OutboxEntry,
  problem: Problem,
  strikes: number,
): Promise<number> => {
  const wait = backoff(Math.max(1, strikes), tools.random, retryAfter(problem));
  await tools.db.entries.update(entry.id, {
    state: 'waiting',
    strikes,
    last_problem: problem,
    next_try_at: tools.clock.now() + wait,
  });
  return wait;
};

const back = (tools: Deps, entry: OutboxEntry, problem: Problem) =>
  tools.db.entries.update(entry.id, { state: 'waiting', last_problem: problem });

/** Are more segments of its photo on the server than when it failed last? An acknowledged segment is progress. */
const progressed = async (tools: AttemptTools, entry: OutboxEntry): Promise<boolean> => {
  const photo_id = bytesOf(entry)?.photo.photo_id;
  if (photo_id === undefined) return false;
  const asked = await tools.host.call('photos.delivery', { photo_id });
  if (!asked.ok) return false;
  const { segments } = asked.value;
  const now = await tools.db.entries.get(entry.id);
  const known = (now && bytesOf(now)?.acknowledged) ?? 0;
  // Fewer where the upload had to be begun anew.
  if (now !== undefined && segments !== known)
    await tools.db.entries.update(entry.id, {
      checkpoint: { ...now.checkpoint, acknowledged: segments },
    });
  return segments > known;
};

const troubled = async (
  tools: AttemptTools,
  entry: OutboxEntry,
  problem: Problem,
): Promise<Ending> => {
  if (await progressed(tools, entry))
    return { what: 'progressed', wait: await rest(tools, entry, problem, 0) };
  const probed = await tools.probe();
  if (probed.ok)
    return {
      what: 'troubled',
      problem,
      wait: await rest(tools, entry, problem, entry.strikes + 1),
    };
  await back(tools, entry, problem);
  const judgement = judge(probed.problem);
  const until = judgement.what === 'hold' ? judgement.until : 'later';
  // The entry's own problem may carry the Retry-After.
  const shown = retryAfter(problem) !== null && until === 'later' ? problem : probed.problem;
  return { what: 'hold', problem: shown, until, of: 'reach', wait: 0 };
};

const failed = async (
  tools: AttemptTools,
  entry: OutboxEntry,
  problem: Problem,
): Promise<Ending> => {
  const judgement = judge(problem);
  switch (judgement.what) {
    case 'park':
      return park(tools, entry, problem);
    case 'rest':
      return { what: 'delayed', wait: await rest(tools, entry, problem, entry.strikes + 1) };
    case 'trouble':
      return troubled(tools, entry, problem);
    case 'release':
      await back(tools, entry, problem);
      return { what: 'delayed', wait: 1_000 };
    case 'hold': {
      const { until, of } = judgement;
      if (of === 'write') {
        const wait = await rest(tools, entry, problem, entry.strikes + 1);
        return { what: 'hold', problem, until, of, wait };
      }
      await back(tools, entry, problem);
      return { what: 'hold', problem, until, of, wait: 0 };
    }
  }
};

/** @param onSent called when nothing more goes out for this try: others may, while this one is written here. */
export const attempt = async (
  tools: AttemptTools,
  entry: OutboxEntry,
  onSent: () => void,
): Promise<Ending> => {
  const read = entryOf(entry);
  if (read === null) {
    const reason = isKnown(entry) ? 'unreadable payload' : 'unknown kind or version';
    await quarantine(tools, entry, reason);
    return { what: 'quarantined' };
  }
  let sent: Result<Write>;
  try {
    sent = await runOf(read, contextOf(tools, entry));
  } catch (error) {
    sent = fail({ kind: 'bug', detail: String(error) });
  }
  if (!sent.ok) return failed(tools, entry, sent.problem);
  onSent();
  try {
    await tools.settler.settle(entry, sent.value);
    return { what: 'settled' };
  } catch (error) {
    // Sent but not written here: the next try is answered from the server's memory of the key.
    return failed(tools, entry, storageProblem(error));
  }
};
