/** Chooses the shell's language: the setting, otherwise the first supported language of the computer's user. */
import type { Settings } from '../../contract/settings.ts';
import { words as en } from './en.ts';
import { words as es } from './es.ts';

export type Words = typeof en;

export const wordsFor = (setting: Settings['language'], preferred: readonly string[]): Words => {
  if (setting !== 'system') return setting === 'es' ? es : en;
  const known = preferred.map((tag) => tag.toLowerCase().split('-')[0]);
  return known.find((tag) => tag === 'en' || tag === 'es') === 'es' ? es : en;
};
