/** The note under each choice of a language, in that language. */
import type { Language } from '../../contract/languages.ts';

export const always = {
  en: 'Always English',
  es: 'Siempre en español',
  pl: 'Zawsze po polsku',
} as const satisfies Readonly<Record<Language, string>>;
