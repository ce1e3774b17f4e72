/**
 * Pure: removes known names of persons from a text. Removes full names and mail addresses of everybody, and for persons who are
 * involved each part of the name ("Tom" of "Tom Brennan"). Hazard: unknown names stay, so a person has to read the text first.
 */
export interface KnownNames {
  /** Full names and mail addresses, matched case-insensitively. */
  readonly whole: readonly string[];
  /** Single names, matched case-sensitively: "Stone" but not "stone". */
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
    parts: [...new Set(own.flatMap((name) => name.split(' ')))].filter(
      (part) => part.length >= PART_MIN && part !== part.toLowerCase(),
    ),
  };
};

const anyOf = (names: readonly string[], flags: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${names
      .toSorted((a, b) => b.length - a.length)
      .map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll(' ', '\\s+'))
      .join('|')})(?![\\p{L}\\p{N}])`,
    flags,
  );

export const withoutNames = (text: string, known: KnownNames, instead: string): string => {
  const clean = text.normalize('NFC');
  const lower = clean.toLowerCase().replace(/\s+/g, ' ');
  // Keeps the regular expression short: of thousands of names few occur.
  const whole = known.whole.filter((name) => lower.includes(name.toLowerCase()));
  const parts = known.parts.filter((name) => clean.includes(name));
  const out = whole.length === 0 ? clean : clean.replace(anyOf(whole, 'giu'), instead);
  return parts.length === 0 ? out : out.replace(anyOf(parts, 'gu'), instead);
};
