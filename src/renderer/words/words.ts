/**
 * The words of the current language as a live binding, so that screens import `words` and never a language. The language is
 * chosen once before the window renders (start.ts); changing it reloads the window. company-words.ts adds the words of the
 * company's screens.
 */
import { first as english } from './en/first.ts';
import type { FirstWords } from './shape.ts';

export type Language = 'en' | 'es';
/** English is always loaded, as the fallback of a window that cannot find out its language. */
const languages: Readonly<Record<Language, () => Promise<FirstWords>>> = {
  en: () => Promise.resolve(english),
  es: async () => (await import('./es.ts')).words,
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
  words = await languages[language]();
  spoken = language;
  for (const hear of hearers) hear();
};

/** Resolves a language setting; `system` is the first of the user's languages that Spotter speaks. */
export const languageOf = (
  setting: 'system' | Language,
  preferred: readonly string[] = navigator.languages,
): Language => {
  if (setting !== 'system') return setting;
  const known = preferred.map((tag) => tag.toLowerCase().split('-')[0]);
  return known.find((tag) => tag === 'en' || tag === 'es') === 'es' ? 'es' : 'en';
};
