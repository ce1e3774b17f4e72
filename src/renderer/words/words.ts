/**
 * The words the window speaks now: one live binding, so that a screen imports `words` and never a language. The language
 * is chosen once, before the window is drawn (start.ts); a change of it draws the window anew.
 */
import { words as english } from './en.ts';
import { words as spanish } from './es.ts';
import type { Words } from './shape.ts';

export type Language = 'en' | 'es';
const languages: Readonly<Record<Language, Words>> = { en: english, es: spanish };

export let words: Words = english;
/** The language that is spoken now. */
export let spoken: Language = 'en';

/** From here on `words` are of this language. */
export const speak = (language: Language): void => {
  words = languages[language];
  spoken = language;
};

/** The language of a setting; `system`: the first that the computer's user reads and Spotter speaks. */
export const languageOf = (
  setting: 'system' | Language,
  preferred: readonly string[] = navigator.languages,
): Language => {
  if (setting !== 'system') return setting;
  const known = preferred.map((tag) => tag.toLowerCase().split('-')[0]);
  return known.find((tag) => tag === 'en' || tag === 'es') === 'es' ? 'es' : 'en';
};
