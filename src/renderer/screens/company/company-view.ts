/** Pure: what waits for one of a company's own records, in a word and, where it needs a person, with the reason. */
import type { Problem } from '../../../contract/problem.ts';
import type { WaitingBrief } from '../../data/waiting-entries.ts';
import { problemWords } from '../../words/problems.ts';
import { type StateSaid, stateWord } from '../state-word.ts';

/** A 403: not this user, whatever is tried again. */
export const isForbidden = (problem: Problem): boolean =>
  problem.kind === 'refused' && problem.status === 403;

export interface WaitingSaid extends StateSaid {
  /** Why it needs a person; '' else. */
  readonly why: string;
}

/** Null: nothing waits. What needs a person is said before what is on its way. */
export const waitingWord = (waiting: readonly WaitingBrief[]): WaitingSaid | null => {
  const parked = waiting.filter((one) => one.state === 'parked');
  const first =
    parked.find((one) => one.problem !== null) ??
    parked[0] ??
    waiting.find((one) => one.state === 'sending') ??
    waiting[0];
  if (first === undefined) return null;
  const { state, problem } = first;
  // What is tried again by itself may have a problem too: that is nobody's to solve.
  const why = state === 'parked' && problem !== null ? problemWords(problem).what : '';
  return { ...stateWord(state, problem), why };
};
