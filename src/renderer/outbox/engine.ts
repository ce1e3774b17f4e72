/**
 * Empties the queue (design §3). One window leads, by Web Lock; it sends the first entry of up to `parallel` lanes at
 * once. A systemic failure holds everything after one try, until gate.ts lets the queue move again. Woken by changes to
 * the entries (from any window), the network coming back, the session changing, a timer, or a person.
 */
import { Dexie } from 'dexie';
import type { SessionView } from '../../contract/host.ts';
import type { Problem } from '../../contract/problem.ts';
import type { Deps, OutboxEntry } from '../data/db.ts';
import { createAhead } from './ahead.ts';
import { attempt, type AttemptTools } from './attempt.ts';
import { createGate } from './gate.ts';
import { createHold } from './hold.ts';
import { claim, releaseAll, unclaim } from './lanes.ts';
import { blocks } from './operations/index.ts';
import { createPhotoPace, sendsBytes, type PhotoPace } from './photo-pace.ts';
import { repairJournal } from './rebuild.ts';
import { createSettler } from './settle.ts';
import { judge } from './verdict.ts';

export interface Engine {
  /** Waits for the leader's lock in the background, then sends. */
  start(): void;
  /** Look again now: "try again" on the banner. Ends a wait, except one that the server asked for. */
  wake(): void;
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
/** Entries claimed ahead, at least: one durable write for many. */
const AHEAD = 48;
/** Photos on their way at once: the others wait, and do not keep the texts waiting. */
const PHOTOS = 6;
/** How long a change may take to reach the journal before it is told again, milliseconds. */
const REPAIR_AFTER = 2_000;
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
  const hold = createHold(deps, random);
  const gate = createGate(deps, options.session, hold, (...why) => holdQueue(...why));
  const { account } = gate;
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
  const ahead = createAhead(deps, (entry) => pace?.holds(entry) ?? false);
  const notBefore = new Map<string, number>();
  /** Of the window that leads: which photos wait. */
  let pace: PhotoPace | null = null;
  let cancelTimer: (() => void) | null = null;
  let release: () => void = () => {};

  const tools: AttemptTools = { ...deps, settler, random, probe: gate.probe, account };

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

  const holdQueue = async (problem: Problem, until: 'later' | 'user'): Promise<void> => {
    parallel = first;
    await hold.set(account() ?? '', problem, until);
    const back = ready;
    ready = [];
    for (const entry of back) busy.delete(entry.lane);
    await unclaim(db, back);
  };

  /** The database or the host threw: the queue waits, and tries again. */
  const failedHere = async (error: unknown): Promise<void> => {
    await holdQueue({ kind: 'bug', detail: String(error) }, 'later').catch(() => {});
    lookAfter(Math.min(hold.remaining(), 60_000) || 1_000);
  };

  let filling: Promise<void> | null = null;
  /** In the background while there is something to send: a durable write takes longer than a request. */
  const fill = (account: string): Promise<void> => {
    if (!dirty || filling !== null || ready.length >= parallel) return filling ?? Promise.resolve();
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

  const claimAhead = async (account: string): Promise<void> => {
    const max = Math.max(AHEAD, 2 * parallel);
    const photos = [...busy.values()].filter(sendsBytes).length;
    const claimed = await claim(db, {
      ...{
        account,
        busy: new Set(busy.keys()),
        blocks,
        max,
        bulky: sendsBytes,
        bulky_max: PHOTOS - photos,
      },
      held: (entry) => pace?.holds(entry) ?? false,
      rested: (entry) =>
        (pace?.knows() === true || !sendsBytes(entry)) &&
        (notBefore.get(entry.id) ?? 0) <= clock.monotonic(),
    });
    // What held the queue or changed the session meanwhile holds these too.
    if (stopped || hold.problem() !== null || gate.account() !== account) {
      await unclaim(db, claimed);
      return;
    }
    for (const entry of claimed) busy.set(entry.lane, entry);
    ready.push(...claimed);
    // A full claim says that there may be more.
    if (claimed.length === max) dirty = true;
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
      void ahead(entry).catch(() => {
        // Only a head start.
      });
      const ending = await attempt(tools, entry, sent);
      busy.delete(entry.lane);
      if (ending.what === 'settled') {
        hold.succeeded();
        parallel = Math.min(most, parallel + 1);
      }
      // Before its place is free: nothing may slip out between a failure and the hold.
      if (ending.what === 'hold') await holdQueue(ending.problem, ending.until);
      if (ending.what === 'delayed') notBefore.set(entry.id, clock.monotonic() + ending.wait);
      else notBefore.delete(entry.id);
    } finally {
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

  const armRest = async (): Promise<void> => {
    const repair = await repairLater();
    const now = clock.monotonic();
    const rests = [...notBefore.values()].filter((at) => at > now).map((at) => at - now);
    const next = Math.min(repair, ...rests);
    if (next !== Infinity) lookAfter(next + TIMER_SLACK);
  };

  const pump = async (): Promise<void> => {
    while (again && leading && !stopped) {
      again = false;
      try {
        const wait = await gate.wait();
        if (wait !== null) {
          lookAfter(wait);
          continue;
        }
        // Only entries of the account that is signed in (failures A9).
        const signedIn = account();
        if (signedIn !== null) {
          const filled = fill(signedIn);
          if (ready.length === 0 && sending === 0) await filled;
        }
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
            notBefore.set(entry.id, clock.monotonic() + 1_000);
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

  const hurry = (even: (problem: Problem) => boolean): void => {
    const problem = hold.problem();
    if (problem !== null && even(problem)) hold.hurry();
    look();
  };

  const changed = (parts: object): void => {
    if (Object.keys(parts).some((name) => name.startsWith(`idb://${db.name}/entries/`))) look();
  };
  const online = (): void =>
    hurry((problem) => problem.kind === 'offline' || problem.kind === 'timeout');

  const lead = async (): Promise<void> => {
    // Nobody else sends while this window has the lock: what was being sent when the last leader ended waits again.
    await releaseAll(db);
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

  const queueUp = async (): Promise<void> => {
    const name = options.lock_name ?? LOCK;
    while (!stopped) {
      try {
        await navigator.locks.request(name, { signal: giveUp.signal }, leadWhileThere);
      } catch {
        // Stopped before it led; or the database failed under it: another window may lead, then this one tries again.
        leading = false;
        if (!stopped) await new Promise<void>((resolve) => clock.after(LEAD_AGAIN, resolve));
      }
    }
  };

  let led: Promise<unknown> = Promise.resolve();
  const unlisten: (() => void)[] = [];
  const quit = (): void => {
    stopped = true;
    Dexie.on.storagemutated.unsubscribe(changed);
    globalThis.removeEventListener('online', online);
    for (const end of unlisten) end();
    giveUp.abort();
    release();
  };
  return {
    start() {
      Dexie.on('storagemutated', changed);
      globalThis.addEventListener('online', online);
      unlisten.push(
        host.listen('session.changed', (event) => {
          gate.heard(event.session);
          hurry((problem) => judge(problem).what === 'hold' && problem.kind !== 'busy');
        }),
      );
      led = queueUp();
    },
    wake() {
      notBefore.clear();
      hurry((problem) => problem.kind !== 'busy');
    },
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
