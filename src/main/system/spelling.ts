/** Chooses the dictionaries of the spelling check from the window's language. Chromium would use the system's language. */
import type { App, Session } from 'electron';
import type { Language } from '../../contract/languages.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Host } from '../../host/index.ts';

/** Used when the computer's user names no country for the language. */
const usual: Readonly<Record<Language, string>> = { en: 'en-US', es: 'es', pl: 'pl' };

/**
 * @param preferred the languages of the computer's user
 * @param available the dictionaries that Chromium has; it rejects any other
 */
const dictionariesOf = (
  language: Settings['language'],
  preferred: readonly string[],
  available: readonly string[],
): string[] => {
  const known = preferred.filter((tag) => available.includes(tag));
  if (language === 'system') return known;
  const own = known.filter((tag) => tag.split('-')[0] === language);
  return own.length > 0 ? own : [usual[language]].filter((tag) => available.includes(tag));
};

/**
 * Sets the dictionaries only when the setting is on, because Chromium downloads them. macOS brings its own and needs
 * none.
 * @returns a function that stops following the settings
 */
export const keepSpelling = (
  host: Pick<Host, 'listen'>,
  settings: Settings,
  app: Pick<App, 'getPreferredSystemLanguages'>,
  session: Pick<Session, 'availableSpellCheckerLanguages' | 'setSpellCheckerLanguages'>,
): (() => void) => {
  const follow = ({ spelling, language }: Settings): void => {
    if (!spelling || process.platform === 'darwin') return;
    const { availableSpellCheckerLanguages: available } = session;
    const wanted = dictionariesOf(language, app.getPreferredSystemLanguages(), available);
    if (wanted.length > 0) session.setSpellCheckerLanguages(wanted);
  };
  follow(settings);
  return host.listen((event) => {
    if (event.kind === 'settings.changed') follow(event.settings);
  });
};
