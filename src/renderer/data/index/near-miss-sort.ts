/** Comparators for the lists: the API's orders (decisions §2.3), plus severity, place and time of the event. */
import { sortKey } from '../../../contract/text/fold.ts';
import type { NearMissSortField } from '../../../contract/rest/near-misses.ts';
import { textIn, type NearMissTraits } from './near-miss-facts.ts';
import {
  compareFolded,
  idFields,
  isOwnSort,
  type Asked,
  type IdField,
  type OwnSort,
} from '../model/near-miss-query.ts';

/** Keys of custom fields; null when the project has no such field. */
export interface SortParts {
  /** `options`: from the mildest to the worst. */
  readonly severity: { readonly field: string; readonly options: readonly string[] } | null;
  readonly place: string | null;
  readonly event_time: string | null;
}

export type Compare = (a: NearMissTraits, b: NearMissTraits) => number;

/** Breaks ties by id; a record without a server id counts as the newest. */
const byId: Compare = (a, b) =>
  a.server_id === b.server_id
    ? compareFolded(a.key, b.key)
    : (a.server_id ?? Infinity) - (b.server_id ?? Infinity);

const newest: Compare = (a, b) => b.created_at - a.created_at || byId(b, a);
const lastRemoved: Compare = (a, b) => b.removed_at - a.removed_at || byId(b, a);

export type Names = ReadonlyMap<IdField, Map<number, string>>;

/** Nulls last in both directions (decisions §2.3). */
const sorted =
  <T>(
    down: boolean,
    value: (facts: NearMissTraits) => T | null,
    compare: (a: T, b: T) => number,
  ): Compare =>
  (a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x === null || y === null) return x === y ? byId(a, b) : x === null ? 1 : -1;
    return (down ? compare(y, x) : compare(x, y)) || byId(a, b);
  };

const fieldOf = {
  affected_company: 'affected_company_id',
  affected_person: 'affected_person_id',
  managed_equipment: 'managed_equipment_id',
  harm_source: 'harm_source_id',
  work_activity: 'work_activity_id',
} as const satisfies Partial<Record<NearMissSortField, IdField>>;

/** Memoizes a value per record: a sort compares each record a dozen times. */
const once = <T>(read: (facts: NearMissTraits) => T): ((facts: NearMissTraits) => T) => {
  const known = new Map<NearMissTraits, T>();
  return (one) => {
    const had = known.get(one);
    if (had !== undefined) return had;
    const value = read(one);
    known.set(one, value);
    return value;
  };
};

/** Moments by record. A record that changes is another object, so no entry goes stale. */
const moments = new WeakMap<NearMissTraits, { readonly field: string; readonly at: number }>();

/** When it happened, by the custom field with that key, else when it was reported. */
export const eventMoment =
  (field: string) =>
  (one: NearMissTraits): number => {
    const known = moments.get(one);
    if (known?.field === field) return known.at;
    const read = Date.parse(textIn(one, field));
    const at = Number.isNaN(read) ? one.created_at : read;
    moments.set(one, { field, at });
    return at;
  };

const ownComparer = (sort: OwnSort, { severity, place, event_time }: SortParts): Compare => {
  const down = sort.startsWith('-');
  const numbers = (value: (facts: NearMissTraits) => number | null): Compare =>
    sorted(down, value, (a, b) => a - b);
  if (sort.endsWith('severity')) {
    if (severity === null) return newest;
    const ranks = new Map(severity.options.map((option, at) => [option, at]));
    return numbers((one) => ranks.get(textIn(one, severity.field)) ?? null);
  }
  if (sort.endsWith('place')) {
    if (place === null) return newest;
    return sorted(
      down,
      once((one) => sortKey(textIn(one, place)) || null),
      compareFolded,
    );
  }
  if (event_time === null) return newest;
  return numbers(eventMoment(event_time));
};

/** A comparator for the requested order, with ties broken by id. */
export const comparer = (sort: Asked['sort'], names: Names, parts: SortParts): Compare => {
  if (sort !== null && isOwnSort(sort)) return ownComparer(sort, parts);
  if (sort === null || sort === 'best') return newest;
  if (sort === '-removed_at') return lastRemoved;
  const down = sort.startsWith('-');
  const field = (down ? sort.slice(1) : sort) as NearMissSortField;
  if (field === 'created_at')
    return sorted(
      down,
      (one) => one.created_at,
      (a, b) => a - b,
    );
  if (field === 'number')
    return sorted(
      down,
      (one) => one.number,
      (a, b) => a - b,
    );
  if (field === 'full_number')
    return sorted(
      down,
      (one) => one.full,
      (a, b) => a[0] - b[0] || a[1] - b[1],
    );
  // A field has few names: rank each name once, so that records compare numbers.
  const of = fieldOf[field];
  const at = idFields.indexOf(of);
  const folded = [...(names.get(of) ?? [])].map(([id, name]) => [id, sortKey(name)] as const);
  const places = new Map<string, number>();
  for (const text of folded.map(([, name]) => name).sort(compareFolded))
    if (!places.has(text)) places.set(text, places.size);
  const place = new Map(folded.map(([id, name]) => [id, places.get(name) ?? 0]));
  return sorted(
    down,
    (one) => place.get(one.ids[at] ?? 0) ?? null,
    (a, b) => a - b,
  );
};
