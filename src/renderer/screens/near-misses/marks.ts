/** Pure: where a text that was searched for stands, and a line in pieces so that its words are marked. Folded as the search folds. */
import { fold } from '../../../contract/fold.ts';
import type { NearMissRow } from '../../data/db.ts';
import { textOf } from '../../data/text.ts';
import { words } from '../../words/words.ts';

interface Piece {
  readonly text: string;
  readonly marked: boolean;
}

export const piecesOf = (text: string, query: string): readonly Piece[] => {
  const words = fold(query).split(/\s+/u).filter(Boolean);
  if (words.length === 0) return [{ text, marked: false }];
  const letters = [...text];
  // Which letter each folded one comes from: a letter may fold to none or to several.
  const folded = letters.flatMap((letter, at) => [...fold(letter)].map((one) => ({ one, at })));
  const line = folded.map(({ one }) => one);
  const marked = new Set<number>();
  for (const word of words) {
    const wanted = [...word];
    line.forEach((_one, from) => {
      if (wanted.some((one, step) => line[from + step] !== one)) return;
      for (const { at } of folded.slice(from, from + wanted.length)) marked.add(at);
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

/** Of a long text the part around what was searched for, at most so many letters. */
const PART = 60;
const partOf = (text: string, wanted: readonly string[]): string => {
  const folded = fold(text);
  const at = Math.min(...wanted.map((one) => folded.indexOf(one)).filter((place) => place >= 0));
  if (!Number.isFinite(at)) return text.slice(0, PART);
  // Folding changes a text's length by little: near enough to begin a few words before.
  const from = Math.max(0, text.lastIndexOf(' ', Math.max(0, at - 20)));
  return `${from > 0 ? '…' : ''}${text.slice(from, from + PART).trim()}`;
};

/**
 * Where a list's search found what the title does not show; null where the title says it, or nothing was searched for.
 * `place`: the field's name, null in the description.
 */
export const foundIn = (
  row: Pick<NearMissRow, 'title' | 'fields' | 'names' | 'full_number'>,
  query: string,
): { readonly place: string | null; readonly text: string } | null => {
  const wanted = fold(query).split(/\s+/u).filter(Boolean);
  const missing = wanted.filter((one) => !fold(row.title).includes(one));
  if (missing.length === 0) return null;
  const d = words.detail;
  const { names } = row;
  const places = [
    { place: null, text: textOf(row.fields.description).replace(/\s+/gu, ' ') },
    { place: d.incident, text: names.incident },
    { place: d.affected_company, text: names.affected_company },
    { place: d.affected_party, text: names.affected_party },
    { place: d.affected_person, text: names.affected_person },
    { place: d.equipment, text: names.managed_equipment },
    { place: d.work_activity, text: names.work_activity },
    { place: d.harm_source, text: names.harm_source },
    { place: words.list.sorts.full_number, text: row.full_number },
  ];
  const found = places.find(({ text }) => missing.every((one) => fold(text).includes(one)));
  return found ? { place: found.place, text: partOf(found.text, missing) } : null;
};
