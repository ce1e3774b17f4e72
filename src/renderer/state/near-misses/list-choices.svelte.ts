/**
 * Filters and sort order of a list, per account and project. They survive navigation and restarts. Stored in local storage
 * because the list needs them synchronously, before its first query.
 */
import { z } from 'zod';
import type { Only } from '../../data/index/near-miss-columns.ts';
import {
  beginningOf,
  endOf,
  type FollowUpFilter,
  followUpFilters,
  idFields,
  noOwnFilters,
  ownSortFields,
  singleFields,
  startOf,
  type Asked,
  type IdField,
  type Moments,
  type OnPlan,
  type OwnFilters,
} from '../../data/model/near-miss-query.ts';
import { nearMissSortFields } from '../../../contract/rest/near-misses.ts';

/** Time ranges: all, a calendar range, or between two days. */
export const whens = ['any', 'today', 'week', 'last_week', 'month', 'last_month', 'days'] as const;
export type When = (typeof whens)[number];

/** Converts a named range to local time in milliseconds, both ends included. Null means open-ended. */
export const stretchOf = (when: Exclude<When, 'any' | 'days'>, now: number): Moments => {
  if (when !== 'last_week' && when !== 'last_month')
    return { from: beginningOf(when, now), to: null };
  const unit = when === 'last_week' ? 'week' : 'month';
  const to = beginningOf(unit, now) - 1;
  return { from: beginningOf(unit, to), to };
};

const sortFields = [...nearMissSortFields, ...ownSortFields];
const sorts = [...sortFields, ...sortFields.map((name) => `-${name}` as const)];
const day = z.string().regex(/^(\d{4}-\d{2}-\d{2})?$/);
export const listChosen = z.object({
  query: z.string().max(500),
  only: z.enum(['all', 'worst', 'waiting', 'news', 'answered', 'commented']),
  ids: z.partialRecord(z.enum(idFields), z.array(z.number().int())),
  own: z.object({
    texts: z.record(z.string(), z.array(z.string())),
    reporters: z.array(z.number().int()),
    photos: z.boolean().nullable(),
    follow_up: z.enum(followUpFilters).nullable(),
    unanswered: z.boolean(),
    on_plan: z
      .object({
        field: z.string(),
        label: z.string(),
        revisions: z.array(z.number().int()).readonly(),
        area: z
          .object({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() })
          .nullable(),
      })
      .nullable()
      .default(null),
  }),
  when: z.enum(whens),
  from: day,
  to: day,
  sort: z.enum([...sorts, '-removed_at']).nullable(),
});

/** Search, filters and order of a list, as they are stored. */
type ListChosen = z.infer<typeof listChosen>;

