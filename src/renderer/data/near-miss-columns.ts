/**
 * Pure: every near miss of a project as the few facts that lists filter, sort and count by, kept in memory, so that a
 * question over 100,000 records takes milliseconds where reading their rows takes seconds. Rows are read from the
 * database only for what is on the screen. The answers are those of the API (decisions §2.3, §2.4), with accents
 * ignored beside case. Lives in a worker (near-miss-index.ts); tests and small lists use it where they are.
 */
import { fold, sortKey } from '../../contract/fold.ts';
import type { NearMissSortField } from '../../contract/rest/near-misses.ts';
import { type Alike, alikeOf } from './alike.ts';
import type { NearMissRow } from './db.ts';
import { followUpOf, followUpThen, type FollowUpFields } from './follow-up.ts';
import {
  compareFolded,
  idFields,
  noOwnFilters,
  UNSENT,
  type Asked,
  type FollowUpFilter,
  type IdField,
} from './near-miss-query.ts';
import { textOf } from './text.ts';

/** A value in use and how many records have it. */
export interface Facet {
  readonly id: number;
  readonly name: string;
  readonly count: number;
}
/** A text of a custom field in use. */
export interface TextFacet {
  readonly id: string;
  readonly name: string;
  readonly count: number;
}
/** Of `OwnFilters`. */
export interface OwnFacets {
  /** By the key of each field in `Marks.counted`. */
  readonly texts: Readonly<Record<string, readonly TextFacet[]>>;
  readonly reporters: readonly Facet[];
  readonly photos: { readonly with: number; readonly without: number };
  readonly follow_up: Readonly<Record<FollowUpFilter, number>>;
}
export type Facets = Readonly<Record<IdField, readonly Facet[]>> & { readonly own: OwnFacets };

/** Of the follow-up of near misses, on a day (`2026-11-20`) of this computer. */
export interface FollowUpOn {
  readonly fields: FollowUpFields;
  readonly today: string;
  /**
   * The end of a day that has passed, where it is counted as it stood then: of what was reported before, by when it is due and
   * was done. When it was asked for is nowhere told.
   */
  readonly ended?: number | null;
}

/** Counted and narrowed by beside the filters of the API: what only this laptop knows. */
export interface Marks {
  /** The custom field and its value that is the worst. */
  readonly worst: { readonly field: string; readonly value: string } | null;
  /** Keys of records with something on the queue. */
  readonly waiting: ReadonlySet<string>;
  /** Keys of records that are new or were changed by others since they were last looked at. */
  readonly news: ReadonlySet<string>;
  /** Keys of records with photos that the server does not have yet. */
  readonly photos: ReadonlySet<string>;
  /** The custom fields that say what has to be done, and the day; null where there are none. */
  readonly follow_up: FollowUpOn | null;
  /** Keys of the custom fields whose texts are counted for the filters. */
  readonly counted: readonly string[];
}
export type Only = 'all' | 'worst' | 'waiting' | 'news';

export const noMarks: Marks = {
  worst: null,
  waiting: new Set(),
  news: new Set(),
  photos: new Set(),
  follow_up: null,
  counted: [],
};

/** One record as far as lists judge it. */
export interface Facts {
  readonly key: string;
  readonly bin: 0 | 1;
  readonly server_id: number | null;
  readonly created_at: number;
  readonly removed_at: number;
  /** As `idFields`, 0 where there is none. */
  readonly ids: readonly number[];
  readonly number: number | null;
  /** `3-12` as 3 and 12. */
  readonly full: readonly [number, number] | null;
  /** Folded, the description first; `\u0001` between the texts, so that nothing is found across two of them. */
  readonly text: string;
  /** How much of `text` is the description. */
  readonly told: number;
  /** Who reported it, `UNSENT` before the server says so. */
  readonly reporter: number;
  /** Photos that the server has of it. */
  readonly photos: number;
  readonly custom: Readonly<Record<string, unknown>>;
}

const BORDER = '\u0001';

const nameFields: Readonly<Record<IdField, keyof NearMissRow['names']>> = {
  incident_id: 'incident',
  harm_source_id: 'harm_source',
  work_activity_id: 'work_activity',
  managed_equipment_id: 'managed_equipment',
  affected_company_id: 'affected_company',
  affected_party_id: 'affected_party',
  affected_person_id: 'affected_person',
};

