/** The language of a user who chose none, and the names of all. */
import { expect, it } from 'vitest';
import { chooseLanguage, languageNames, languages } from '../../src/contract/languages.ts';

it('is the one that was chosen, whatever the computer prefers', () => {
  for (const language of languages) expect(chooseLanguage(language, ['fr', 'en'])).toBe(language);
});

it('without a choice is the first preferred one that Spotter speaks, in any country, else English', () => {
  const preferred = [
    ['PL'],
    ['nb-NO', 'pl-PL', 'en-GB'],
    ['de', 'es-419', 'pl'],
    ['en-US', 'pl'],
    ['sv'],
    [],
  ];
  expect(preferred.map((tags) => chooseLanguage('system', tags))).toEqual([
    'pl',
    'pl',
    'es',
    'en',
    'en',
    'en',
  ]);
  // A tag that only begins alike is another language.
  expect(chooseLanguage('system', ['plt', 'est'])).toBe('en');
});

it('has a name of its own for each', () => {
  expect(new Set(Object.values(languageNames)).size).toBe(languages.length);
});
