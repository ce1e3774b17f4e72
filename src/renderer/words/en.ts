/**
 * Every sentence of the window in English, by what it is about. A screen never spells a sentence itself: it asks here, so
 * that a language is a folder and a file of this shape, and a word that one of them lacks does not compile.
 */
import { first } from './en/first.ts';
import { wing } from './en/wing.ts';

export const words = { ...first, ...wing };
