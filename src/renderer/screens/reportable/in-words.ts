/** A text of the rules in the window's language; English where the rules lack that language. */
import { spoken } from '../../words/words.ts';
import type { Said } from './reportable.ts';

export const inWords = (of: Said): string => of[spoken] ?? of.en;