/** Without empty lists, sorted. */
const ordered = <T>(lists: Readonly<Record<string, readonly T[] | undefined>>) =>
  Object.fromEntries(
    Object.entries(lists)
      .map(([name, list = []]) => [name, list.toSorted()] as const)
      .filter(([, list]) => list.length > 0)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

class ListChoices {
  readonly bin: 0 | 1;
  query = $state('');
  only = $state<Only>('all');
  ids = $state.raw<Readonly<Partial<Record<IdField, readonly number[]>>>>({});
  own = $state.raw<OwnFilters>(noOwnFilters);
  when = $state<When>('any');
  /** Bounds of the `days` range: `YYYY-MM-DD` or empty. */
  from = $state('');
  to = $state('');
  /** The sort order chosen by the user. Null if none was chosen. */
  sort = $state<Exclude<Asked['sort'], 'best'>>(null);
  #name = '';

  constructor(bin: 0 | 1) {
    this.bin = bin;
    this.sort = this.plain;
  }

  /** Default sort order: newest first; in the bin, last deleted first. */
  get plain(): '-removed_at' | null {
    return this.bin === 0 ? null : '-removed_at';
  }

  /** Number of active filters, not counting the search. */
  get filters(): number {
    const { texts, reporters, photos, follow_up, unanswered, on_plan } = this.own;
    const lists = [...Object.values(this.ids), ...Object.values(texts), reporters];
    const others = [
      this.when !== 'any',
      photos !== null,
      follow_up !== null,
      unanswered,
      on_plan !== null,
    ].filter(Boolean).length;
    return lists.filter((list) => list.length > 0).length + others;
  }

  get narrowed(): boolean {
    return this.searching || this.only !== 'all' || this.filters > 0;
  }

  get searching(): boolean {
    return this.query.trim() !== '';
  }

  /** The effective order: the user's choice, else by relevance while searching, else the default. */
  get order(): Asked['sort'] {
    const { bin, searching, sort } = this;
    if (sort === null) return searching ? 'best' : this.plain;
    // Without a search, newest first is the list's default order.
    return bin === 0 && sort === '-created_at' && !searching ? null : sort;
  }

  asked(now: number): Asked {
    const { bin, query, ids, own, order: sort, when } = this;
    const range =
      when === 'days'
        ? { from: startOf(this.from), to: endOf(this.to) }
        : when === 'any'
          ? null
          : stretchOf(when, now);
    const created_at = range !== null && (range.from ?? range.to) !== null ? range : null;
    return { bin, query, ids, own, sort, created_at };
  }

  has(field: IdField, id: number): boolean {
    return this.ids[field]?.includes(id) ?? false;
  }

  toggle(field: IdField, id: number): void {
    const had = this.ids[field] ?? [];
    const kept = had.includes(id)
      ? had.filter((one) => one !== id)
      : singleFields.has(field)
        ? [id]
        : [...had, id];
    this.ids = { ...this.ids, [field]: kept };
  }

  /** Toggles a text value of a custom field. */
  toggleText(field: string, text: string): void {
    const had = this.own.texts[field] ?? [];
    const kept = had.includes(text) ? had.filter((one) => one !== text) : [...had, text];
    this.own = { ...this.own, texts: { ...this.own.texts, [field]: kept } };
  }

  /** Toggles a reporter, who may have several ids. */
  toggleReporter(ids: readonly number[]): void {
    const had = this.own.reporters;
    const others = had.filter((id) => !ids.includes(id));
    this.own = {
      ...this.own,
      reporters: others.length < had.length ? others : [...had, ...ids],
    };
  }

  setPhotos(photos: boolean | null): void {
    this.own = { ...this.own, photos };
  }

  setFollowUp(follow_up: FollowUpFilter | null): void {
    this.own = { ...this.own, follow_up };
  }

  setUnanswered(unanswered: boolean): void {
    this.own = { ...this.own, unanswered };
  }

  setOnPlan(on_plan: OnPlan | null): void {
    this.own = { ...this.own, on_plan };
  }

  clear(): void {
    this.query = '';
    this.only = 'all';
    this.ids = {};
    this.own = noOwnFilters;
    this.when = 'any';
    this.from = '';
    this.to = '';
  }

  /** Loads the stored choices of this project. Must be called before the list's first query. */
  open(account: string, project_id: number): void {
    const name = `list/${this.bin}/${account}/${project_id}`;
    if (name === this.#name) return;
    this.#name = name;
    this.clear();
    this.sort = this.plain;
    const text = localStorage.getItem(name);
    if (text === null) return;
    try {
      this.put(listChosen.parse(JSON.parse(text)));
    } catch {
      localStorage.removeItem(name);
    }
  }

  /** The choices with names and values sorted, so that equal choices are equal as JSON. */
  get chosen(): ListChosen {
    const { query, only, when, from, to, sort } = this;
    const { texts, reporters, photos, follow_up, unanswered, on_plan } = this.own;
    const own = {
      texts: ordered(texts),
      reporters: reporters.toSorted(),
      photos,
      follow_up,
      unanswered,
      on_plan,
    };
    return { query, only, ids: ordered(this.ids), own, when, from, to, sort };
  }

  put(chosen: ListChosen): void {
    Object.assign(this, chosen);
  }

  keep(): void {
    if (this.#name !== '') localStorage.setItem(this.#name, JSON.stringify(this.chosen));
  }
}

export const listChoices = new ListChoices(0);
export const binChoices = new ListChoices(1);
export type { ListChoices };
