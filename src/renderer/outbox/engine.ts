/**
 * Empties the queue. One window leads, by Web Lock; it sends the first entry of up to `parallel` lanes at
 * once. What may heal by itself is never given up: an entry that fails alone waits alone, and where a second lane fails
 * before anything got through (suffering.ts), or the server answers nobody, all wait until may-send.ts lets the queue move again.
 * Woken by changes to the entries (from any window), the network coming back, the session changing, a timer, or a person.
 */
import { Dexie } from 'dexie';
import type { HostEvent, SessionView } from '../../contract/host.ts';
import type { Problem } from '../../contract/problem.ts';
import type { Deps, OutboxEntry } from '../data/db.ts';
import { createPrefetch } from './prefetch-uploads.ts';
import { attempt, type AttemptTools, type Ending } from './attempt.ts';
import { createMaySend } from './may-send.ts';
import { createHold, createQueueHold } from './queue-hold.ts';
import { claim, type ClaimInput, releaseAll, releaseHealing, unclaim } from './lanes.ts';
import { sendsBytes } from '../entries/entry.ts';
import { createPhotoPace, type PhotoPace } from './photo-pace.ts';
import { repairJournal } from './rebuild.ts';
import { createSettler } from './settle.ts';
import { createSuffering } from './suffering.ts';
import { type HoldOf, retryAfter } from './judge-problem.ts';

type PhotoProgress = Extract<HostEvent, { kind: 'photo.progress' }>;

export interface Engine {
  /** Waits for the leader's lock in the background, then sends. */
  start(): void;
  /**
   * A person says "Try now", in whichever window: every wait ends, and the next begins as a first one. Only what the server
   * asked for stands.
   */
  wake(): void;
  /** The server answers again: a wait for the network ends. */
  nudge(): void;
  /** True while this window is the one that sends. */
  leads(): boolean;
  /** Finishes what is being sent, gives the lock up. */
  stop(): Promise<void>;
  /** The store is gone: gives the lock up at once, as a window that is closed does. What waits for that store may never end. */
  abandon(): void;
}

export interface EngineOptions {
  readonly session: SessionView;
  readonly lock_name?: string;
  /** Lanes sent at once. */
  readonly parallel?: number;
  /** Uniform in [0, 1). */
  readonly random?: () => number;
}

const LOCK = 'spotter-outbox';
const PARALLEL = 64;
/** And at first, or after a failure: so many tries at most are lost to a network that is gone. Each success allows one more. */
const PARALLEL_FIRST = 6;
/** Entries claimed at once, at least: one durable write for many. */
const CLAIMED_AT_LEAST = 48;
/** Photos on their way at once: the others wait, and do not keep the texts waiting. */
const PHOTOS = 6;
/** Failures after which what may go without an entry does. Before that it may only have been the line, and order is worth more. */
const PASSED_AFTER = 3;
/** How long a change may take to reach the journal before it is told again, milliseconds. */
const REPAIR_AFTER = 2_000;
/** How long a wait that has ended may be overlooked while others are sent, milliseconds. */
const UNSEEN_FOR = 1_000;
/** How long after a failure this window asks for the lead again, milliseconds. */
const LEAD_AGAIN = 2_000;
/** Sent and not yet written here, at most: the database sets the pace then. */
const UNWRITTEN = 200;
/** A timer may fire a little before its time by the other clock; a look too early would see nothing and be the last. */
const TIMER_SLACK = 5;

