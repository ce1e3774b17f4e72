/** Chooses the shell's language: the setting, otherwise the first supported language of the computer's user. */
import { chooseLanguage, type Language } from '../../contract/languages.ts';
import type { Settings } from '../../contract/settings.ts';
import { words as en } from './en.ts';
import { words as es } from './es.ts';
import { words as pl } from './pl.ts';

export type Words = typeof en;

const catalogues: Readonly<Record<Language, Words>> = { en, es, pl };

export const wordsFor = (setting: Settings['language'], preferred: readonly string[]): Words =>
  catalogues[chooseLanguage(setting, preferred)];
