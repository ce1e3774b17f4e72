/** Which dictionaries check what is typed: those of the window's language. Chromium by itself takes the system's. */
import type { App, Session } from 'electron';
import type { Settings } from '../contract/settings.ts';
import type { Host } from '../host/index.ts';

/** What a language is spelled by where this computer's user names no country for it. */
const usual = { en: 'en-US', es: 'es' } as const;

/** @param preferred what the computer's user reads @param available what Chromium has; others it refuses */
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

/** Only where it was asked for: naming a dictionary fetches it. macOS has its own. @returns ends it */
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
