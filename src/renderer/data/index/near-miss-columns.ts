/**
 * In-memory columnar index of a project's near misses, with the few values that lists filter, sort and count by.
 * Pure. A query over 100,000 records takes milliseconds, while reading their rows takes seconds; rows are read only
 * for the visible part of a list. Filters and orders match the API (decisions §2.3, §2.4), but search also covers
 * everything else a reader sees of a report. It runs in a worker (near-miss-index.ts); tests and small lists use it
 * directly.
 */
import { fold, sortKey } from '../../../contract/text/fold.ts';
import { isNamed } from '../../../contract/text/is-named.ts';
import { type Alike, alikeOf } from '../model/alike.ts';
import { answerOf, type AnswerFields } from '../model/answer.ts';
import type { NearMissRow } from '../db/db.ts';
import { followUpOf, followUpThen, type FollowUpFields } from '../model/follow-up.ts';
import { nearMissTraitsOf, textIn, type NearMissTraits } from './near-miss-facts.ts';
import {
  compareFolded,
  idFields,
  isOnPlan,
  noOwnFilters,
  type Asked,
  type FollowUpFilter,
  type IdField,
} from '../model/near-miss-query.ts';
import {
  createNames,
  createOrders,
  learnNames,
  type Names,
  type Orders,
} from './near-miss-orders.ts';
import type { SortParts } from './near-miss-sort.ts';
import { holdsTerm } from '../model/search-terms.ts';
import { readAnswerCode } from '../../../contract/text/answer-code.ts';

/** A value in use and its number of records. */
export interface Facet {
  readonly id: number;
  readonly name: string;
  readonly count: number;
}
/** A text in use in a custom field, and its number of records. */
export interface TextFacet {
  readonly id: string;
  readonly name: string;
  readonly count: number;
}
interface OwnFacets {
  /** By the key of each field in `Marks.counted`. */
  readonly texts: Readonly<Record<string, readonly TextFacet[]>>;
  readonly reporters: readonly Facet[];
  readonly photos: { readonly with: number; readonly without: number };
  readonly follow_up: Readonly<Record<FollowUpFilter, number>>;
  readonly unanswered: number;
}
export type Facets = Readonly<Record<IdField, readonly Facet[]>> & { readonly own: OwnFacets };

/** The fields of follow-ups, and the local day (`2026-11-20`) to judge them by. */
export interface FollowUpOn {
  readonly fields: FollowUpFields;
  readonly today: string;
  /**
   * End of a past day, to count follow-ups as they stood then. Includes records reported before it and judges them by
   * due date and completion date. The date a follow-up was requested is not recorded.
   */
  readonly ended?: number | null;
  /** Maximum length of `FollowUps.first`; by default the room on a page. */
  readonly first?: number;
  /** Counts only the follow-ups of the person with these names. */
  readonly names?: readonly string[] | null;
}

/** Local knowledge that lists count and filter by, in addition to the API's filters. */
export interface Marks {
  /** The custom field for severity and its worst value. */
  readonly worst: { readonly field: string; readonly value: string } | null;
  /** Keys of records with a queued operation. */
  readonly waiting: ReadonlySet<string>;
  /** Keys of records that are new or were changed by others since the user last looked. */
  readonly news: ReadonlySet<string>;
  /** Keys of the user's reports that somebody else answered since the user last looked. */
  readonly answered: ReadonlySet<string>;
  /** Keys of the user's reports and follow-ups on which others commented since the user last looked. */
  readonly commented: ReadonlySet<string>;
  /** Keys of records with photos that the server does not have yet. */
  readonly photos: ReadonlySet<string>;
  /** The follow-up fields and the day; null when the project has no such fields. */
  readonly follow_up: FollowUpOn | null;
  /** The fields of the answer; null when the project has none. */
  readonly answer: AnswerFields | null;
  /** Keys of the custom fields to compute text facets for. */
  readonly counted: readonly string[];
  /** The custom fields that lists can sort by. */
  readonly parts: SortParts;
}
export type Only = 'all' | 'worst' | 'waiting' | 'news' | 'answered' | 'commented';

export const noMarks: Marks = {
  worst: null,
  waiting: new Set(),
  news: new Set(),
  answered: new Set(),
  commented: new Set(),
  photos: new Set(),
  follow_up: null,
  answer: null,
  counted: [],
  parts: { severity: null, place: null, event_time: null },
};

export interface FollowUps {
  /** Not done, including the due ones. */
  readonly open: number;
  /** Due today or earlier. */
  readonly due: number;
  readonly overdue: number;
  readonly done: number;
  readonly in_time: number;
  /** Keys of open follow-ups, earliest due date first. */
  readonly first: readonly string[];
}

