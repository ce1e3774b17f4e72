/**
 * Classifies a problem for the queue (outbox promise 3): what may heal is never parked.
 * The switch is exhaustive, so a new problem kind does not compile until it is classified.
 */
import type { Problem } from '../../../contract/problem.ts';

export type Classification =
  /**
   * Nothing can be sent now: pause the queue, show one banner and retry later. `until: 'user'` waits for a person. `closed_by`
   * says what must succeed before the queue moves: the reachability request (`reach`), or a write (breaker-state.ts).
   */
  | { readonly what: 'pause'; readonly until: 'later' | 'user'; readonly closed_by: ClosedBy }
  /**
   * The server, the connection or this operation may be at fault, and it may heal. The operation backs off; the circuit breaker
   * may pause all.
   */
  | { readonly what: 'suspect' }
  /** A bug in Spotter, which says nothing about the server. The operation backs off and is retried. */
  | { readonly what: 'retry' }
  /** Permanent until a person acts. Other operations go on. */
  | { readonly what: 'park' }
  /** Cancelled on purpose: the operation returns to its place. */
  | { readonly what: 'release' };

/** What must succeed before the breaker closes: the reachability request, or a write. */
export type ClosedBy = 'reach' | 'write';

export function classifyError(problem: Problem): Classification {
  switch (problem.kind) {
    case 'offline':
      // A reset connection may be caused by this operation's body. Any other reason is the network's.
      return problem.reason === 'reset'
        ? { what: 'suspect' }
        : { what: 'pause', until: 'later', closed_by: 'reach' };
    case 'timeout':
    case 'server_error':
    case 'broken_reply':
      return { what: 'suspect' };
    case 'busy':
      // The server may be limiting only writes, so only a write can prove the end.
      return { what: 'pause', until: 'later', closed_by: 'write' };
    case 'no_access':
    case 'no_space':
      return { what: 'pause', until: 'later', closed_by: 'reach' };
    case 'signed_out':
    case 'not_connected':
    case 'vault':
      return { what: 'pause', until: 'user', closed_by: 'reach' };
    case 'refused':
    case 'conflict':
    case 'gone':
    case 'photo_damaged':
    case 'outcome_unknown':
    case 'no_photo_place':
    case 'bad_input':
      return { what: 'park' };
    case 'bug':
      return { what: 'retry' };
    case 'cancelled':
      return { what: 'release' };
  }
}

/** True if the problem may heal without a person. Such an operation is never parked. */
export function isRetryable(problem: Problem): boolean {
  return classifyError(problem).what !== 'park';
}

export const retryAfter = (problem: Problem): number | null =>
  problem.kind === 'busy' || problem.kind === 'server_error' ? problem.retry_after_ms : null;
