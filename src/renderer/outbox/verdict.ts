/** Pure: what a problem means for the queue (design §3.3). A switch over the closed list: a new problem does not compile. */
import type { Problem } from '../../contract/problem.ts';

export type Verdict =
  /** Nothing can be sent now: stop everything, one banner, try again later. `until: 'user'` waits for a person. */
  | { readonly what: 'hold'; readonly until: 'later' | 'user' }
  /** Is it the server or this entry? A probe tells: no answer holds the queue, an answer is a strike. */
  | { readonly what: 'probe' }
  /** This entry's own trouble, and it may pass: a strike. */
  | { readonly what: 'strike' }
  /** For good: the user must look at it. The others go on. */
  | { readonly what: 'park' }
  /** Stopped on purpose: back in its place. */
  | { readonly what: 'release' };

export const judge = (problem: Problem): Verdict => {
  switch (problem.kind) {
    case 'offline':
      // A connection cut in the middle may be this entry's body; the others are the network's.
      return problem.reason === 'reset' ? { what: 'probe' } : { what: 'hold', until: 'later' };
    case 'timeout':
    case 'server_error':
    case 'broken_reply':
      return { what: 'probe' };
    case 'busy':
    case 'no_space':
      return { what: 'hold', until: 'later' };
    case 'signed_out':
    case 'not_connected':
    case 'vault':
      return { what: 'hold', until: 'user' };
    case 'refused':
    case 'conflict':
    case 'gone':
    case 'photo_damaged':
    case 'unsure':
    case 'no_photo_place':
    case 'bad_input':
      return { what: 'park' };
    case 'bug':
      return { what: 'strike' };
    case 'cancelled':
      return { what: 'release' };
  }
};

export const retryAfter = (problem: Problem): number | null =>
  problem.kind === 'busy' || problem.kind === 'server_error' ? problem.retry_after_ms : null;