const FIRST = 5;

const followUpsOf = (
  records: readonly NearMissTraits[],
  { fields, today, ended = null, first = FIRST, names = null }: FollowUpOn,
): FollowUps => {
  const standing = ended === null ? followUpOf : followUpThen;
  const said = records
    .filter(({ created_at }) => ended === null || created_at < ended)
    .map(({ key, custom }) => ({ key, ...standing({ custom_fields: custom }, fields, today) }))
    .filter(({ who }) => names === null || isNamed(who, names));
  const open = said.filter(({ standing }) => ['open', 'due', 'overdue'].includes(standing));
  const overdue = open.filter(({ standing }) => standing === 'overdue').length;
  const done = said.filter(({ standing }) => standing === 'done');
  // '~' sorts after every digit, so a follow-up without a date comes last.
  const order = ({ due }: { readonly due: string }): string => due || '~';
  return {
    open: open.length,
    due: open.filter(({ standing }) => standing === 'due').length + overdue,
    overdue,
    done: done.length,
    in_time: done.filter((one) => one.due === '' || one.done <= one.due).length,
    first: open
      .sort((a, b) => compareFolded(order(a), order(b)))
      .slice(0, first)
      .map(({ key }) => key),
  };
};

/** A predicate for open or due follow-ups. */
const followUpFits = (
  which: FollowUpFilter,
  on: FollowUpOn,
): ((one: NearMissTraits) => boolean) => {
  const fits: readonly string[] = which === 'due' ? ['due', 'overdue'] : ['open', 'due', 'overdue'];
  return ({ custom }) =>
    fits.includes(followUpOf({ custom_fields: custom }, on.fields, on.today).standing);
};

/** Near misses without an answer that were reported since a moment. */
export interface Unanswered {
  readonly count: number;
  /** When the oldest of them was reported; null without any. */
  readonly oldest: number | null;
}

const isUnanswered =
  (fields: AnswerFields) =>
  ({ custom }: NearMissTraits): boolean =>
    !answerOf({ custom_fields: custom }, fields).answered;

const unansweredOf = (
  records: readonly NearMissTraits[],
  fields: AnswerFields,
  since: number,
): Unanswered => {
  const times = records
    .filter((one) => one.created_at >= since && isUnanswered(fields)(one))
    .map(({ created_at }) => created_at);
  const oldest = times.reduce((low, at) => Math.min(low, at), Infinity);
  return { count: times.length, oldest: times.length === 0 ? null : oldest };
};

const ownFits = ({ own }: Asked, marks: Marks): ((one: NearMissTraits) => boolean) => {
  const texts = Object.entries(own.texts)
    .filter(([, wanted]) => wanted.length > 0)
    .map(([field, wanted]) => ({ field, wanted: new Set(wanted) }));
  const reporters = new Set(own.reporters);
  const { follow_up, answer } = marks;
  const follows =
    own.follow_up === null
      ? () => true
      : follow_up === null
        ? () => false
        : followUpFits(own.follow_up, follow_up);
  const waits = !own.unanswered ? () => true : answer === null ? () => false : isUnanswered(answer);
  const shows = (one: NearMissTraits): boolean => one.photos > 0 || marks.photos.has(one.key);
  return (one) =>
    texts.every(({ field, wanted }) => wanted.has(textIn(one, field))) &&
    (reporters.size === 0 || reporters.has(one.reporter)) &&
    (own.photos === null || own.photos === shows(one)) &&
    (own.on_plan === null || isOnPlan(own.on_plan, one.custom[own.on_plan.field])) &&
    follows(one) &&
    waits(one);
};

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  compareFolded(sortKey(a.name), sortKey(b.name));

const add = <K>(counts: Map<K, number>, key: K): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

/** For the sort `best`: moves records with every text in the description to the front, otherwise keeps the order. */
const best = (
  { sort }: Asked,
  list: readonly NearMissTraits[],
  texts: readonly string[],
): readonly NearMissTraits[] => {
  if (sort !== 'best') return list;
  const describes = (one: NearMissTraits): boolean => {
    const description = one.text.slice(0, one.description_length);
    return texts.every((text) => holdsTerm(description, text));
  };
  const first = new Set(list.filter(describes));
  return [...first, ...list.filter((one) => !first.has(one))];
};

const wordsOf = (text: string): string[] => text.split(/\s+/).filter(Boolean);

interface Answer {
  /** Matching records in the requested order. */
  readonly found: readonly NearMissTraits[];
  /** Matches before `only` is applied, and how many of them have each mark. */
  readonly counts: Readonly<Record<Only, number>>;
  /** True when no record in the time range contains the whole text, so these match each of its words. */
  readonly loose: boolean;
}

