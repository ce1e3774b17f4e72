/**
 * Pure: finds the searched words in a text and splits a line into marked and unmarked pieces. Folds text as the search
 * does.
 */
import { fold } from '../../../contract/text/fold.ts';
import type { CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import { textFields } from '../../../contract/rest/near-miss-fields.ts';
import type { NearMissRow } from '../../data/db/db.ts';
import { withoutPhotoNames } from '../../data/model/photo-notes.ts';
import { holdsTerm, placeOfTerm } from '../../data/model/search-terms.ts';
import { textOf } from '../../data/model/text.ts';
import { words } from '../../words/words.ts';
import { nameOfField } from '../../near-miss-form/field-names.ts';
import { rolesHere } from '../../near-miss-form/roles-here.ts';
import { customKey } from '../../../contract/text/field-by-label.ts';

interface Piece {
  readonly text: string;
  readonly marked: boolean;
}

export const piecesOf = (text: string, query: string): readonly Piece[] => {
  const words = fold(query).split(/\s+/u).filter(Boolean);
  if (words.length === 0) return [{ text, marked: false }];
  const letters = [...text];
  // Maps each folded letter to its source, because a letter may fold to none or to several.
  const folded = letters.flatMap((letter, at) => [...fold(letter)].map((one) => ({ one, at })));
  const line = folded.map(({ one }) => one);
  const marked = new Set<number>();
  for (const word of words) {
    const wanted = [...word];
    line.forEach((_one, from) => {
      if (wanted.some((one, step) => line[from + step] !== one)) return;
      const to = from + wanted.length;
      if (!holdsTerm(line.slice(Math.max(0, from - 1), to + 1).join(''), word)) return;
      for (const { at } of folded.slice(from, to)) marked.add(at);
    });
  }
  const pieces: { text: string; marked: boolean }[] = [];
  letters.forEach((letter, at) => {
    const last = pieces.at(-1);
    if (last?.marked === marked.has(at)) last.text += letter;
    else pieces.push({ text: letter, marked: marked.has(at) });
  });
  return pieces;
};

/** Of two names that match, the first is shown. */
const PLACES = [
  'affected_company',
  'affected_party',
  'affected_person',
  'managed_equipment',
  'work_activity',
  'harm_source',
] as const;

/** The maximum length of an excerpt around a match, in characters. */
const PART = 60;
const partOf = (text: string, wanted: readonly string[]): string => {
  const folded = fold(text);
  const at = Math.min(
    ...wanted.map((one) => placeOfTerm(folded, one)).filter((place) => place >= 0),
  );
  if (!Number.isFinite(at)) return text.slice(0, PART);
  // Folding barely changes a text's length, so the offset is close enough.
  const from = Math.max(0, text.lastIndexOf(' ', Math.max(0, at - 20)));
  return `${from > 0 ? '…' : ''}${text.slice(from, from + PART).trim()}`;
};

/** The texts of custom fields with their labels; the place comes first. */
const customPlaces = (
  { custom_fields }: NearMissRow['fields'],
  definitions: readonly CustomFieldDefinition[],
) => {
  const roles = rolesHere(definitions);
  const first = Object.keys(custom_fields).filter(
    (key) => roles.where !== undefined && key === customKey(roles.where),
  );
  return [...new Set([...first, ...Object.keys(custom_fields)])].map((key) => ({
    place: nameOfField(key, definitions, roles),
    text: withoutPhotoNames(String(custom_fields[key] ?? ''))
      .join(' ')
      .trim(),
  }));
};

/**
 * Where a search matched outside the title; null if the title matches or nothing was searched for. `place` is the field's
 * label, or null for the description.
 */
export const foundIn = (
  row: Pick<NearMissRow, 'title' | 'fields' | 'names' | 'full_number' | 'server'>,
  query: string,
  definitions: readonly CustomFieldDefinition[] = [],
): { readonly place: string | null; readonly text: string } | null => {
  const wanted = fold(query).split(/\s+/u).filter(Boolean);
  const missing = wanted.filter((one) => !holdsTerm(fold(row.title), one));
  if (missing.length === 0) return null;
  const d = words.detail;
  const labels = words.field_labels;
  const { names } = row;
  const places = [
    { place: null, text: textOf(row.fields.description).replace(/\s+/gu, ' ') },
    { place: d.incident, text: names.incident },
    ...PLACES.map((name) => ({ place: labels[name], text: names[name] })),
    ...textFields.map((name) => ({ place: labels[name], text: row.fields[name] ?? '' })),
    ...customPlaces(row.fields, definitions),
    { place: d.reported_by, text: row.server?.incident_created_by?.name ?? '' },
    { place: words.list.sorts.full_number, text: row.full_number },
  ];
  const found = places.find(({ text }) => missing.every((one) => holdsTerm(fold(text), one)));
  return found ? { place: found.place, text: partOf(found.text, missing) } : null;
};
