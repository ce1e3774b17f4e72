/**
 * Leader election by Web Lock: of all windows of this browser profile, one leads. A window that closes or crashes gives
 * up the lock, and the browser hands it to the next.
 */
import type { Clock } from '../../data/db/db.ts';

/** Milliseconds after a failure until this window asks for the lock again. */
const LEAD_AGAIN = 2_000;

export interface Leader {
  /** Waits for the lock in the background. */
  start(): void;
  leads(): boolean;
  /** Finishes the work of leading, then gives up the lock. */
  stop(): Promise<void>;
  /** Gives up the lock at once, as a closed window does. */
  abandon(): void;
}

export interface LeaderWork {
  /** This window holds the lock, but does not lead yet. */
  prepare(): Promise<void>;
  begin(): void;
  /** Ends the work before the lock is given up. */
  end(): Promise<void>;
}

export function createLeader(lock_name: string, clock: Clock, work: LeaderWork): Leader {
  const stopped = new AbortController();
  const released = Promise.withResolvers<void>();
  const abandoned = Promise.withResolvers<void>();
  let leading = false;
  let ended: Promise<void> = Promise.resolve();

  const lead = async (): Promise<void> => {
    await work.prepare();
    if (stopped.signal.aborted) return;
    leading = true;
    work.begin();
    await released.promise;
    leading = false;
    await work.end();
  };

  const waitForLock = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      try {
        await navigator.locks.request(lock_name, { signal: stopped.signal }, () =>
          Promise.race([lead(), abandoned.promise]),
        );
      } catch {
        // Stopped before leading, or the database failed. Another window may lead; then this one retries.
        leading = false;
        if (!stopped.signal.aborted)
          await new Promise<void>((resolve) => clock.after(LEAD_AGAIN, resolve));
      }
    }
  };

  const quit = (): void => {
    stopped.abort();
    released.resolve();
  };
  return {
    start() {
      ended = waitForLock();
    },
    leads: () => leading,
    async stop() {
      quit();
      await ended;
    },
    abandon() {
      quit();
      leading = false;
      abandoned.resolve();
    },
  };
}
