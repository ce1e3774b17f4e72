/**
 * Reads and writes the captions, order and before/after pairs of a near miss's photos (decisions §4.8). Pure. They
 * share one plain-text custom field, found by its label in any language, with one line per photo in display order.
 * Any other tool can show it and a person can edit it by hand:
 *
 *     IMG_1.jpg (before): Missing toe board
 *     IMG_2.jpg
 *
 * Lines that name no photo keep their text and position.
 */
import { captionLabels } from '../../../contract/field-labels.ts';
import type { CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import { fieldByLabel } from '../../../contract/text/field-by-label.ts';
import { plainName } from './photo-rows.ts';

/** Limit for typing a caption, in characters; a longer caption from elsewhere is kept. */
export const CAPTION_MAX = 200;

/** The captions field; undefined when the project has none. A required field does not qualify. */
export const captionsField = (
  definitions: readonly CustomFieldDefinition[],
): CustomFieldDefinition | undefined =>
  fieldByLabel(
    definitions.filter(({ data_type, required }) => data_type === 'text' && !required),
    captionLabels,
  );

/** A side of a pair: the nth `before` belongs to the nth `after`. */
export type Side = 'before' | 'after';
export interface PhotoNote {
  readonly caption: string;
  readonly side: Side | null;
}
export const noNote: PhotoNote = { caption: '', side: null };

/** A photo of the report, in the order of adding, which distinguishes photos with the same name. */
export interface NamedPhoto {
  readonly id: string;
  readonly filename: string;
}
/** The notes of the photos, in display order. */
export type Said = readonly { readonly id: string; readonly note: PhotoNote }[];

/** The side's name in the language of the window; every language is read. */
export type SideWords = Readonly<Record<Side, string>>;
const sides: Readonly<Record<string, Side>> = {
  before: 'before',
  after: 'after',
  antes: 'before',
  después: 'after',
  despues: 'after',
  przed: 'before',
  po: 'after',
};
const SIDE = new RegExp(`^(.*) \\((${Object.keys(sides).join('|')})\\)$`, 'iu');

const line = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** Normalizes a caption to one line. */
export const tidyCaption = (typed: string): string => line(typed);

/** Unique labels for the photos' lines. A label has no `:` and cannot be mistaken for the side of a pair. */
const labelsOf = (photos: readonly NamedPhoto[]): ReadonlyMap<string, string> => {
  const labels = new Map<string, string>();
  for (const { id, filename } of photos) {
    const name = line(plainName(filename).replaceAll(':', '-')) || 'photo';
    let label = SIDE.test(name) ? `${name} #1` : name;
    for (let n = 2; labels.has(label); n += 1) label = `${name} #${n}`;
    labels.set(label, id);
  }
  return labels;
};

interface Line {
  readonly raw: string;
  /** Null when the line names no photo. */
  readonly id: string | null;
  readonly note: PhotoNote;
}

const headOf = (head: string): { readonly label: string; readonly side: Side | null } => {
  const [, label = '', word = ''] = SIDE.exec(head) ?? [];
  const side = sides[word.toLowerCase()] ?? null;
  return side === null ? { label: head, side } : { label, side };
};

const linesOf = (text: string, photos: readonly NamedPhoto[]): readonly Line[] => {
  const labels = labelsOf(photos);
  const noted = new Set<string>();
  return text
    .split(/\r\n|[\n\r]/u)
    .filter((raw) => raw.trim() !== '')
    .map((raw) => {
      const tidy = line(raw);
      const colon = tidy.indexOf(':');
      const head = headOf(line(colon < 0 ? tidy : tidy.slice(0, colon)));
      const id = labels.get(head.label) ?? null;
      // Only the first line of a photo is read; a second one is kept as free text.
      if (id === null || noted.has(id)) return { raw, id: null, note: noNote };
      noted.add(id);
      const caption = colon < 0 ? '' : line(tidy.slice(colon + 1));
      return { raw, id, note: { caption, side: head.side } };
    });
};

/** The notes of these photos, in the text's order; photos without a line follow in the order of adding. */
export const readNotes = (text: string, photos: readonly NamedPhoto[]): Said => {
  const noted = linesOf(text, photos).flatMap(({ id, note }) =>
    id === null ? [] : [{ id, note }],
  );
  const left = photos.filter(({ id }) => !noted.some((one) => one.id === id));
  return [...noted, ...left.map(({ id }) => ({ id, note: noNote }))];
};

/** A bare file name: a photo that is gone or has not arrived yet. */
const BARE_NAME = /^[^:]*\.[\p{L}\p{N}]{2,4}(?: #\d+)?(?: \([^)]*\))?$/u;

/** Captions in lines that name none of these photos: they belong to other photos or were typed by a person. */
export const looseLines = (text: string, photos: readonly NamedPhoto[]): readonly string[] =>
  linesOf(text, photos)
    .flatMap(({ id, raw }) => (id === null ? [line(raw)] : []))
    .filter((said) => !BARE_NAME.test(said));

/** A photo's name at the start of a line, with the side of a pair. */
const PHOTO_NAME = /^[^:\n]*\.[\p{L}\p{N}]{2,4}(?: #\d+)?(?: \([^)\n]*\))?(?::|$)/u;

/** The lines of a text without photo names, for search. */
export const withoutPhotoNames = (text: string): readonly string[] =>
  text.includes('.')
    ? text.split('\n').map((said) => said.replace(PHOTO_NAME, '').trim())
    : [text.trim()];

const inOrder = (said: Said, photos: readonly NamedPhoto[]): boolean =>
  said.every(({ id }, at) => photos[at]?.id === id);

/**
 * The text for these notes in this order; '' when all notes are empty and the order is that of adding. A photo
 * missing from `said` loses its line.
 * @param before the present text; its lines that name no photo are kept
 */
export const writeNotes = (
  before: string,
  photos: readonly NamedPhoto[],
  said: Said,
  words: SideWords,
): string => {
  const lines = linesOf(before, photos);
  const silent = said.every(({ note }) => note.caption === '' && note.side === null);
  const kept = photos.filter(({ id }) => said.some((one) => one.id === id));
  if (silent && inOrder(said, kept))
    return lines.flatMap(({ id, raw }) => (id === null ? [raw] : [])).join('\n');
  const ids = new Map([...labelsOf(kept)].map(([label, id]) => [id, label]));
  const next = said.map(({ id, note: { caption, side } }) => {
    const head = `${ids.get(id) ?? ''}${side === null ? '' : ` (${words[side]})`}`;
    return caption === '' ? head : `${head}: ${tidyCaption(caption)}`;
  });
  const places = lines.flatMap(({ id, raw }) => (id === null ? [raw] : next.splice(0, 1)));
  return [...places, ...next].join('\n');
};

/** The text after the removal of a photo, without its line. */
export const textWithout = (
  text: string,
  photos: readonly NamedPhoto[],
  id: string,
  words: SideWords,
): string => {
  if (text === '') return text;
  const left = readNotes(text, photos).filter((one) => one.id !== id);
  return writeNotes(text, photos, left, words);
};

export const movedTo = (said: Said, id: string, to: number): Said => {
  const from = said.findIndex((one) => one.id === id);
  const one = said[from];
  if (one === undefined || to < 0 || to >= said.length || to === from) return said;
  return said.toSpliced(from, 1).toSpliced(to, 0, one);
};

export const withNote = (said: Said, id: string, change: Partial<PhotoNote>): Said =>
  said.map((one) => (one.id === id ? { id, note: { ...one.note, ...change } } : one));

/** Pairs each before with its after, by position; leaves out a photo without a partner. */
export const pairsOf = <T extends { readonly note?: PhotoNote | undefined }>(
  photos: readonly T[],
): readonly { readonly before: T; readonly after: T }[] => {
  const of = (side: Side) => photos.filter(({ note }) => note?.side === side);
  const after = of('after');
  return of('before').flatMap((before, at) => {
    const other = after[at];
    return other === undefined ? [] : [{ before, after: other }];
  });
};
