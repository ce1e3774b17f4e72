/**
 * Defines the queries on a project's near misses: the filters and orders of the API (decisions §2.3, §2.4), so that
 * local records and the server give the same results. Local-only filters (`own`) and orders come on top. `toApi`
 * translates the shared part into API parameters.
 */
import { isWithin, readPin, type PlanArea } from './pin.ts';
import { lookupFields } from '../../../contract/rest/near-miss-fields.ts';
import type { NearMissSortField } from '../../../contract/rest/near-misses.ts';

type Sort = NearMissSortField | `-${NearMissSortField}`;

/** Orders by custom fields with a known role; only this laptop can sort by them. */
export const ownSortFields = ['event_time', 'severity', 'place'] as const;
export type OwnSortField = (typeof ownSortFields)[number];
export type OwnSort = OwnSortField | `-${OwnSortField}`;

export const isOwnSort = (sort: string): sort is OwnSort =>
  ownSortFields.some((field) => sort === field || sort === `-${field}`);

export const idFields = ['incident_id', ...lookupFields] as const;
export type IdField = (typeof idFields)[number];

/** The API accepts one id for these fields and any number for the others. */
export const singleFields: ReadonlySet<IdField> = new Set(['incident_id', 'managed_equipment_id']);

/** Milliseconds since the epoch, both ends inclusive; null leaves an end open. */
export interface Moments {
  readonly from: number | null;
  readonly to: number | null;
}

export const followUpFilters = ['open', 'due'] as const;
export type FollowUpFilter = (typeof followUpFilters)[number];

/** Near misses with a pin on one of these revisions of a plan, or in an area of the drawing. */
export interface OnPlan {
  /** The key of the custom field. */
  readonly field: string;
  readonly label: string;
  readonly revisions: readonly number[];
  readonly area: PlanArea | null;
}

/** Filters that only this laptop applies, because the API has none for them. */
export interface OwnFilters {
  /** Allowed texts by custom field key (`custom_field_7`); empty allows any. */
  readonly texts: Readonly<Record<string, readonly string[]>>;
  /** Reporter ids, with `UNSENT` for records not on the server yet; empty allows any. */
  readonly reporters: readonly number[];
  /** With photos, without photos, or null for either. */
  readonly photos: boolean | null;
  /** Open follow-ups, or ones due today or earlier; null for either. */
  readonly follow_up: FollowUpFilter | null;
  /** Only near misses without an answer. */
  readonly unanswered: boolean;
  readonly on_plan: OnPlan | null;
}
/** A reporter id: the server has not named the reporter yet, so it was someone at this laptop. */
export const UNSENT = 0;
export const noOwnFilters: OwnFilters = {
  texts: {},
  reporters: [],
  photos: null,
  follow_up: null,
  unanswered: false,
  on_plan: null,
};

const narrowsOwn = (own: OwnFilters): boolean => {
  const { texts, reporters, photos, follow_up, unanswered, on_plan } = own;
  return (
    unanswered ||
    on_plan !== null ||
    photos !== null ||
    follow_up !== null ||
    reporters.length > 0 ||
    Object.values(texts).some((list) => list.length > 0)
  );
};

export const isOnPlan = ({ revisions, area }: OnPlan, text: unknown): boolean => {
  const pin = readPin(text);
  return (
    pin !== null && revisions.includes(pin.revision_id) && (area === null || isWithin(pin, area))
  );
};

export interface Asked {
  /** 0: the active records. 1: the recycle bin. */
  readonly bin: 0 | 1;
  /** Ignores case and accents; the whole text must occur (decisions §2.4). */
  readonly query: string;
  /** Empty or absent allows any. Ids of one field are alternatives. */
  readonly ids: Readonly<Partial<Record<IdField, readonly number[]>>>;
  readonly created_at: Moments | null;
  readonly own: OwnFilters;
  /**
   * Null: newest first, like the API without `sort`, also in the bin. `removed_at`: last deleted first. `best`:
   * matches in the description before other matches, each newest first.
   */
  readonly sort: Sort | OwnSort | '-removed_at' | 'best' | null;
}

export const askedForAll: Asked = {
  bin: 0,
  query: '',
  ids: {},
  created_at: null,
  own: noOwnFilters,
  sort: null,
};

/** True if the query excludes any record. */
export const narrows = (asked: Asked): boolean =>
  asked.query.trim() !== '' ||
  asked.created_at !== null ||
  narrowsOwn(asked.own) ||
  Object.values(asked.ids).some((ids) => ids.length > 0);

const second = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** Query parameters of `near_misses.list` and of its recycle bin. Omits local-only filters and orders. */
export const toApi = ({ query, ids, created_at, sort }: Asked) => {
  const { incident_id, managed_equipment_id, ...lists } = ids;
  const filters: Record<string, string> = {};
  for (const [name, list] of Object.entries(lists))
    if (list.length > 0) filters[name] = list.join(',');
  if (managed_equipment_id?.[0] !== undefined)
    filters['managed_equipment_id'] = String(managed_equipment_id[0]);
  if (created_at !== null && (created_at.from !== null || created_at.to !== null)) {
    // The API uses whole seconds and includes everything within the last one.
    const from = created_at.from === null ? '' : second(created_at.from);
    const to = created_at.to === null ? '' : second(created_at.to);
    filters['created_at'] = `${from}...${to}`;
  }
  if (query.trim() !== '') filters['query'] = query.trim();
  return {
    ...(incident_id?.[0] === undefined ? {} : { incident_id: incident_id[0] }),
    ...(Object.keys(filters).length === 0 ? {} : { filters }),
    ...(sort === null || sort === '-removed_at' || sort === 'best' || isOwnSort(sort)
      ? {}
      : { sort }),
  };
};

/** 00:00 local time of the day, week (Monday) or month. */
export const beginningOf = (when: 'today' | 'week' | 'month', now: number): number => {
  const at = new Date(now);
  if (when === 'week') at.setDate(at.getDate() - ((at.getDay() + 6) % 7));
  if (when === 'month') at.setDate(1);
  // Set the hours last: where clocks go forward at midnight, that day starts at 01:00 and no other day does.
  at.setHours(0, 0, 0, 0);
  return at.getTime();
};

/** First and last millisecond of a local day, `YYYY-MM-DD`; null for ''. */
export const startOf = (text: string): number | null =>
  text === '' ? null : new Date(`${text}T00:00:00`).getTime();
export const endOf = (text: string): number | null =>
  text === '' ? null : new Date(`${text}T23:59:59.999`).getTime();

/** Compares by code point, like the service's databases compare folded texts (decisions §2.3). */
export const compareFolded = (a: string, b: string): number => {
  if (a === b) return 0;
  let at = 0;
  while (a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  const [x, y] = [a.charCodeAt(at), b.charCodeAt(at)];
  if (Number.isNaN(x) || Number.isNaN(y)) return a.length - b.length;
  // A surrogate is part of a code point above every single code unit.
  const high = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;
  return high(x) === high(y) ? x - y : high(x) ? 1 : -1;
};
