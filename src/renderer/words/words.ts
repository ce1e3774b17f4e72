/**
 * The words of the current language as a live binding, so that screens import `words` and never a language. The language is
 * chosen once before the window renders (start.ts); changing it reloads the window. company-words.ts adds the words of the
 * company's screens.
 */
import { chooseLanguage, type Language } from '../../contract/languages.ts';
import { first as english } from './en/first.ts';
import type { FirstWords } from './shape.ts';

/** English is always loaded, as the fallback of a window that cannot find out its language. */
const catalogues: Readonly<Record<Language, () => Promise<FirstWords>>> = {
  en: () => Promise.resolve(english),
  es: async () => (await import('./es.ts')).words,
  pl: async () => (await import('./pl.ts')).words,
};

export let words: FirstWords = english;
/** The current language. */
export let spoken: Language = 'en';

const hearers: (() => void)[] = [];
/** Calls `hear` now and whenever the language changes. */
export const whenSpoken = (hear: () => void): void => {
  hearers.push(hear);
  hear();
};

/** Switches `words` to the language. */
export const speak = async (language: Language): Promise<void> => {
  words = await catalogues[language]();
  spoken = language;
  for (const hear of hearers) hear();
};

/** Resolves a language setting; `system` is the first of the user's languages that Spotter speaks. */
export const languageOf = (
  setting: 'system' | Language,
  preferred: readonly string[] = navigator.languages,
): Language => chooseLanguage(setting, preferred);
