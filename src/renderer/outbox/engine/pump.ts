/**
 * The engine's loop: asks the gate, claims, sends, and arms the timer for the next wait that ends. One pass at a time; a
 * request during a pass leads to one more.
 */
import type { Clock } from '../../data/db/db.ts';
import type { BreakerState } from './breaker-state.ts';
import type { Claimer } from './claimer.ts';
import { REPAIR_AFTER } from './journal-repair.ts';
import type { LaneBackoffs } from './lane-backoffs.ts';
import type { SendGate } from './send-gate.ts';
import type { Sender } from './sender.ts';

/** Milliseconds that an ended wait may go unnoticed while others are sent. */
const UNSEEN_FOR = 1_000;
/**
 * A timer may fire slightly early by the other clock. A look before the end of the wait would find nothing and schedule
 * no other.
 */
const TIMER_SLACK = 5;

export interface PumpParts {
  readonly clock: Clock;
  readonly gate: SendGate;
  readonly claimer: () => Claimer;
  readonly sender: () => Sender;
  readonly backoffs: LaneBackoffs;
  /** The breaker of photos: the end of its wait is a reason to look. */
  readonly photos: BreakerState;
  readonly repairJournal: () => Promise<number>;
  /** False while this window follows or stops: nothing is sent. */
  readonly mayRun: () => boolean;
  /** The database or the host threw. */
  readonly failed: (error: unknown) => Promise<void>;
}

export interface Pump {
  /** Operations, waits or the session changed: reads the queue again, then sends. */
  look(): void;
  lookAfter(ms: number): void;
  /** Sends the operations that are already claimed. */
  sendClaimed(): void;
  /** Cancels the timer and waits for the running pass. */
  stop(): Promise<void>;
}

export function createPump(parts: PumpParts): Pump {
  const { clock, gate, backoffs, mayRun } = parts;
  let running: Promise<void> | null = null;
  let again = false;
  let cancelTimer: (() => void) | null = null;

  /**
   * A wait that ended during or after the last claim was not seen by it: look at once, or soon if the end of an attempt
   * may look sooner.
   */
  const armTimer = async (): Promise<void> => {
    const [claimer, sender] = [parts.claimer(), parts.sender()];
    const repair = sender.isBusy() ? Infinity : await parts.repairJournal();
    const now = clock.monotonic();
    const unseen = sender.isBusy() || !claimer.isEmpty() ? UNSEEN_FOR : 0;
    const left = [...backoffs.ends(), parts.photos.endsAt() ?? -Infinity]
      .filter((at) => at > claimer.lastLookAt())
      .map((at) => (at > now ? at - now : unseen));
    const next = Math.min(repair, ...left);
    if (next !== Infinity) pump.lookAfter(next + TIMER_SLACK);
  };

  const pass = async (): Promise<void> => {
    const [claimer, sender] = [parts.claimer(), parts.sender()];
    const wait = await gate.wait();
    if (wait !== null) return pump.lookAfter(wait);
    // Only operations of the signed-in account (failures A9).
    const account = gate.account();
    if (account === null) claimer.lookedInVain();
    else {
      const filled = claimer.fill(account);
      if (claimer.isEmpty() && !sender.isSending()) await filled;
    }
    if (mayRun()) sender.startAll();
    await armTimer().catch(() => pump.lookAfter(REPAIR_AFTER));
  };

  const run = async (): Promise<void> => {
    while (again && mayRun()) {
      again = false;
      await pass().catch(parts.failed);
    }
  };

  const pump: Pump = {
    look() {
      parts.claimer().setStale();
      pump.sendClaimed();
    },
    lookAfter(ms) {
      cancelTimer?.();
      cancelTimer = clock.after(ms, pump.look);
    },
    sendClaimed() {
      if (!mayRun()) return;
      again = true;
      running ??= run().finally(() => {
        running = null;
        // A request arrived between the last pass and its end.
        if (again) pump.sendClaimed();
      });
    },
    async stop() {
      cancelTimer?.();
      await running;
    },
  };
  return pump;
}
