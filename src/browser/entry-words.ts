/**
 * The two sentences of the entry page, in every language of the window. They live here and not in the window's words: the page
 * is shown to whoever was not let in yet, and loads nothing of the window.
 */
import type { Settings } from '../contract/settings.ts';

type EntryLanguage = Exclude<Settings['language'], 'system'>;

interface EntryWords {
  readonly opening: string;
  readonly spent: string;
}

export const entryWords = {
  en: {
    opening: 'Opening Spotter…',
    spent:
      'This address was used already or is too old. Press Enter where Spotter was started for a new one.',
  },
  es: {
    opening: 'Abriendo Spotter…',
    spent:
      'Esta dirección ya se usó o es demasiado antigua. Presione Intro donde se inició Spotter para recibir una nueva.',
  },
} as const satisfies Readonly<Record<EntryLanguage, EntryWords>>;