export interface Columns {
  readonly size: number;
  keys(): Iterable<string>;
  put(row: NearMissRow): void;
  remove(key: string): void;
  ask(asked: Asked, only?: Only, marks?: Marks): Answer;
  /** Values in use. Each field is counted without its own filter, so that a user can pick another value. */
  facets(asked: Asked, marks?: Marks): Facets;
  followUps(on: FollowUpOn): FollowUps;
  unanswered(fields: AnswerFields, since: number): Unanswered;
  /** Active records with similar wording. `place`: the custom field for the location. */
  alike(text: string, place: string | null): Alike;
  /** The active records for the figures, oldest first. */
  counted(): Counted;
}

export interface Counted {
  readonly records: readonly NearMissTraits[];
  readonly nameOf: (field: IdField, id: number) => string;
}

const rangeFits = (asked: Asked): ((one: NearMissTraits) => boolean) => {
  const { from, to } = asked.created_at ?? { from: null, to: null };
  const [low, high] = [from ?? -Infinity, to ?? Infinity];
  return (one) => one.bin === asked.bin && one.created_at >= low && one.created_at <= high;
};

/** The id filters in use, each with the position of its field in `ids` of a record. */
const wantedIds = (asked: Asked) =>
  idFields.flatMap((field, at) => {
    const ids = asked.ids[field];
    return ids === undefined || ids.length === 0 ? [] : [{ at, ids: new Set(ids) }];
  });

/** All records, with their names and orders. */
interface Store {
  readonly all: Map<string, NearMissTraits>;
  readonly names: Names;
  readonly orders: Orders;
}

/**
 * The texts a record must contain: the whole query, or each of its words when no record in the time range contains
 * the whole. An answer code may be typed with blanks. Other filters do not affect this choice, so that facet counts agree
 * with the list each one leads to.
 */
const soughtBy = ({ all }: Store, asked: Asked): readonly string[] => {
  const text = fold(asked.query.trim());
  const words = wordsOf(text);
  const code = readAnswerCode(text)?.toLowerCase() ?? text;
  if (words.length < 2 && code === text) return text === '' ? [] : [text];
  const inRange = rangeFits(asked);
  for (const wanted of new Set([text, code]))
    for (const one of all.values())
      if (inRange(one) && holdsTerm(one.text, wanted)) return [wanted];
  return words;
};

const search = (
  asked: Asked,
  sought: readonly string[],
  from: readonly NearMissTraits[],
): readonly NearMissTraits[] => {
  if (sought.length === 0) return from;
  const list = from.filter((one) => sought.every((text) => holdsTerm(one.text, text)));
  return best(asked, list, sought);
};

/** Records matching every filter except `only`, sorted. */
const fitting = (
  { orders }: Store,
  asked: Asked,
  sought: readonly string[],
  marks: Marks,
): readonly NearMissTraits[] => {
  const inRange = rangeFits(asked);
  const wanted = wantedIds(asked);
  const own = ownFits(asked, marks);
  const fits = (one: NearMissTraits): boolean =>
    inRange(one) && wanted.every(({ at, ids }) => ids.has(one.ids[at] ?? 0)) && own(one);
  return search(asked, sought, orders.of(asked.sort, marks.parts).filter(fits));
};

const askStore = (store: Store, asked: Asked, only: Only, marks: Marks): Answer => {
  const sought = soughtBy(store, asked);
  const list = fitting(store, asked, sought, marks);
  const has: Readonly<Record<Only, (one: NearMissTraits) => boolean>> = {
    all: () => true,
    worst: (one) => marks.worst !== null && one.custom[marks.worst.field] === marks.worst.value,
    waiting: (one) => marks.waiting.has(one.key),
    news: (one) => marks.news.has(one.key),
    answered: (one) => marks.answered.has(one.key),
    commented: (one) => marks.commented.has(one.key),
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
      answered: marks.answered.size === 0 ? 0 : count('answered'),
      commented: marks.commented.size === 0 ? 0 : count('commented'),
    },
    loose: sought.length > 1 && list.length > 0,
  };
};

/** Returns the records that fit with other own filters, for a facet that is counted without its own. */
type Without = (change: Partial<Asked['own']>) => readonly NearMissTraits[];

