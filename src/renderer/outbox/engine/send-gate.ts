/**
 * Decides whether anything may be sent now (outbox promise 3, outbox promise 4). Asks the session, and while the breaker is open
 * probes the server with one small request. An answer closes it after a network failure; after failed writes it lets one operation
 * probe (breaker-state.ts).
 * The journal is repaired before the queue moves again. While the queue waits for a person, the session is still
 * polled, because its change event may be missed or come too early.
 */
import type { SessionView } from '../../../contract/host.ts';
import type { Problem, Result } from '../../../contract/problem.ts';
import type { Deps } from '../../data/db/db.ts';
import type { BreakerState } from './breaker-state.ts';
import { repairJournal } from '../journal/rebuild.ts';
import { type ClosedBy, classifyError } from './classify-error.ts';

export interface SendGate {
  /** Null: send. Otherwise milliseconds until the next check. */
  wait(): Promise<number | null>;
  account(): string | null;
  /** The session changed; it is checked again before anything is sent. */
  sessionChanged(session: SessionView): void;
  /** Asks whether the server answers. Concurrent callers share one request. */
  probe(): Promise<Result<unknown>>;
}

/** Opens the breaker and puts back what was claimed. */
export type PauseQueue = (
  problem: Problem,
  until: 'later' | 'user',
  closed_by: ClosedBy,
) => Promise<void>;

/** How long an answer about the session stays valid, in milliseconds. A change event invalidates it at once. */
const ASK_SESSION = 5_000;
/** How often the session is polled while the queue waits for a person, in milliseconds. */
const ASK_AGAIN = 15_000;

/** The problem that the session itself poses to sending, or null. */
const sessionProblem = (session: SessionView): Problem | null => {
  if (session.state === 'ready' && session.account !== null) return null;
  if (session.state === 'locked')
    return { kind: 'vault', state: session.vault.state === 'hung' ? 'hung' : 'locked' };
  if (session.state === 'none') return { kind: 'not_connected' };
  return { kind: 'signed_out', detail: '' };
};

export const createSendGate = (
  deps: Pick<Deps, 'db' | 'host' | 'clock'>,
  first: SessionView,
  breaker: BreakerState,
  pauseQueue: PauseQueue,
): SendGate => {
  const { host, clock } = deps;
  let session = first;
  /** When the session was last asked, by the monotonic clock; null: ask again before sending. */
  let askedAt: number | null = null;

  let probing: Promise<Result<unknown>> | null = null;
  const probe = (): Promise<Result<unknown>> => {
    probing ??= host.call('reach.check', {}).finally(() => {
      probing = null;
    });
    return probing;
  };

  /**
   * True if somebody has signed in. The stored session cannot answer this: the reply that set it may predate the last
   * sign-in and arrive after its event.
   */
  const someoneSignedIn = async (): Promise<boolean> => {
    const asked = await host.call('session.get', {});
    if (asked.ok) session = asked.value;
    return asked.ok && asked.value.state === 'ready';
  };

  const paused = async (problem: Problem, until: 'later' | 'user'): Promise<number> => {
    await pauseQueue(problem, until, 'reach');
    return Math.min(breaker.remainingMs(), ASK_AGAIN);
  };

  const wait = async (): Promise<number | null> => {
    if (breaker.isHalfOpen()) return null;
    const remaining = breaker.remainingMs();
    if (remaining === Infinity && !(await someoneSignedIn())) return ASK_AGAIN;
    if (remaining > 0 && remaining !== Infinity) return remaining;
    if (
      askedAt === null ||
      clock.monotonic() - askedAt > ASK_SESSION ||
      breaker.problem() !== null
    ) {
      const asked = await host.call('session.get', {});
      if (asked.ok) session = asked.value;
      const problem = asked.ok ? sessionProblem(asked.value) : asked.problem;
      if (problem !== null) return paused(problem, asked.ok ? 'user' : 'later');
      askedAt = clock.monotonic();
    }
    if (breaker.problem() === null) return null;
    const probed = await probe();
    if (!probed.ok) {
      const classified = classifyError(probed.problem);
      return paused(probed.problem, classified.what === 'pause' ? classified.until : 'later');
    }
    const repaired = await repairJournal(deps);
    if (!repaired.ok) return paused(repaired.problem, 'later');
    if (breaker.closedBy() === 'write') breaker.halfOpen();
    else await breaker.close();
    return null;
  };

  return {
    wait,
    account: () => session.account,
    sessionChanged(changed) {
      askedAt = null;
      session = changed;
    },
    probe,
  };
};
