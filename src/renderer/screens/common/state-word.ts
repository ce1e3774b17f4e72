/** Pure: the state of a queued operation in one word, the same on every screen. */
import type { Problem } from '../../../contract/problem.ts';
import type { OperationState } from '../../data/db/db.ts';
import { words } from '../../words/words.ts';
import type { Tone } from '../../near-miss-form/view.ts';

export interface StateSaid {
  readonly tone: Tone;
  readonly word: string;
}

/** @param problem of a parked operation; null if a person put it on hold */
export const stateWord = (state: OperationState, problem: Problem | null): StateSaid => {
  if (state === 'sending') return { tone: 'info', word: words.state.sending };
  if (state === 'waiting') return { tone: 'wait', word: words.state.waiting };
  return problem === null
    ? { tone: 'plain', word: words.state.set_aside }
    : { tone: 'bad', word: words.state.needs_you };
};