/** The text as the server keeps it where it is the server's, else what a reader sees. */
const plainText = ({ fields, server }: Pick<NearMissRow, 'fields' | 'server'>): string =>
  server !== null &&
  (server.description ?? '') === fields.description &&
  typeof server.description_plain_text === 'string'
    ? server.description_plain_text
    : textOf(fields.description);

const fullOf = (full_number: string): readonly [number, number] | null => {
  const parts = /^(\d+)-(\d+)$/.exec(full_number);
  if (parts) return [Number(parts[1]), Number(parts[2])];
  return /^\d+$/.test(full_number) ? [0, Number(full_number)] : null;
};

/** What the API searches (decisions §2.4) beside the description. */
const namesOf = (row: NearMissRow): string =>
  fold(
    [
      row.names.incident,
      row.full_number,
      String(row.server?.number ?? ''),
      row.names.affected_company,
      row.names.affected_party,
      row.names.affected_person,
      row.names.managed_equipment,
      row.names.work_activity,
      row.names.harm_source,
    ]
      .filter((text) => text !== '')
      .join(BORDER),
  );

const factsOf = (row: NearMissRow): Facts => {
  const told = fold(plainText(row));
  return {
    key: row.key,
    bin: row.bin,
    server_id: row.server_id,
    created_at: row.created_at,
    removed_at: row.removed_at ?? 0,
    ids: idFields.map((field) => row.fields[field] ?? 0),
    number: row.server?.number ?? null,
    full: fullOf(row.full_number),
    text: `${told}${BORDER}${namesOf(row)}`,
    told: told.length,
    reporter: row.server?.incident_created_by?.id ?? UNSENT,
    photos: row.server?.attachments?.length ?? 0,
    custom: row.fields.custom_fields,
  };
};

/** What a custom field says, as it is compared and shown; '' where it says nothing. */
const textIn = (one: Facts, field: string): string => {
  const value = one.custom[field];
  return typeof value === 'string' ? value.trim() : '';
};

/** What has to be done, counted. */
export interface FollowUps {
  /** Not done, those that are due among them. */
  readonly open: number;
  /** Today or before. */
  readonly due: number;
  readonly overdue: number;
  readonly done: number;
  /** Done on its day or before. */
  readonly in_time: number;
  /** Keys of what is not done, what is due first in front. */
  readonly first: readonly string[];
}

/** Keys in `FollowUps.first`: what a page has room for. */
const FIRST = 5;

const followUpsOf = (
  records: readonly Facts[],
  { fields, today, ended = null }: FollowUpOn,
): FollowUps => {
  const standing = ended === null ? followUpOf : followUpThen;
  const said = records
    .filter(({ created_at }) => ended === null || created_at < ended)
    .map(({ key, custom }) => ({ key, ...standing({ custom_fields: custom }, fields, today) }));
  const open = said.filter(({ standing }) => ['open', 'due', 'overdue'].includes(standing));
  const overdue = open.filter(({ standing }) => standing === 'overdue').length;
  const done = said.filter(({ standing }) => standing === 'done');
  // What has no day comes last.
  const order = ({ due }: { readonly due: string }): string => due || '~';
  return {
    open: open.length,
    due: open.filter(({ standing }) => standing === 'due').length + overdue,
    overdue,
    done: done.length,
    in_time: done.filter((one) => one.due === '' || one.done <= one.due).length,
    first: open
      .sort((a, b) => compareFolded(order(a), order(b)))
      .slice(0, FIRST)
      .map(({ key }) => key),
  };
};

/** Is something to be done, or is it due? */
const followUpFits = (which: FollowUpFilter, on: FollowUpOn): ((one: Facts) => boolean) => {
  const fits: readonly string[] = which === 'due' ? ['due', 'overdue'] : ['open', 'due', 'overdue'];
  return ({ custom }) =>
    fits.includes(followUpOf({ custom_fields: custom }, on.fields, on.today).standing);
};

