/**
 * All words, those of the company's screens among them, which are read from the disk with the first screen that says them. A language
 * that was loaded when it was chosen has them already.
 */
import { wing } from './en/wing.ts';
import type { Words } from './shape.ts';
import { whenSpoken, words as first } from './words.ts';

/** As `words` of words.ts: one live binding. */
export let words: Words;
whenSpoken(() => (words = { ...wing, ...first }));
