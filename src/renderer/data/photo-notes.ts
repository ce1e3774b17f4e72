/**
 * Pure: what is said of the photos of a near miss (decisions §4.8). It stands in one custom field of plain text, told by its name in
 * either language, a line a photo in their order, so that any other tool shows it and a person may edit it by hand:
 *
 *     IMG_1.jpg (before): Missing toe board
 *     IMG_2.jpg
 *
 * Lines that name no photo stay as and where they are.
 */
import type { CustomFieldDefinition } from '../../contract/rest/catalog.ts';
import { fieldByLabel } from './field-by-label.ts';
import { plainName } from './photo-rows.ts';

/** Characters of a caption as it is typed; a longer one that came from elsewhere stays. */
export const CAPTION_MAX = 200;

const LABELS = [
  'photo captions',
  'photo notes',
  'captions',
  'pies de foto',
  'notas de las fotos',
  'descripcion de las fotos',
];

/** Undefined where nothing can be said of photos here. One that must be filled in is a field like all others. */
export const captionsField = (
  definitions: readonly CustomFieldDefinition[],
): CustomFieldDefinition | undefined =>
  fieldByLabel(
    definitions.filter(({ data_type, required }) => data_type === 'text' && !required),
    LABELS,
  );

/** One of a pair: the first `before` belongs to the first `after`, the second to the second. */
export type Side = 'before' | 'after';
export interface PhotoNote {
  readonly caption: string;
  readonly side: Side | null;
}
export const noNote: PhotoNote = { caption: '', side: null };

/** A photo of the report, in the order they were added: of photos of the same name that tells which is which. */
export interface NamedPhoto {
  readonly id: string;
  readonly filename: string;
}
/** What is said of each, in the order they are shown. */
export type Said = readonly { readonly id: string; readonly note: PhotoNote }[];

/** How a line says it, in the language of the window; both are read. */
export type SideWords = Readonly<Record<Side, string>>;
const sides: Readonly<Record<string, Side>> = {
  before: 'before',
  after: 'after',
  antes: 'before',
  después: 'after',
  despues: 'after',
};
const SIDE = new RegExp(`^(.*) \\((${Object.keys(sides).join('|')})\\)$`, 'iu');

const line = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** A caption as it is kept: one line. */
export const tidyCaption = (typed: string): string => line(typed);

/** What its line calls each photo: no two the same, no `:` in it, and never like the side of a pair. */
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
  /** Null: it names no photo. */
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
  const told = new Set<string>();
  return text
    .split(/\r\n|[\n\r]/u)
    .filter((raw) => raw.trim() !== '')
    .map((raw) => {
      const tidy = line(raw);
      const colon = tidy.indexOf(':');
      const head = headOf(line(colon < 0 ? tidy : tidy.slice(0, colon)));
      const id = labels.get(head.label) ?? null;
      // The first line of a photo counts; what stands in a second one is kept.
      if (id === null || told.has(id)) return { raw, id: null, note: noNote };
      told.add(id);
      const caption = colon < 0 ? '' : line(tidy.slice(colon + 1));
      return { raw, id, note: { caption, side: head.side } };
    });
};

/** What the text says of these photos; those without a line come after the others, as they were added. */
export const readNotes = (text: string, photos: readonly NamedPhoto[]): Said => {
  const told = linesOf(text, photos).flatMap(({ id, note }) => (id === null ? [] : [{ id, note }]));
  const left = photos.filter(({ id }) => !told.some((one) => one.id === id));
  return [...told, ...left.map(({ id }) => ({ id, note: noNote }))];
};

/** A file's name and no more: of a photo that is gone, or not here yet. */
const BARE_NAME = /^[^:]*\.[\p{L}\p{N}]{2,4}(?: #\d+)?(?: \([^)]*\))?$/u;

/** What is said in lines that name none of these photos: of photos that are gone or not here yet, or a person's own. */
export const looseLines = (text: string, photos: readonly NamedPhoto[]): readonly string[] =>
  linesOf(text, photos)
    .flatMap(({ id, raw }) => (id === null ? [line(raw)] : []))
    .filter((said) => !BARE_NAME.test(said));

const inOrder = (said: Said, photos: readonly NamedPhoto[]): boolean =>
  said.every(({ id }, at) => photos[at]?.id === id);

/**
 * The text that says this of these photos, in this order; '' where nothing is said and they stand as they were added. A photo that
 * `said` leaves out loses its line.
 * @param before the text as it stands: its lines that name no photo stay
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

/** The text once a photo is taken off: its line goes along. */
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

/** The same with one photo a place earlier (-1) or later (1), or at the place of another. */
export const movedTo = (said: Said, id: string, to: number): Said => {
  const from = said.findIndex((one) => one.id === id);
  const one = said[from];
  if (one === undefined || to < 0 || to >= said.length || to === from) return said;
  return said.toSpliced(from, 1).toSpliced(to, 0, one);
};

export const withNote = (said: Said, id: string, change: Partial<PhotoNote>): Said =>
  said.map((one) => (one.id === id ? { id, note: { ...one.note, ...change } } : one));

/** Before and after that belong together, by their places; one without its other stands alone. */
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
