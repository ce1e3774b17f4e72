/**
 * All sentences of the window in English, by subject. Screens contain no sentences, so a language is one folder and one
 * file of this shape. A missing word does not compile.
 */
import { first } from './en/first.ts';
import { company_module } from './en/company-module.ts';

export const words = { ...first, ...company_module };
