/**
 * The languages that Spotter speaks. Everything that has words takes its languages from this list, so a new language that
 * lacks some of them does not compile. Adding one: renderer/how-to-add.md.
 */
export const languages = ['en', 'es', 'pl'] as const;
export type Language = (typeof languages)[number];

/** Each language under its own name. */
export const languageNames = {
  en: 'English',
  es: 'Español',
  pl: 'Polski',
} as const satisfies Readonly<Record<Language, string>>;

/**
 * Resolves a language setting.
 *
 * @param preferred the user's languages as BCP 47 tags, the dearest first. `system` is the first of them that Spotter
 *   speaks, otherwise English.
 */
export const chooseLanguage = (
  setting: 'system' | Language,
  preferred: readonly string[],
): Language => {
  if (setting !== 'system') return setting;
  const known = preferred.map((tag) =>
    languages.find((one) => one === tag.toLowerCase().split('-')[0]),
  );
  return known.find((one) => one !== undefined) ?? 'en';
};