export const createEngine = (deps: Deps, options: EngineOptions): Engine => {
  const { db, host, clock } = deps;
  const random = options.random ?? Math.random;
  const most = options.parallel ?? PARALLEL;
  const first = Math.min(most, PARALLEL_FIRST);
  let parallel = first;
  const hold = createQueueHold(deps, random);
  const records = createSuffering(hold);
  /** Photos have a hold of their own: where their bytes go may be another server, and texts do not wait for it. */
  const photos = createSuffering(createHold(clock, random));
  const maySend = createMaySend(deps, options.session, hold, (...why) => holdQueue(...why));
  const { account } = maySend;
  const settler = createSettler(deps);
  const giveUp = new AbortController();

  let leading = false;
  let stopped = false;
  let pumping: Promise<void> | null = null;
  let again = false;
  /** Something may be claimable that the last claim did not see. */
  let dirty = true;
  let ready: OutboxEntry[] = [];
  const running = new Set<Promise<void>>();
  /** Of those, how many may still have something on its way to the server. */
  let sending = 0;
  /** Lane by lane what is claimed. */
  const busy = new Map<string, OutboxEntry>();
  const prefetch = createPrefetch(deps, (entry) => pace?.holds(entry) ?? false);
  /** Entries that failed alone: not before then, by the monotonic clock. `asked`: by the server. */
  const rests = new Map<string, { readonly at: number; readonly asked: boolean }>();
  /** Neither sent nor written back as waiting, because the database took no writes: so that they are when it does again. */
  const adrift = new Set<string>();
  /** The entry that is sent to see whether the server takes writes again. */
  let trial: string | null = null;
  /** Of the window that leads: which photos wait. */
  let pace: PhotoPace | null = null;
  let cancelTimer: (() => void) | null = null;
  /** When the last claim began, by the monotonic clock: what was over by then it has seen. */
  let seen = -Infinity;
  let release: () => void = () => {};

  const tools: AttemptTools = { ...deps, settler, random, probe: maySend.probe, account };

  const look = (): void => {
    dirty = true;
    next();
  };

  /** Goes on with what is claimed. */
  const next = (): void => {
    if (!leading || stopped) return;
    again = true;
    pumping ??= pump().finally(() => {
      pumping = null;
      // Asked for between its last look and its end.
      if (again && !stopped) next();
    });
  };

  const lookAfter = (ms: number): void => {
    cancelTimer?.();
    cancelTimer = clock.after(ms, look);
  };

  const putBack = async (entries: readonly OutboxEntry[]): Promise<void> => {
    try {
      await unclaim(db, entries);
    } catch (error) {
      for (const { id } of entries) adrift.add(id);
      throw error;
    }
  };
  const bringIn = async (): Promise<void> => {
    if (adrift.size === 0) return;
    const ids = [...adrift];
    const sending = db.entries.where('id').anyOf(ids);
    await sending.and(({ state }) => state === 'sending').modify({ state: 'waiting' });
    for (const id of ids) adrift.delete(id);
  };

  const holdQueue = async (
    problem: Problem,
    until: 'later' | 'user',
    of: HoldOf,
  ): Promise<void> => {
    parallel = first;
    await hold.set(account() ?? '', problem, until, of);
    const back = ready;
    ready = [];
    for (const entry of back) busy.delete(entry.lane);
    if (back.some(({ id }) => id === trial)) trial = null;
    await putBack(back);
  };

  /** The database or the host threw: the queue waits, and tries again. */
  const failedHere = async (error: unknown): Promise<void> => {
    await holdQueue({ kind: 'bug', detail: String(error) }, 'later', 'reach').catch(() => {});
    lookAfter(Math.min(hold.remaining(), 60_000) || 1_000);
  };

  let filling: Promise<void> | null = null;
  /** In the background while there is something to send: a durable write takes longer than a request. */
  const fill = (account: string): Promise<void> => {
    if (!dirty || filling !== null || ready.length >= parallel) return filling ?? Promise.resolve();
    if (hold.trying() && trial !== null) return Promise.resolve();
    dirty = false;
    filling = claimAhead(account)
      .catch((error: unknown) => failedHere(error))
      .finally(() => {
        filling = null;
        // Asked to look while it was reading: what it read may be older than what it was asked for.
        if (ready.length > 0 || dirty) next();
      });
    return filling;
  };

  const rested = ({ id }: OutboxEntry): boolean =>
    (rests.get(id)?.at ?? -Infinity) <= clock.monotonic();
  const askedToWait = (entry: OutboxEntry): boolean =>
    rests.get(entry.id)?.asked === true && !rested(entry);

  const claimOf = (account: string, max: number, more: Partial<ClaimInput>) =>
    claim(db, {
      account,
      busy: new Set(busy.keys()),
      max,
      bulky: sendsBytes,
      bulky_max: photos.room(PHOTOS, [...busy.values()].filter(sendsBytes).length),
      held: (entry) => pace?.holds(entry) ?? false,
      // What fails again and again is passed by where nothing behind it needs it, as long as it waits.
      passed: (entry) =>
        (sendsBytes(entry) && photos.waits()) || (entry.strikes >= PASSED_AFTER && !rested(entry)),
      rested: (entry) =>
        (pace?.knows() === true || !sendsBytes(entry)) && rested(entry) && !photos.tried(entry),
      ...more,
    });

  /** One write that has not failed since the queue is held; when all have, from the oldest again. None: nothing is held. */
  const claimTrial = async (account: string): Promise<readonly OutboxEntry[]> => {
    const ofRecord = {
      bulky_max: 0,
      rested: (entry: OutboxEntry) => !records.tried(entry) && !askedToWait(entry),
    };
    let claimed = await claimOf(account, 1, ofRecord);
    if (claimed.length === 0 && records.again()) claimed = await claimOf(account, 1, ofRecord);
    if (claimed.length > 0) return claimed;
    await hold.lift();
    dirty = true;
    return [];
  };

  const claimAhead = async (account: string): Promise<void> => {
    seen = clock.monotonic();
    await bringIn();
    const trying = hold.trying();
    const max = trying ? 1 : Math.max(CLAIMED_AT_LEAST, 2 * parallel);
    const claimed = trying ? await claimTrial(account) : await claimOf(account, max, {});
    // What held the queue or changed the session meanwhile holds these too.
    const held = hold.problem() !== null && !(trying && hold.trying());
    if (stopped || held || maySend.account() !== account) {
      await putBack(claimed);
      return;
    }
    for (const entry of claimed) busy.set(entry.lane, entry);
    ready.push(...claimed);
    if (trying) trial = claimed[0]?.id ?? null;
    // A full claim says that there may be more.
    else if (claimed.length === max) dirty = true;
    // All that may be tried failed: from the oldest again.
    if (photos.trying() && ![...busy.values()].some(sendsBytes) && photos.again()) dirty = true;
  };

  /** What a try says of the others: before its place is free, so that nothing slips out between a failure and a hold. */
  const conclude = async (entry: OutboxEntry, ending: Ending): Promise<void> => {
    const own = sendsBytes(entry) ? photos : records;
    if ('wait' in ending && ending.wait > 0) {
      const problem = 'problem' in ending ? ending.problem : null;
      const asked = problem !== null && retryAfter(problem) !== null;
      rests.set(entry.id, { at: clock.monotonic() + ending.wait, asked });
    } else rests.delete(entry.id);
    switch (ending.what) {
      case 'settled':
        parallel = Math.min(most, parallel + 1);
        hold.succeeded();
        await own.succeeded();
        // A delivery's last step hangs the photo on its record, as any other write.
        if (own === photos) await records.succeeded();
        return;
      case 'progressed':
        return photos.succeeded();
      case 'troubled':
        if (!own.failed(entry)) return;
        if (own === photos) await photos.hold.set('', ending.problem, 'later', 'write');
        else await holdQueue(ending.problem, 'later', 'write');
        return;
      case 'hold':
        if (ending.of === 'write') own.failed(entry);
        return holdQueue(ending.problem, ending.until, ending.of);
    }
  };

  const run = async (entry: OutboxEntry): Promise<void> => {
    let out = true;
    const sent = (): void => {
      if (!out) return;
      out = false;
      sending -= 1;
      next();
    };
    sending += 1;
    try {
      void prefetch(entry).catch(() => {
        // Only a head start.
      });
      const ending = await attempt(tools, entry, sent);
      busy.delete(entry.lane);
      await conclude(entry, ending);
    } finally {
      if (trial === entry.id) trial = null;
      sent();
    }
  };

  let untold: number | null = null;
  /** What the journal was not told, or whose answer was lost, is told again while nothing else is to do. */
  const repairLater = async (): Promise<number> => {
    if (running.size > 0) return Infinity;
    const unwritten = await db.entries.where('journaled').equals(0).first();
    const left = unwritten !== undefined || (await db.tombstones.count()) > 0;
    if (!left) untold = null;
    if (untold === null) {
      untold = left ? clock.monotonic() : null;
      return left ? REPAIR_AFTER : Infinity;
    }
    const age = clock.monotonic() - untold;
    if (age < REPAIR_AFTER) return REPAIR_AFTER - age;
    untold = null;
    const repaired = await repairJournal(deps);
    return repaired.ok ? 0 : REPAIR_AFTER;
  };

  /**
   * A wait that ended while the last claim looked, or since, was seen by nobody: the next look is at once, or soon where the end of a try
   * may bring it sooner.
   */
  const armRest = async (): Promise<void> => {
    const repair = await repairLater();
    const now = clock.monotonic();
    const unseen = running.size > 0 || ready.length > 0 ? UNSEEN_FOR : 0;
    const ends = [...rests.values()].map(({ at }) => at);
    const left = [...ends, photos.hold.until() ?? -Infinity]
      .filter((at) => at > seen)
      .map((at) => (at > now ? at - now : unseen));
    const next = Math.min(repair, ...left);
    if (next !== Infinity) lookAfter(next + TIMER_SLACK);
  };

  const pump = async (): Promise<void> => {
    while (again && leading && !stopped) {
      again = false;
      try {
        const wait = await maySend.wait();
        if (wait !== null) {
          lookAfter(wait);
          continue;
        }
        // Only entries of the account that is signed in (failures A9).
        const signedIn = account();
        if (signedIn !== null) {
          const filled = fill(signedIn);
          if (ready.length === 0 && sending === 0) await filled;
        } else seen = clock.monotonic();
      } catch (error) {
        await failedHere(error);
        continue;
      }
      while (!stopped && sending < parallel && running.size < UNWRITTEN) {
        const entry = ready.shift();
        if (entry === undefined) break;
        const work: Promise<void> = run(entry)
          .catch(() => {
            busy.delete(entry.lane);
            adrift.add(entry.id);
            rests.set(entry.id, { at: clock.monotonic() + 1_000, asked: false });
          })
          .finally(() => {
            running.delete(work);
            look();
          });
        running.add(work);
      }
      await armRest().catch(() => lookAfter(REPAIR_AFTER));
    }
  };

  /** Entries that wait by themselves go now, as if they had not failed; those that the server asked to wait do not. */
  const forgive = async (): Promise<void> => {
    const ids = [...rests].flatMap(([id, { asked }]) => (asked ? [] : [id]));
    for (const id of ids) rests.delete(id);
    if (ids.length === 0) return;
    const waiting = db.entries.where('id').anyOf(ids);
    await waiting.and(({ state }) => state === 'waiting').modify({ strikes: 0, next_try_at: null });
    look();
  };

  const changed = (parts: object): void => {
    if (Object.keys(parts).some((name) => name.startsWith(`idb://${db.name}/entries/`))) look();
  };
  /** Of photos on their way while all photos wait: bytes that the server had when they were last heard of. */
  const moved = new Map<string, number>();
  /** A segment got in: the others need not wait for the whole photo. */
  const heardOf = ({ photo_id, step, sent }: PhotoProgress): void => {
    if (photos.hold.problem() === null) return moved.clear();
    if (step !== 'sending') return;
    const was = moved.get(photo_id);
    moved.set(photo_id, sent);
    if (was !== undefined && sent > was) void photos.succeeded().then(look);
  };

  const nudge = (): void => {
    if (hold.of() === 'reach') hold.hurry();
    look();
  };

  const lead = async (): Promise<void> => {
    // Nobody else sends while this window has the lock: what was being sent when the last leader ended waits again.
    await releaseAll(db);
    await releaseHealing(db);
    await db.meta.put({ name: 'hold', value: null });
    if (stopped) return;
    leading = true;
    pace = createPhotoPace(deps, account, look);
    look();
    await new Promise<void>((resolve) => {
      release = resolve;
      if (stopped) resolve();
    });
    leading = false;
    pace.stop();
    cancelTimer?.();
    await pumping;
    await filling;
    await Promise.all(running);
    await unclaim(db, ready);
    ready = [];
    await settler.idle();
  };

  let abandoned: () => void = () => {};
  const gone = new Promise<void>((resolve) => (abandoned = resolve));
  const leadWhileThere = (): Promise<void> => Promise.race([lead(), gone]);

  const lock_name = options.lock_name ?? LOCK;
  const queueUp = async (): Promise<void> => {
    while (!stopped) {
      try {
        await navigator.locks.request(lock_name, { signal: giveUp.signal }, leadWhileThere);
      } catch {
        // Stopped before it led; or the database failed under it: another window may lead, then this one tries again.
        leading = false;
        if (!stopped) await new Promise<void>((resolve) => clock.after(LEAD_AGAIN, resolve));
      }
    }
  };

  const hurry = (): void => {
    void forgive().catch(() => {
      // What was counted only makes a wait longer.
    });
    records.reset();
    photos.reset();
    look();
  };
  /** "Try now" in a window that does not lead is for the one that does. */
  let others: BroadcastChannel | null = null;

  let led: Promise<unknown> = Promise.resolve();
  const unlisten: (() => void)[] = [];
  const quit = (): void => {
    stopped = true;
    Dexie.on.storagemutated.unsubscribe(changed);
    globalThis.removeEventListener('online', nudge);
    for (const end of unlisten) end();
    others?.close();
    others = null;
    giveUp.abort();
    release();
  };
  return {
    start() {
      Dexie.on('storagemutated', changed);
      globalThis.addEventListener('online', nudge);
      unlisten.push(
        host.listen('session.changed', (event) => {
          maySend.heard(event.session);
          hold.hurry();
          look();
        }),
      );
      unlisten.push(host.listen('photo.progress', heardOf));
      others = new BroadcastChannel(`${lock_name}/try-now`);
      others.addEventListener('message', () => leading && hurry());
      led = queueUp();
    },
    wake() {
      if (leading) hurry();
      else others?.postMessage(null);
    },
    nudge,
    leads: () => leading,
    async stop() {
      quit();
      await led;
    },
    abandon() {
      quit();
      leading = false;
      cancelTimer?.();
      abandoned();
    },
  };
};
