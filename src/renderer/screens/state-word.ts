/** Pure: where something queued stands, in a word: the same word on every screen. */
import type { Problem } from '../../contract/problem.ts';
import type { EntryState } from '../data/db.ts';
import { words } from '../words/words.ts';
import type { Tone } from './near-misses/view.ts';

export interface StateSaid {
  readonly tone: Tone;
  readonly word: string;
}

/** @param problem of what is parked; null: a person set it aside */
export const stateWord = (state: EntryState, problem: Problem | null): StateSaid => {
  if (state === 'sending') return { tone: 'info', word: words.state.sending };
  if (state === 'waiting') return { tone: 'wait', word: words.state.waiting };
  return problem === null
    ? { tone: 'plain', word: words.state.set_aside }
    : { tone: 'bad', word: words.state.needs_you };
};
