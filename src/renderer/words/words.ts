/**
 * The words the window speaks now: one live binding, so that a screen imports `words` and never a language. The language
 * is chosen once, before the window is drawn (start.ts); a change of it draws the window anew. What the company's screens say besides is
 * in wing-words.ts.
 */
import { first as english } from './en/first.ts';
import type { FirstWords } from './shape.ts';

export type Language = 'en' | 'es';
/** English is there at once, so that a window that cannot ask for another language speaks at all. */
const languages: Readonly<Record<Language, () => Promise<FirstWords>>> = {
  en: () => Promise.resolve(english),
  es: async () => (await import('./es.ts')).words,
};

export let words: FirstWords = english;
/** The language that is spoken now. */
export let spoken: Language = 'en';

const hearers: (() => void)[] = [];
/** `hear` is called at once, and whenever another language is spoken. */
export const whenSpoken = (hear: () => void): void => {
  hearers.push(hear);
  hear();
};

/** From here on `words` are of this language. */
export const speak = async (language: Language): Promise<void> => {
  words = await languages[language]();
  spoken = language;
  for (const hear of hearers) hear();
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
