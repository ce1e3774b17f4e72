/**
 * What can be asked of the near misses of a project: the filters and orders of the API (decisions §2.3, §2.4), so that the
 * records of this laptop and the server answer alike, and beside them what only this laptop answers (`own`, and the best
 * matches first). `toApi` says the first in the server's words.
 */
import type { NearMissSortField } from '../../contract/rest/near-misses.ts';

export type Sort = NearMissSortField | `-${NearMissSortField}`;

/** The fields that a filter names by their ids. */
export const idFields = [
  'incident_id',
  'harm_source_id',
  'work_activity_id',
  'managed_equipment_id',
  'affected_company_id',
  'affected_party_id',
  'affected_person_id',
] as const;
export type IdField = (typeof idFields)[number];

/** Of these the API takes one id, of the others any number. */
export const singleFields: ReadonlySet<IdField> = new Set(['incident_id', 'managed_equipment_id']);

/** Milliseconds since the epoch, both ends included, null is open. */
export interface Moments {
  readonly from: number | null;
  readonly to: number | null;
}

export const followUpFilters = ['open', 'due'] as const;
export type FollowUpFilter = (typeof followUpFilters)[number];

/** Narrowed by on this laptop alone: the API has no filters for these. */
export interface OwnFilters {
  /** By the key of a custom field (`custom_field_7`) the texts it may have; none: any. */
  readonly texts: Readonly<Record<string, readonly string[]>>;
  /** Ids of who reported it, `UNSENT` for what the server does not have yet; none: anybody. */
  readonly reporters: readonly number[];
  /** With photos, without, or (null) either. */
  readonly photos: boolean | null;
  /** With something to do, or with something due today or before; null: either. */
  readonly follow_up: FollowUpFilter | null;
}
/** In `reporters`: the server has not said yet who reported it, so it was somebody at this laptop. */
export const UNSENT = 0;
export const noOwnFilters: OwnFilters = {
  texts: {},
  reporters: [],
  photos: null,
  follow_up: null,
};

const narrowsOwn = ({ texts, reporters, photos, follow_up }: OwnFilters): boolean =>
  photos !== null ||
  follow_up !== null ||
  reporters.length > 0 ||
  Object.values(texts).some((list) => list.length > 0);

export interface Asked {
  /** The active records, or the recycle bin. */
  readonly bin: 0 | 1;
  /** Any case, accents ignored; the whole text must occur as it stands (decisions §2.4). */
  readonly query: string;
  /** Empty or left out: any. Ids of one field are alternatives. */
  readonly ids: Readonly<Partial<Record<IdField, readonly number[]>>>;
  readonly created_at: Moments | null;
  readonly own: OwnFilters;
  /**
   * Null: the newest first, as the API without `sort`; in the bin too. `removed_at`: last sent to the bin first. `best`: what
   * has the text in its description before what has it elsewhere, each the newest first.
   */
  readonly sort: Sort | '-removed_at' | 'best' | null;
}

export const askedForAll: Asked = {
  bin: 0,
  query: '',
  ids: {},
  created_at: null,
  own: noOwnFilters,
  sort: null,
};

/** Does it leave anything out? */
export const narrows = (asked: Asked): boolean =>
  asked.query.trim() !== '' ||
  asked.created_at !== null ||
  narrowsOwn(asked.own) ||
  Object.values(asked.ids).some((ids) => ids.length > 0);

const second = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** The same as the query of `near_misses.list` and of its recycle bin. What only this laptop can filter and sort is left out. */
export const toApi = ({ query, ids, created_at, sort }: Asked) => {
  const { incident_id, managed_equipment_id, ...lists } = ids;
  const filters: Record<string, string> = {};
  for (const [name, list] of Object.entries(lists))
    if (list.length > 0) filters[name] = list.join(',');
  if (managed_equipment_id?.[0] !== undefined)
    filters['managed_equipment_id'] = String(managed_equipment_id[0]);
  if (created_at !== null && (created_at.from !== null || created_at.to !== null)) {
    // Whole seconds on the wire: everything inside the last one belongs to the range.
    const from = created_at.from === null ? '' : second(created_at.from);
    const to = created_at.to === null ? '' : second(created_at.to);
    filters['created_at'] = `${from}...${to}`;
  }
  if (query.trim() !== '') filters['query'] = query.trim();
  return {
    ...(incident_id?.[0] === undefined ? {} : { incident_id: incident_id[0] }),
    ...(Object.keys(filters).length === 0 ? {} : { filters }),
    ...(sort === null || sort === '-removed_at' || sort === 'best' ? {} : { sort }),
  };
};

/** 00:00 of this computer's day, week (Monday) or month. */
export const beginningOf = (when: 'today' | 'week' | 'month', now: number): number => {
  const at = new Date(now);
  if (when === 'week') at.setDate(at.getDate() - ((at.getDay() + 6) % 7));
  if (when === 'month') at.setDate(1);
  // Last: a day on which clocks are put on at midnight begins at 01:00, and no other does.
  at.setHours(0, 0, 0, 0);
  return at.getTime();
};

/** The first and the last millisecond of a day, `YYYY-MM-DD` by this computer; null of ''. */
export const startOf = (text: string): number | null =>
  text === '' ? null : new Date(`${text}T00:00:00`).getTime();
export const endOf = (text: string): number | null =>
  text === '' ? null : new Date(`${text}T23:59:59.999`).getTime();

/** By code point, as the service's databases compare what they folded (decisions §2.3). */
export const compareFolded = (a: string, b: string): number => {
  if (a === b) return 0;
  let at = 0;
  while (a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  const [x, y] = [a.charCodeAt(at), b.charCodeAt(at)];
  if (Number.isNaN(x) || Number.isNaN(y)) return a.length - b.length;
  // Half of a pair stands for a code point above every single unit.
  const high = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;
  return high(x) === high(y) ? x - y : high(x) ? 1 : -1;
};
