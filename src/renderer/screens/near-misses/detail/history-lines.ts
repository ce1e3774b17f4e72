/** Pure: the local history of a near miss as sentences. Ids become names if the catalog has them. */
import type { Catalog } from '../../../../contract/rest/catalog.ts';
import {
  eachField,
  lookupFields,
  nearMissFields,
} from '../../../../contract/rest/near-miss-fields.ts';
import { type Kind, sendsBytes } from '../../../operations/operation.ts';
import { called } from '../../../words/catalog-names.ts';
import { words } from '../../../words/company-words.ts';
import type { LookupName } from '../../../near-miss-form/answers.ts';
import { nameOfField } from '../../../near-miss-form/field-names.ts';
import { customKey } from '../../../../contract/text/field-by-label.ts';
import { rolesHere } from '../../../near-miss-form/roles-here.ts';
import { shownValue } from '../../../near-miss-form/view.ts';
import type { HistoryEntry } from '../../../../contract/rest/history/near-miss-history.ts';
import { cutAt, textOf } from '../../../data/model/text.ts';
import type { HistoryChange, HistoryRow } from '../../../data/db/db.ts';

/** Kinds of operations that appear in a history. */
type Kept = Extract<Kind, `near_miss.${string}` | `photo.${string}`>;
/** A sentence, or a function from a photo's or file's name to one. */
type Sentence = string | ((filename: string) => string);

/**
 * The sentence for a kind. A known kind without a sentence does not compile; a kind of another version falls back to
 * `other`.
 */
const sayFor = (
  sentences: Readonly<Record<Kept | 'other', Sentence>>,
  { kind, filename }: HistoryRow,
): string => {
  const said = Object.hasOwn(sentences, kind) ? sentences[kind as Kept] : sentences.other;
  return typeof said === 'string' ? said : said(filename ?? '');
};

const stepLine = (row: HistoryRow): string => {
  const t = words.history;
  switch (row.event) {
    case 'rebuilt':
      return t.rebuilt;
    case 'changed':
      return t.changed;
    case 'dropped':
      return sayFor(t.dropped, row);
    case 'delivered':
      return sayFor(t.delivered, row);
    case 'queued':
      return sayFor(t.queued, row);
  }
};

/** Steps merged into one line: photos added or delivered within a few minutes of each other. */
interface Told {
  readonly row: HistoryRow;
  readonly count: number;
}

/** Longest text of a change, in characters. */
const TEXT_MAX = 300;

const TOGETHER = 5 * 60_000;

const alike = (a: HistoryRow, b: HistoryRow): boolean =>
  sendsBytes(a) &&
  a.kind === b.kind &&
  a.event === b.event &&
  (a.event === 'queued' || a.event === 'delivered') &&
  Math.abs(a.at - b.at) <= TOGETHER;

/** @param rows latest first */
export const toldTogether = (rows: readonly HistoryRow[]): readonly Told[] => {
  const told: Told[] = [];
  for (const row of rows) {
    const last = told.at(-1);
    if (last && alike(last.row, row)) told[told.length - 1] = { ...last, count: last.count + 1 };
    else told.push({ row, count: 1 });
  }
  return told;
};

export const toldLine = ({ row, count }: Told): string => {
  const t = words.history;
  if (count === 1) return stepLine(row);
  return row.event === 'delivered' ? t.photos_delivered(count) : t.photos_added(count);
};

/** The lines of one entry of the server's history. */
export const entryLines = (
  { changes, redacted }: HistoryEntry,
  catalog: Catalog | null,
): readonly string[] => {
  const t = words.history;
  if (redacted) return [t.content_redacted];
  return changes.flatMap(({ field, from, to }) => {
    if (field === 'history') return [];
    if (field === 'attachments')
      return [to === null ? t.photo_removed(String(from)) : t.photo_added(String(to))];
    if (field === 'comments') return [to === null ? t.comment_removed : t.comment_added];
    const text = (value: unknown): unknown =>
      field === 'description' && typeof value === 'string' ? cutAt(textOf(value), TEXT_MAX) : value;
    return [changeLine({ name: field, before: text(from), after: text(to) }, catalog)];
  });
};

const LISTS = {
  incident_id: 'incidents',
  ...eachField(lookupFields, (name) => nearMissFields[name].list),
} as const satisfies Readonly<Record<LookupName, keyof Catalog>>;

const nameIn = (catalog: Catalog | null, name: LookupName, id: unknown): string => {
  const found = catalog?.[LISTS[name]].find((item) => item.id === id);
  if (found === undefined) return words.app.unnamed(Number(id));
  return 'title' in found ? found.title : called(found.name);
};

const isLookup = (name: string): name is LookupName => name in LISTS;

export const changeLine = (
  { name, before, after }: HistoryChange,
  catalog: Catalog | null,
): string => {
  const t = words.history;
  const blank = (value: unknown): boolean => value === null || value === undefined || value === '';
  const definitions = catalog?.custom_field_definitions ?? [];
  const definition = definitions.find((one) => customKey(one) === name);
  const say = (value: unknown): string => {
    if (blank(value)) return t.nothing;
    return isLookup(name) ? nameIn(catalog, name, value) : shownValue(definition, value);
  };
  const label = nameOfField(name, definitions, rolesHere(definitions));
  return t.change(label, say(before), say(after));
};
