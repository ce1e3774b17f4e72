/**
 * All words, including those of the company's screens, which load with the first screen that uses them. Only English is
 * split; another language is loaded whole and overrides the English words here.
 */
import { company_module } from './en/company-module.ts';
import type { Words } from './shape.ts';
import { whenSpoken, words as first } from './words.ts';

/** Reassigned when a language is set, as `words` in words.ts is: every importer sees the new value. */
export let words: Words;
whenSpoken(() => (words = { ...company_module, ...first }));
