/**
 * Pure: removes known names of persons from a text. Removes full names of everybody in the catalog, and for persons
 * involved in this near miss each part of the name ("Tom" of "Tom Brennan"). Hazard: unknown names stay, so the window asks
 * the user to read the page first.
 */
import type { Catalog } from '../../../contract/rest/catalog.ts';
import type { NearMissRow } from '../../data/db/db.ts';

interface Known {
  /** Full names, matched case-insensitively. */
  readonly whole: readonly string[];
  /** Single names, matched case-sensitively: "Stone" but not "stone". */
  readonly parts: readonly string[];
}

/** Shorter parts ("de", "Al") occur in ordinary text. */
const PART_MIN = 3;

const tidy = (name: string): string => name.normalize('NFC').replace(/\s+/g, ' ').trim();

export const namesIn = (
  { names, server }: Pick<NearMissRow, 'names' | 'server'>,
  catalog: Pick<Catalog, 'people' | 'parties'> | null,
  /** Other names that this near miss has. */
  more: readonly string[] = [],
): Known => {
  const own = [
    names.affected_person,
    names.affected_party,
    server?.incident_created_by?.name ?? '',
    ...more,
  ].map(tidy);
  const others = [...(catalog?.people ?? []), ...(catalog?.parties ?? [])].map(({ name }) =>
    tidy(name),
  );
  return {
    whole: [...new Set([...own, ...others])].filter((name) => name.includes(' ')),
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

export const withoutNames = (text: string, known: Known, instead: string): string => {
  const clean = text.normalize('NFC');
  const lower = clean.toLowerCase().replace(/\s+/g, ' ');
  // Keeps the regular expression short: of thousands of names few occur.
  const whole = known.whole.filter((name) => lower.includes(name.toLowerCase()));
  const parts = known.parts.filter((name) => clean.includes(name));
  const out = whole.length === 0 ? clean : clean.replace(anyOf(whole, 'giu'), instead);
  return parts.length === 0 ? out : out.replace(anyOf(parts, 'gu'), instead);
};
