/**
 * Pure: removes known names of persons from a text, with accents or without. Removes full names and mail addresses of everybody, and for
 * persons who are involved each part of the name ("Tom" of "Tom Brennan"). Hazard: unknown names stay, so a person has to read the text
 * first.
 */
import { fold } from './fold.ts';

export interface KnownNames {
  /** Full names and mail addresses, matched case-insensitively. */
  readonly whole: readonly string[];
  /** Single names, matched as written or in capitals: "Stone" and "STONE" but not "stone". */
  readonly parts: readonly string[];
}

/** Shorter parts ("de", "Al") occur in ordinary text. */
const PART_MIN = 3;

const tidy = (name: string): string => name.normalize('NFC').replace(/\s+/g, ' ').trim();

/**
 * @param involved names of the persons in the record
 * @param others names and logins of everybody else
 */
export const knownNames = (
  involved: readonly string[],
  others: readonly string[] = [],
): KnownNames => {
  const own = involved.map(tidy);
  return {
    whole: [...new Set([...own, ...others.map(tidy)])].filter((name) => /[ @]/.test(name)),
    parts: [
      ...new Set(own.flatMap((name) => name.split(' ')).flatMap((one) => [one, ...one.split('-')])),
    ].filter((part) => part.length >= PART_MIN && part !== part.toLowerCase()),
  };
};

const ACCENT = '\\u0300-\\u036f';
/** Soft hyphens and other characters that nobody sees may stand in a name. */
const UNSEEN = '\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060\\u2066-\\u2069\\ufeff';
/** What separates words. */
const GAP = `\\s\\u2010\\u2011${UNSEEN}-`;
const ACCENTS = new RegExp(`[${ACCENT}]`, 'g');
const GAPS = new RegExp(`[${GAP}]+`, 'g');

/** Letters that are written for each other, and that Unicode does not decompose into a letter and an accent. */
const ALIKE = ['lł', 'oø', 'dđ', 'LŁ', 'OØ', 'DĐ'];

/** A pattern for one character of a name. */
const patternOf = (char: string): string => {
  if (char === "'" || char === '’') return "['’ʼ]";
  if (char === 'ß') return '(?:ß|ss)';
  const alike = ALIKE.find((pair) => pair.includes(char));
  return alike ? `[${alike}]` : char.replace(/[\\^$.*+?()[\]{}|]/, '\\$&');
};

/** The words of a name without accents and unseen characters. None if it is only blanks and hyphens. */
const wordsOf = (name: string): readonly string[] =>
  name
    .normalize('NFD')
    .replace(ACCENTS, '')
    .split(GAPS)
    .filter((word) => word !== '');

/**
 * Two repetitions that follow each other never take the same character: otherwise a long run of blanks or of unseen characters would
 * keep the search busy for minutes.
 */
const patternOfName = (name: string): string =>
  wordsOf(name)
    .map((word) => [...word].map(patternOf).join(`[${ACCENT}${UNSEEN}]*`))
    .join(`[${ACCENT}]*[${GAP}]+`);

const anyOf = (names: readonly string[], flags: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}]\\p{M}*)(?:${names
      .toSorted((a, b) => b.length - a.length)
      .map(patternOfName)
      .join('|')})[${ACCENT}${UNSEEN}]*(?![\\p{L}\\p{N}\\p{M}]|\\u00ad\\p{L})`,
    flags,
  );

/** For a first, quick search: letters alone. */
const bare = (text: string): string =>
  fold(text).replace(GAPS, '').replace(/[’ʼ]/g, "'").replaceAll('ł', 'l').replaceAll('đ', 'd');

/** Folded once: a history has many texts. */
const folded = new WeakMap<readonly string[], readonly string[]>();
const bareNames = (names: readonly string[]): readonly string[] => {
  const known = folded.get(names) ?? names.map(bare);
  folded.set(names, known);
  return known;
};

const replaceNames = (
  text: string,
  known: KnownNames,
  replace: (found: string) => string,
): string => {
  const searched = bare(text);
  // Keeps the regular expression short: of thousands of names few occur.
  const occurring = (names: readonly string[]): readonly string[] => {
    const bares = bareNames(names);
    return names.filter((_name, at) => bares[at] && searched.includes(bares[at]));
  };
  const whole = occurring(known.whole);
  const parts = occurring(known.parts).flatMap((name) => [name, name.toUpperCase()]);
  let out = text.normalize('NFD');
  if (whole.length > 0) out = out.replace(anyOf(whole, 'giu'), replace);
  if (parts.length > 0) out = out.replace(anyOf(parts, 'gu'), replace);
  return out.normalize('NFC');
};

export const withoutNames = (text: string, known: KnownNames, instead: string): string =>
  replaceNames(text, known, () => instead);

/** The known names in a text, each once, as they are written there. */
export const namesFound = (text: string, known: KnownNames): readonly string[] => {
  const found = new Set<string>();
  // A name that was found leaves a blank, so that its parts are not found again.
  replaceNames(text, known, (name) => {
    found.add(name.normalize('NFC'));
    return ' ';
  });
  return [...found];
};
