/** Pure: the steps of a near miss on this laptop as sentences. Ids are told by their names where the catalog has them. */
import type { Catalog } from '../../../contract/rest/catalog.ts';
import { type Kind, sendsBytes } from '../../entries/entry.ts';
import { called } from '../../words/catalog-names.ts';
import { words } from '../../words/words.ts';
import type { LookupName } from '../capture/answers.ts';
import { nameOfField } from '../capture/field-names.ts';
import { customKey } from '../capture/roles.ts';
import { rolesHere } from '../capture/roles-here.ts';
import { shownValue } from './view.ts';
import type { HistoryChange, HistoryRow } from '../../data/db.ts';

/** What a history tells of. */
type Kept = Extract<Kind, `near_miss.${string}` | `photo.${string}`>;
/** What is said, of a photo or file by its name. */
type Sentence = string | ((filename: string) => string);

/** The sentence for a kind: one without a sentence does not compile. Of another Spotter's kind, the one for all others. */
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

/** Steps told in one line: photos that were added, or delivered, one after the other within a few minutes. */
interface Told {
  /** The latest. */
  readonly row: HistoryRow;
  readonly count: number;
}

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

/** The catalog's list that an id is of. */
const LISTS = {
  incident_id: 'incidents',
  harm_source_id: 'harm_sources',
  work_activity_id: 'work_activities',
  managed_equipment_id: 'managed_equipment',
  affected_company_id: 'companies',
  affected_party_id: 'parties',
  affected_person_id: 'people',
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