const textFacets = (
  field: string,
  { own }: Asked,
  { severity }: SortParts,
  without: Without,
): TextFacet[] => {
  const rank = ({ id }: TextFacet): number => {
    const at = severity?.options.indexOf(id) ?? -1;
    return at < 0 ? Infinity : -at;
  };
  const bySeverity = (a: TextFacet, b: TextFacet): number =>
    rank(a) === rank(b) ? byName(a, b) : rank(a) - rank(b);
  const chosen = own.texts[field] ?? [];
  const counts = new Map(chosen.map((text) => [text, 0]));
  for (const one of without({ texts: { ...own.texts, [field]: [] } }))
    add(counts, textIn(one, field));
  counts.delete('');
  const facets = [...counts].map(([text, count]) => ({ id: text, name: text, count }));
  return facets.sort(field === severity?.field ? bySeverity : byName);
};

const ownFacets = (
  store: Store,
  asked: Asked,
  sought: readonly string[],
  marks: Marks,
): OwnFacets => {
  const without: Without = (change) =>
    fitting(store, { ...asked, own: { ...asked.own, ...change } }, sought, marks);
  const texts = marks.counted.map(
    (field) => [field, textFacets(field, asked, marks.parts, without)] as const,
  );
  const reporters = new Map(asked.own.reporters.map((id) => [id, 0]));
  for (const one of without({ reporters: [] })) add(reporters, one.reporter);
  const either = without({ photos: null });
  const shown = ownFits({ ...asked, own: { ...noOwnFilters, photos: true } }, marks);
  const with_photos = either.filter(shown).length;
  const any = marks.follow_up === null ? [] : without({ follow_up: null });
  const follow = (which: FollowUpFilter): number =>
    marks.follow_up === null ? 0 : any.filter(followUpFits(which, marks.follow_up)).length;
  return {
    texts: Object.fromEntries(texts),
    reporters: [...reporters]
      .map(([id, count]) => ({ id, name: store.names.reporters.get(id) ?? '', count }))
      .sort(byName),
    photos: { with: with_photos, without: either.length - with_photos },
    follow_up: { open: follow('open'), due: follow('due') },
    unanswered:
      marks.answer === null
        ? 0
        : without({ unanswered: false }).filter(isUnanswered(marks.answer)).length,
  };
};

/** By the place of the field in `idFields`: how many records have each id. */
const countIds = (
  list: readonly NearMissTraits[],
  asked: Asked,
): readonly Map<number, number>[] => {
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
  return counts;
};

const facetsOf = (store: Store, asked: Asked, marks: Marks): Facets => {
  const inRange = rangeFits(asked);
  const own = ownFits(asked, marks);
  const sought = soughtBy(store, asked);
  const list = search(
    asked,
    sought,
    [...store.all.values()].filter((one) => inRange(one) && own(one)),
  );
  const counts = countIds(list, asked);
  const facet = (field: IdField, at: number): Facet[] => {
    // Keep a selected value in the list even when the other filters leave no record with it.
    for (const id of asked.ids[field] ?? []) if (!counts[at]?.has(id)) counts[at]?.set(id, 0);
    return [...(counts[at] ?? [])]
      .map(([id, count]) => ({ id, name: store.names.fields.get(field)?.get(id) ?? '', count }))
      .sort((a, b) => byName(a, b) || a.id - b.id);
  };
  const ids = Object.fromEntries(idFields.map((field, at) => [field, facet(field, at)]));
  return { ...(ids as Record<IdField, Facet[]>), own: ownFacets(store, asked, sought, marks) };
};

export const createColumns = (): Columns => {
  const all = new Map<string, NearMissTraits>();
  const names = createNames();
  const orders = createOrders(all, names);
  const store: Store = { all, names, orders };
  const active = (): NearMissTraits[] => [...all.values()].filter((one) => one.bin === 0);

  return {
    get size() {
      return all.size;
    },
    keys: () => all.keys(),
    put(row) {
      for (const field of learnNames(names, row)) orders.dropBy(field);
      all.set(row.key, nearMissTraitsOf(row));
      orders.noteChanged(row.key);
    },
    remove(key) {
      if (all.delete(key)) orders.noteChanged(key);
    },
    ask: (asked, only = 'all', marks = noMarks) => askStore(store, asked, only, marks),
    followUps: (on) => followUpsOf(active(), on),
    unanswered: (fields, since) => unansweredOf(active(), fields, since),
    alike: (text, place) =>
      alikeOf(
        text,
        active().map((one) => ({
          key: one.key,
          created_at: one.created_at,
          text: one.text.slice(0, one.description_length),
          place: place === null ? '' : textIn(one, place),
        })),
      ),
    counted: () => ({
      records: orders
        .of(null, noMarks.parts)
        .filter((one) => one.bin === 0)
        .reverse(),
      nameOf: (field, id) => names.fields.get(field)?.get(id) ?? '',
    }),
    facets: (asked, marks = noMarks) => facetsOf(store, asked, marks),
  };
};