const ownFits = ({ own }: Asked, marks: Marks): ((one: Facts) => boolean) => {
  const texts = Object.entries(own.texts)
    .filter(([, wanted]) => wanted.length > 0)
    .map(([field, wanted]) => ({ field, wanted: new Set(wanted) }));
  const reporters = new Set(own.reporters);
  const { follow_up } = marks;
  const follows =
    own.follow_up === null
      ? () => true
      : follow_up === null
        ? () => false
        : followUpFits(own.follow_up, follow_up);
  const shows = (one: Facts): boolean => one.photos > 0 || marks.photos.has(one.key);
  return (one) =>
    texts.every(({ field, wanted }) => wanted.has(textIn(one, field))) &&
    (reporters.size === 0 || reporters.has(one.reporter)) &&
    (own.photos === null || own.photos === shows(one)) &&
    follows(one);
};

type Compare = (a: Facts, b: Facts) => number;

/** Ties by id; what the server does not have yet is the youngest. */
const byId: Compare = (a, b) =>
  a.server_id === b.server_id
    ? compareFolded(a.key, b.key)
    : (a.server_id ?? Infinity) - (b.server_id ?? Infinity);

const newest: Compare = (a, b) => b.created_at - a.created_at || byId(b, a);
const lastRemoved: Compare = (a, b) => b.removed_at - a.removed_at || byId(b, a);

type Names = ReadonlyMap<IdField, Map<number, string>>;

/** Nulls last in both directions (decisions §2.3). */
const sorted =
  <T>(down: boolean, value: (facts: Facts) => T | null, compare: (a: T, b: T) => number): Compare =>
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

