/**
 * The words the window speaks now: one live binding, so that a screen imports `words` and never a language. The language
 * is chosen once, before the window is drawn; a change of it draws the window anew.
 */
import { words as english } from './en.ts';

export type Words = typeof english;

// eslint-disable-next-line prefer-const -- `speak` replaces it before the window is drawn
export let words: Words = english;
