/**
 * Sends the queue.
 *
 *   follower ──lock──► idle ──an operation is due──► claiming ──► sending ──► settled, parked ──► idle
 *                       ▲                                        │
 *                       │                                        ├── one lane fails: that lane backs off ──► idle
 *                       │ a write succeeds                       │
 *                       │                                        ▼ two lanes fail, or the server is unreachable
 *                   half-open ◄──── the wait ends ──────── breaker open ◄──┐
 *                       └──────────────── the probe fails ────────────────┘
 *
 * One window leads (leader.ts). It claims the first operation of each free lane (claimer.ts) while the send gate allows it
 * (send-gate.ts), and sends up to `parallel` lanes at once (sender.ts). An operation that may heal is never given up.
 * The engine wakes on changes to operations in any window, network or session changes, a timer, or a person.
 */
import type { SessionView } from '../../../contract/host.ts';
import type { Deps } from '../../data/db/db.ts';
import { releaseAll } from '../queue/lanes.ts';
import { createUploadPolicy, type UploadPolicy } from '../queue/upload-policy.ts';
import { createBreakerState, createQueueBreakerState } from './breaker-state.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { createClaimer } from './claimer.ts';
import { createJournalRepair } from './journal-repair.ts';
import { createLaneBackoffs } from './lane-backoffs.ts';
import { createLeader } from './leader.ts';
import { createPump } from './pump.ts';
import { createSendGate, type PauseQueue } from './send-gate.ts';
import { createSender } from './sender.ts';
import { createSettler } from './settle.ts';
import { listenForWork } from './work-events.ts';

export interface Engine {
  /** Waits for the leader's lock in the background, then sends. */
  start(): void;
  /** "Try now", in any window: ends every wait and resets the backoff. Only a wait that the server asked for stays. */
  wake(): void;
  /** The server answers again: ends a wait for the network. */
  nudge(): void;
  leads(): boolean;
  /** Finishes the requests in flight, then gives up the lock. */
  stop(): Promise<void>;
  /**
   * Call it when the database is lost. Releases the lock at once, as a closed window does, because pending database
   * work may never end.
   */
  abandon(): void;
}

export interface EngineOptions {
  readonly session: SessionView;
  readonly lock_name?: string;
  /** The most lanes sent at once. */
  readonly parallel?: number;
  /** Uniform in [0, 1). */
  readonly random?: () => number;
}

const LOCK = 'spotter-outbox';
const PARALLEL = 64;

export function createEngine(deps: Deps, options: EngineOptions): Engine {
  const { db, clock } = deps;
  const { random = Math.random, lock_name = LOCK, parallel = PARALLEL } = options;
  let stopped = false;
  /** On the leader: which photos are paused. */
  let policy: UploadPolicy | null = null;

  const breaker = createQueueBreakerState(deps, random);
  const records = createCircuitBreaker(breaker);
  /** Photos have a separate breaker: their bytes may go to another server, and texts must not wait for it. */
  const photos = createCircuitBreaker(createBreakerState(clock, random));
  const backoffs = createLaneBackoffs(clock);
  const settler = createSettler(deps);

  const pauseQueue: PauseQueue = async (problem, until, closed_by) => {
    sender.resetLimit();
    await breaker.open(gate.account() ?? '', problem, until, closed_by);
    await claimer.putBackAll();
  };
  /** The database or the host threw: the queue backs off and retries. */
  const failed = async (error: unknown): Promise<void> => {
    await pauseQueue({ kind: 'bug', detail: String(error) }, 'later', 'reach').catch(() => {});
    pump.lookAfter(Math.min(breaker.remainingMs(), 60_000) || 1_000);
  };

  const gate = createSendGate(deps, options.session, breaker, pauseQueue);
  const pump = createPump({
    clock,
    gate,
    claimer: () => claimer,
    sender: () => sender,
    backoffs,
    photos: photos.state,
    repairJournal: createJournalRepair(deps),
    mayRun: () => !stopped && leader.leads(),
    failed,
  });
  const shared = { records, photos, backoffs, policy: () => policy };
  const claimer = createClaimer({
    ...shared,
    db,
    clock,
    limit: () => sender.limit(),
    account: gate.account,
    isStopped: () => stopped,
    failed,
    claimed: pump.sendClaimed,
  });
  const sender = createSender(
    {
      ...shared,
      deps,
      tools: { ...deps, settler, random, probe: gate.probe, account: gate.account },
      claimer,
      pauseQueue,
      answered: pump.sendClaimed,
      ended: pump.look,
    },
    parallel,
  );

  const leader = createLeader(lock_name, clock, {
    async prepare() {
      // Only the lock holder sends, so operations left in `sending` belong to a previous leader and wait again.
      await releaseAll(db);
      await db.meta.put({ name: 'hold', value: null });
    },
    begin() {
      policy = createUploadPolicy(deps, gate.account, pump.look);
      pump.look();
    },
    async end() {
      policy?.stop();
      await pump.stop();
      await claimer.idle();
      await sender.idle();
      await claimer.putBackAll();
      await settler.idle();
    },
  });

  /** Ends the backoffs and clears the failures, except for waits that the server asked for. */
  const endBackoffs = async (): Promise<void> => {
    const ids = backoffs.endAll();
    if (ids.length === 0) return;
    const waiting = db.operations.where('id').anyOf(ids);
    await waiting
      .and(({ state }) => state === 'waiting')
      .modify({ consecutive_failures: 0, next_try_at: null });
    pump.look();
  };
  const tryNow = (): void => {
    void endBackoffs().catch(() => {
      // The counts only lengthen a wait.
    });
    records.reset();
    photos.reset();
    pump.look();
  };
  const nudge = (): void => {
    if (breaker.closedBy() === 'reach') breaker.endWait();
    pump.look();
  };
  const listen = () =>
    listenForWork(deps, {
      entriesChanged: pump.look,
      online: nudge,
      sessionChanged(session) {
        gate.sessionChanged(session);
        breaker.endWait();
        pump.look();
      },
      // The other photos need not wait for the whole photo.
      photoMoved: () => void photos.recordSuccess().then(pump.look),
      arePhotosPaused: () => photos.state.problem() !== null,
    });

  let stopListening = (): void => {};
  /** Forwards "Try now" from a follower to the leader. */
  let others: BroadcastChannel | null = null;
  const quit = (): void => {
    stopped = true;
    stopListening();
    others?.close();
    others = null;
  };
  return {
    start() {
      stopListening = listen();
      others = new BroadcastChannel(`${lock_name}/try-now`);
      others.addEventListener('message', () => leader.leads() && tryNow());
      leader.start();
    },
    wake() {
      if (leader.leads()) tryNow();
      else others?.postMessage(null);
    },
    nudge,
    leads: leader.leads,
    stop() {
      quit();
      return leader.stop();
    },
    abandon() {
      quit();
      void pump.stop();
      leader.abandon();
    },
  };
}
