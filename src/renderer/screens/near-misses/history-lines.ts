/** Pure: the steps of a near miss on this laptop as sentences. Ids are told by their names where the catalog has them. */
import type { Catalog } from '../../../contract/rest/catalog.ts';
import { factsOf, type Kind, sendsBytes } from '../../entries/entry.ts';
import { called } from '../../words/catalog-names.ts';
import { words } from '../../words/words.ts';
import { customKey } from '../capture/roles.ts';
import { shownValue } from './view.ts';
import type { HistoryChange, HistoryRow } from '../../data/db.ts';

/** What a history tells of. */
type Kept = Extract<Kind, `near_miss.${string}` | `photo.${string}`>;
/** Whose sentence names no file. */
type Unnamed = Exclude<Kept, 'photo.send'>;

/** The sentence for a kind: one without a sentence does not compile. Of another Spotter's kind, the one for all others. */
const sayFor = <K extends Kept>(
  sentences: Readonly<Record<K | 'other', string>>,
  kind: string,
): string => (Object.hasOwn(sentences, kind) ? sentences[kind as K] : sentences.other);

const stepLine = ({ event, kind, filename }: HistoryRow): string => {
  const t = words.history;
  if (event === 'rebuilt') return t.rebuilt;
  if (event === 'changed') return t.changed;
  if (event === 'dropped') return sayFor<Kept>(t.dropped, kind);
  const sent = factsOf(kind)?.sends_bytes === true;
  const photo = filename ?? '';
  if (event === 'delivered')
    return sent ? t.photo_delivered(photo) : sayFor<Unnamed>(t.delivered, kind);
  return sent ? t.photo(photo) : sayFor<Unnamed>(t.queued, kind);
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

const LISTS = {
  incident_id: ['incident', 'incidents'],
  harm_source_id: ['harm_source', 'harm_sources'],
  work_activity_id: ['work_activity', 'work_activities'],
  managed_equipment_id: ['equipment', 'managed_equipment'],
  affected_company_id: ['affected_company', 'companies'],
  affected_party_id: ['affected_party', 'parties'],
  affected_person_id: ['affected_person', 'people'],
} as const satisfies Readonly<Record<string, readonly [keyof typeof words.detail, keyof Catalog]>>;

const nameIn = (catalog: Catalog | null, list: keyof Catalog, id: unknown): string => {
  const found = catalog?.[list].find((item) => item.id === id);
  if (found === undefined) return `№ ${String(id)}`;
  return 'title' in found ? found.title : 'name' in found ? called(found.name) : `№ ${String(id)}`;
};

export const changeLine = (
  { name, before, after }: HistoryChange,
  catalog: Catalog | null,
): string => {
  const t = words.history;
  const blank = (value: unknown): boolean => value === null || value === undefined || value === '';
  if (name in LISTS) {
    const [label, list] = LISTS[name as keyof typeof LISTS];
    const say = (id: unknown) => (blank(id) ? t.nothing : nameIn(catalog, list, id));
    return t.change(words.detail[label], say(before), say(after));
  }
  const definition = catalog?.custom_field_definitions.find((one) => customKey(one) === name);
  const say = (value: unknown) => (blank(value) ? t.nothing : shownValue(definition, value));
  const label =
    name === 'description'
      ? words.capture.what
      : definition === undefined
        ? name.replace('custom_field_', '№ ')
        : called(definition.label);
  return t.change(label, say(before), say(after));
};
