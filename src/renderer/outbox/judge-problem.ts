/**
 * Pure: what a problem means for the queue (outbox promise 3): what may heal by itself is never parked. A switch over the closed
 * list: a new problem does not compile.
 */
import type { Problem } from '../../contract/problem.ts';

export type Judgement =
  /**
   * Nothing can be sent now: stop everything, one banner, try again later. `until: 'user'` waits for a person; `of` says what
   * has to succeed before the queue moves: the smallest question (`reach`), or a write (queue-hold.ts).
   */
  | { readonly what: 'hold'; readonly until: 'later' | 'user'; readonly of: HoldOf }
  /** The server's trouble, the line's, or this entry's alone: it may heal. This entry waits; where others suffer too, all do. */
  | { readonly what: 'trouble' }
  /** A mistake of our own: says nothing of the server. This entry waits and is tried again. */
  | { readonly what: 'rest' }
  /** For good: only a person can put it right. The others go on. */
  | { readonly what: 'park' }
  /** Stopped on purpose: back in its place. */
  | { readonly what: 'release' };

export type HoldOf = 'reach' | 'write';

export const judge = (problem: Problem): Judgement => {
  switch (problem.kind) {
    case 'offline':
      // A connection cut in the middle may be this entry's body; the others are the network's.
      return problem.reason === 'reset'
        ? { what: 'trouble' }
        : { what: 'hold', until: 'later', of: 'reach' };
    case 'timeout':
    case 'server_error':
    case 'broken_reply':
      return { what: 'trouble' };
    case 'busy':
      // Perhaps only writes are too many.
      return { what: 'hold', until: 'later', of: 'write' };
    case 'no_space':
      return { what: 'hold', until: 'later', of: 'reach' };
    case 'signed_out':
    case 'not_connected':
    case 'vault':
      return { what: 'hold', until: 'user', of: 'reach' };
    case 'refused':
    case 'conflict':
    case 'gone':
    case 'photo_damaged':
    case 'unsure':
    case 'no_photo_place':
    case 'bad_input':
      return { what: 'park' };
    case 'bug':
      return { what: 'rest' };
    case 'cancelled':
      return { what: 'release' };
  }
};

/** May it heal without a person? Such an entry is never parked. */
export const mayHeal = (problem: Problem): boolean => judge(problem).what !== 'park';

export const retryAfter = (problem: Problem): number | null =>
  problem.kind === 'busy' || problem.kind === 'server_error' ? problem.retry_after_ms : null;
