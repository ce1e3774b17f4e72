/** Pure: the state of a company record's pending operations in a word, and the reason if the user is needed. */
import type { Problem } from '../../../contract/problem.ts';
import type { PendingSummary } from '../../data/near-misses/pending-operations.ts';
import { problemWords } from '../../words/problems.ts';
import { type StateSaid, stateWord } from '../common/state-word.ts';

/**
 * True for a 403: the action is forbidden for this user, or (`no_access`) the user currently has no access to the company.
 */
export const isForbidden = (problem: Problem): boolean =>
  problem.kind === 'no_access' || (problem.kind === 'refused' && problem.status === 403);

export interface WaitingSaid extends StateSaid {
  /** Why it needs the user; '' otherwise. */
  readonly why: string;
}

/** Null if nothing is pending. Parked operations come before sending ones. */
export const waitingWord = (waiting: readonly PendingSummary[]): WaitingSaid | null => {
  const parked = waiting.filter((one) => one.state === 'parked');
  const first =
    parked.find((one) => one.problem !== null) ??
    parked[0] ??
    waiting.find((one) => one.state === 'sending') ??
    waiting[0];
  if (first === undefined) return null;
  const { state, problem } = first;
  // An operation that is retried automatically may have a problem too, but needs nobody.
  const why = state === 'parked' && problem !== null ? problemWords(problem).what : '';
  return { ...stateWord(state, problem), why };
};
