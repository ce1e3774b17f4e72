/** Pure: what waits for one of a company's own records, in a word and, where it needs a person, with the reason. */
import type { Problem } from '../../contract/problem.ts';
import type { WaitingBrief } from '../data/company-change.ts';
import { problemWords } from '../words/problems.ts';
import { words } from '../words/words.ts';
import type { Tone } from './near-misses/view.ts';

/** A 403: not this user, whatever is tried again. */
export const isForbidden = (problem: Problem): boolean =>
  problem.kind === 'refused' && problem.status === 403;

export interface WaitingSaid {
  readonly tone: Tone;
  readonly word: string;
  /** Why it needs a person; '' else. */
  readonly why: string;
}

/** Null: nothing waits. What needs a person is said before what is on its way. */
export const waitingWord = (waiting: readonly WaitingBrief[]): WaitingSaid | null => {
  const parked = waiting.filter((one) => one.state === 'parked');
  const refused = parked.find((one) => one.problem !== null);
  if (refused?.problem)
    return {
      ...{ tone: 'bad', word: words.state.needs_you },
      why: problemWords(refused.problem).what,
    };
  if (parked.length > 0) return { tone: 'plain', word: words.state.set_aside, why: '' };
  if (waiting.some((one) => one.state === 'sending'))
    return { tone: 'info', word: words.state.sending, why: '' };
  return waiting.length > 0 ? { tone: 'wait', word: words.state.waiting, why: '' } : null;
};
