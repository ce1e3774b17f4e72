/**
 * How a list is narrowed and sorted, per account and project: kept across screens and restarts, so that going to a record
 * and back, or opening the window tomorrow, changes nothing. In the browser's local storage because the list must know it
 * before it asks for its first row.
 */
import { z } from 'zod';
import type { Only } from '../data/near-miss-columns.ts';
import {
  beginningOf,
  endOf,
  type FollowUpFilter,
  followUpFilters,
  idFields,
  noOwnFilters,
  singleFields,
  startOf,
  type Asked,
  type IdField,
  type Moments,
  type OwnFilters,
} from '../data/near-miss-query.ts';
import { nearMissSortFields } from '../../contract/rest/near-misses.ts';

/** Which stretch of time: everything, since a beginning, or between two days. */
export const whens = ['any', 'today', 'week', 'last_week', 'month', 'last_month', 'days'] as const;
export type When = (typeof whens)[number];

/** A stretch of this computer's days, as milliseconds, both ends included; null: open. */
export const stretchOf = (when: Exclude<When, 'any' | 'days'>, now: number): Moments => {
  if (when !== 'last_week' && when !== 'last_month')
    return { from: beginningOf(when, now), to: null };
  const unit = when === 'last_week' ? 'week' : 'month';
  const to = beginningOf(unit, now) - 1;
  return { from: beginningOf(unit, to), to };
};

const sorts = [...nearMissSortFields, ...nearMissSortFields.map((name) => `-${name}` as const)];
const day = z.string().regex(/^(\d{4}-\d{2}-\d{2})?$/);
const stored = z.object({
  query: z.string().max(500),
  only: z.enum(['all', 'worst', 'waiting', 'news']),
  ids: z.partialRecord(z.enum(idFields), z.array(z.number().int())),
  own: z
    .object({
      texts: z.record(z.string(), z.array(z.string())),
      reporters: z.array(z.number().int()),
      photos: z.boolean().nullable(),
      follow_up: z.enum(followUpFilters).nullable().default(null),
    })
    .default({ texts: {}, reporters: [], photos: null, follow_up: null }),
  when: z.enum(whens),
  from: day,
  to: day,
  sort: z.enum([...sorts, '-removed_at']).nullable(),
});

class ListChoices {
  readonly bin: 0 | 1;
  /** What is typed into the search. */
  query = $state('');
  only = $state<Only>('all');
  ids = $state.raw<Readonly<Partial<Record<IdField, readonly number[]>>>>({});
  own = $state.raw<OwnFilters>(noOwnFilters);
  when = $state<When>('any');
  /** `YYYY-MM-DD` or empty, for `days`. */
  from = $state('');
  to = $state('');
  /** By hand; null: none was chosen. */
  sort = $state<Exclude<Asked['sort'], 'best'>>(null);
  #name = '';

  constructor(bin: 0 | 1) {
    this.bin = bin;
    this.sort = this.plain;
  }

  /** The order nobody has to choose: the newest, in the bin the last sent there. */
  get plain(): '-removed_at' | null {
    return this.bin === 0 ? null : '-removed_at';
  }

  /** Filters in use, without the search. */
  get filters(): number {
    const { texts, reporters, photos, follow_up } = this.own;
    const lists = [...Object.values(this.ids), ...Object.values(texts), reporters];
    const others = [this.when !== 'any', photos !== null, follow_up !== null].filter(
      Boolean,
    ).length;
    return lists.filter((list) => list.length > 0).length + others;
  }

  get narrowed(): boolean {
    return this.searching || this.only !== 'all' || this.filters > 0;
  }

  get searching(): boolean {
    return this.query.trim() !== '';
  }

  /** The order in force: who searches wants what fits best; who chose an order wants that. */
  get order(): Asked['sort'] {
    const { bin, searching, sort } = this;
    if (sort === null) return searching ? 'best' : this.plain;
    // The newest is the list's own order when nothing is searched.
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

  /** A text of a custom field. */
  toggleText(field: string, text: string): void {
    const had = this.own.texts[field] ?? [];
    const kept = had.includes(text) ? had.filter((one) => one !== text) : [...had, text];
    this.own = { ...this.own, texts: { ...this.own.texts, [field]: kept } };
  }

  /** One who reports, by every id that stands for him. */
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

  clear(): void {
    this.query = '';
    this.only = 'all';
    this.ids = {};
    this.own = noOwnFilters;
    this.when = 'any';
    this.from = '';
    this.to = '';
  }

  /** Takes what was chosen last in this project; to be called before the list asks for anything. */
  open(account: string, project_id: number): void {
    const name = `list/${this.bin}/${account}/${project_id}`;
    if (name === this.#name) return;
    this.#name = name;
    this.clear();
    this.sort = this.plain;
    const text = localStorage.getItem(name);
    if (text === null) return;
    try {
      Object.assign(this, stored.parse(JSON.parse(text)));
    } catch {
      localStorage.removeItem(name);
    }
  }

  /** Keeps what is chosen now. */
  keep(): void {
    const { query, only, ids, own, when, from, to, sort } = this;
    const text = JSON.stringify({ query, only, ids, own, when, from, to, sort });
    if (this.#name !== '') localStorage.setItem(this.#name, text);
  }
}

export const listChoices = new ListChoices(0);
export const binChoices = new ListChoices(1);
export type { ListChoices };