const comparer = (sort: Asked['sort'], names: Names): Compare => {
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
  // The names of one field are few: each gets its place once, and records compare numbers.
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

/** One order of all records, brought up to date by what changed since. */
interface Order {
  list: Facts[];
  readonly changed: Set<string>;
}

/** Orders kept at once: each is 100,000 references, sorted in about a tenth of a second. */
const ORDERS = 4;

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  compareFolded(sortKey(a.name), sortKey(b.name));

const add = <K>(counts: Map<K, number>, key: K): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

/** In the order they have, those first whose description has every one of the texts. */
const best = (
  { sort }: Asked,
  list: readonly Facts[],
  texts: readonly string[],
): readonly Facts[] => {
  if (sort !== 'best') return list;
  const tells = (one: Facts): boolean => {
    const told = one.text.slice(0, one.told);
    return texts.every((text) => told.includes(text));
  };
  const first = new Set(list.filter(tells));
  return [...first, ...list.filter((one) => !first.has(one))];
};

const wordsOf = (text: string): string[] => text.split(/\s+/).filter(Boolean);

export interface Answer {
  /** Fitting records in the asked order. */
  readonly found: readonly Facts[];
  /** Fitting without regard to `only`, and how many of them have each mark. */
  readonly counts: Readonly<Record<Only, number>>;
  /** Nothing of this time holds the text as it was typed: these hold each of its words. */
  readonly loose: boolean;
}

export interface Columns {
  readonly size: number;
  keys(): Iterable<string>;
  /** Adds or replaces. */
  put(row: NearMissRow): void;
  remove(key: string): void;
  ask(asked: Asked, only?: Only, marks?: Marks): Answer;
  /** Values in use: of each field counted as if it were not filtered by, so that another can be chosen. */
  facets(asked: Asked, marks?: Marks): Facets;
  /** What has to be done after the active records. */
  followUps(on: FollowUpOn): FollowUps;
  /** The active records told in much the same words; `place`: the custom field that says where. */
  alike(text: string, place: string | null): Alike;
  /** The active records for counting, the oldest first. */
  counted(): Counted;
}

export interface Counted {
  readonly records: readonly Facts[];
  readonly nameOf: (field: IdField, id: number) => string;
}

const rangeFits = (asked: Asked): ((one: Facts) => boolean) => {
  const { from, to } = asked.created_at ?? { from: null, to: null };
  const [low, high] = [from ?? -Infinity, to ?? Infinity];
  return (one) => one.bin === asked.bin && one.created_at >= low && one.created_at <= high;
};

/** The id filters that are set, by their place in `Facts.ids`. */
const wantedIds = (asked: Asked) =>
  idFields.flatMap((field, at) => {
    const ids = asked.ids[field];
    return ids === undefined || ids.length === 0 ? [] : [{ at, ids: new Set(ids) }];
  });

export const createColumns = (): Columns => {
  const all = new Map<string, Facts>();
  const orders = new Map<string, Order>();
  const names = new Map<IdField, Map<number, string>>(idFields.map((field) => [field, new Map()]));

  const reporter_names = new Map<number, string>();

  const nameRow = (row: NearMissRow): void => {
    const reporter = row.server?.incident_created_by;
    if (reporter) reporter_names.set(reporter.id, reporter.name ?? '');
    for (const field of idFields) {
      const id = row.fields[field];
      const known = names.get(field);
      const name = row.names[nameFields[field]];
      if (!id || known === undefined || known.get(id) === name) continue;
      if (name === '' && known.has(id)) continue;
      known.set(id, name);
      // A new name may stand elsewhere.
      for (const sort of orders.keys()) if (sort.endsWith(nameFields[field])) orders.delete(sort);
    }
  };
  const note = (key: string): void => {
    for (const order of orders.values()) order.changed.add(key);
  };

  const orderOf = (sort: Asked['sort']): readonly Facts[] => {
    const name = sort ?? '';
    const order = orders.get(name);
    orders.delete(name);
    const compare = comparer(sort, names);
    if (order === undefined || order.changed.size > order.list.length / 4) {
      const fresh = { list: [...all.values()].sort(compare), changed: new Set<string>() };
      orders.set(name, fresh);
      for (const old of orders.keys()) {
        if (orders.size <= ORDERS) break;
        orders.delete(old);
      }
      return fresh.list;
    }
    if (order.changed.size > 0) order.list = merge(order, all, compare);
    order.changed.clear();
    orders.set(name, order);
    return order.list;
  };

  /**
   * What a record must hold: the text as it was typed, or where no record of this time holds that, each of its words. Whatever else narrows the
   * list plays no part, so that what is counted beside a filter is what the list shows under it.
   */
  const soughtBy = (asked: Asked): readonly string[] => {
    const text = fold(asked.query.trim());
    const words = wordsOf(text);
    if (words.length < 2) return text === '' ? [] : [text];
    const inRange = rangeFits(asked);
    for (const one of all.values()) if (inRange(one) && one.text.includes(text)) return [text];
    return words;
  };
  const search = (
    asked: Asked,
    sought: readonly string[],
    from: readonly Facts[],
  ): readonly Facts[] => {
    if (sought.length === 0) return from;
    const list = from.filter((one) => sought.every((text) => one.text.includes(text)));
    return best(asked, list, sought);
  };
  /** Everything that is asked for but `only`, in its order. */
  const fitting = (asked: Asked, sought: readonly string[], marks: Marks): readonly Facts[] => {
    const inRange = rangeFits(asked);
    const wanted = wantedIds(asked);
    const own = ownFits(asked, marks);
    return search(
      asked,
      sought,
      orderOf(asked.sort).filter(
        (one) =>
          inRange(one) && wanted.every(({ at, ids }) => ids.has(one.ids[at] ?? 0)) && own(one),
      ),
    );
  };
  /** Each counted as if it were not narrowed by, so that another can be chosen. */
  const ownFacets = (asked: Asked, sought: readonly string[], marks: Marks): OwnFacets => {
    const without = (change: Partial<Asked['own']>): readonly Facts[] =>
      fitting({ ...asked, own: { ...asked.own, ...change } }, sought, marks);
    const textsOf = (field: string): TextFacet[] => {
      const chosen = asked.own.texts[field] ?? [];
      const counts = new Map(chosen.map((text) => [text, 0]));
      for (const one of without({ texts: { ...asked.own.texts, [field]: [] } }))
        add(counts, textIn(one, field));
      counts.delete('');
      return [...counts].map(([text, count]) => ({ id: text, name: text, count })).sort(byName);
    };
    const reporters = new Map(asked.own.reporters.map((id) => [id, 0]));
    for (const one of without({ reporters: [] })) add(reporters, one.reporter);
    const either = without({ photos: null });
    const shown = ownFits({ ...asked, own: { ...noOwnFilters, photos: true } }, marks);
    const with_photos = either.filter(shown).length;
    const any = marks.follow_up === null ? [] : without({ follow_up: null });
    const follow = (which: FollowUpFilter): number =>
      marks.follow_up === null ? 0 : any.filter(followUpFits(which, marks.follow_up)).length;
    return {
      texts: Object.fromEntries(marks.counted.map((field) => [field, textsOf(field)])),
      reporters: [...reporters]
        .map(([id, count]) => ({ id, name: reporter_names.get(id) ?? '', count }))
        .sort(byName),
      photos: { with: with_photos, without: either.length - with_photos },
      follow_up: { open: follow('open'), due: follow('due') },
    };
  };

  return {
    get size() {
      return all.size;
    },
    keys: () => all.keys(),
    put(row) {
      nameRow(row);
      all.set(row.key, factsOf(row));
      note(row.key);
    },
    remove(key) {
      if (all.delete(key)) note(key);
    },
    ask(asked, only = 'all', marks = noMarks) {
      const sought = soughtBy(asked);
      const list = fitting(asked, sought, marks);
      const has: Readonly<Record<Only, (one: Facts) => boolean>> = {
        all: () => true,
        worst: (one) => marks.worst !== null && one.custom[marks.worst.field] === marks.worst.value,
        waiting: (one) => marks.waiting.has(one.key),
        news: (one) => marks.news.has(one.key),
      };
      const count = (which: Only): number =>
        list.reduce((sum, one) => (has[which](one) ? sum + 1 : sum), 0);
      return {
        found: only === 'all' ? list : list.filter(has[only]),
        counts: {
          all: list.length,
          worst: marks.worst === null ? 0 : count('worst'),
          waiting: marks.waiting.size === 0 ? 0 : count('waiting'),
          news: marks.news.size === 0 ? 0 : count('news'),
        },
        loose: sought.length > 1 && list.length > 0,
      };
    },
    followUps: (on) =>
      followUpsOf(
        [...all.values()].filter((one) => one.bin === 0),
        on,
      ),
    alike: (text, place) =>
      alikeOf(
        text,
        [...all.values()]
          .filter((one) => one.bin === 0)
          .map((one) => ({
            key: one.key,
            created_at: one.created_at,
            text: one.text.slice(0, one.told),
            place: place === null ? '' : textIn(one, place),
          })),
      ),
    counted: () => ({
      records: orderOf(null)
        .filter((one) => one.bin === 0)
        .reverse(),
      nameOf: (field, id) => names.get(field)?.get(id) ?? '',
    }),
    facets(asked, marks = noMarks) {
      const inRange = rangeFits(asked);
      const own = ownFits(asked, marks);
      const sought = soughtBy(asked);
      const list = search(
        asked,
        sought,
        [...all.values()].filter((one) => inRange(one) && own(one)),
      );
      const wanted = wantedIds(asked);
      const counts = idFields.map(() => new Map<number, number>());
      for (const one of list) {
        const misses = wanted.filter(({ at, ids }) => !ids.has(one.ids[at] ?? 0));
        if (misses.length > 1) continue;
        for (let at = 0; at < idFields.length; at += 1) {
          const id = one.ids[at] ?? 0;
          if (id === 0 || (misses[0] !== undefined && misses[0].at !== at)) continue;
          const counted = counts[at];
          counted?.set(id, (counted.get(id) ?? 0) + 1);
        }
      }
      const facet = (field: IdField, at: number): Facet[] => {
        // What is chosen stays in sight, though nothing has it beside the other filters.
        for (const id of asked.ids[field] ?? []) if (!counts[at]?.has(id)) counts[at]?.set(id, 0);
        return [...(counts[at] ?? [])]
          .map(([id, count]) => ({ id, name: names.get(field)?.get(id) ?? '', count }))
          .sort((a, b) => byName(a, b) || a.id - b.id);
      };
      const ids = Object.fromEntries(idFields.map((field, at) => [field, facet(field, at)]));
      return { ...(ids as Record<IdField, Facet[]>), own: ownFacets(asked, sought, marks) };
    },
  };
};

/** The unchanged in their order, the changed sorted among them. */
const merge = (order: Order, all: ReadonlyMap<string, Facts>, compare: Compare): Facts[] => {
  const kept = order.list.filter((one) => !order.changed.has(one.key));
  const fresh = [...order.changed].flatMap((key) => all.get(key) ?? []).sort(compare);
  const out: Facts[] = [];
  let at = 0;
  for (const one of kept) {
    for (let next = fresh[at]; next !== undefined && compare(next, one) < 0; next = fresh[at]) {
      out.push(next);
      at += 1;
    }
    out.push(one);
  }
  out.push(...fresh.slice(at));
  return out;
};
