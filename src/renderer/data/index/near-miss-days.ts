/**
 * Pure: where each day begins in a list that is sorted by time. A list draws a heading there, so the position of
 * every row is known without drawing the rows above it.
 */
import { isOwnSort, type Asked } from '../model/near-miss-query.ts';
import type { NearMissTraits } from './near-miss-facts.ts';
import { eventMoment, type SortParts } from './near-miss-sort.ts';

export interface DayStart {
  /** Position of the day's first record. */
  readonly at: number;
  /** 00:00 of the local day, in milliseconds since the epoch. */
  readonly day: number;
}

/** @param from position of the first of `list` */
export const dayStarts = <T>(
  list: readonly T[],
  momentOf: (one: T) => number,
  from = 0,
): readonly DayStart[] => {
  const starts: DayStart[] = [];
  let [begins, ends] = [Infinity, -Infinity];
  list.forEach((one, at) => {
    const moment = momentOf(one);
    if (moment >= begins && moment < ends) return;
    // A local day has 23 to 25 hours, so both ends are read from the calendar.
    const day = new Date(moment);
    day.setHours(0, 0, 0, 0);
    begins = day.getTime();
    day.setDate(day.getDate() + 1);
    ends = day.getTime();
    starts.push({ at: from + at, day: begins });
  });
  return starts;
};

/** Adds a later stretch of the list to the days known so far. The stretch must overlap or adjoin them. */
export const withStretch = (
  known: readonly DayStart[],
  stretch: readonly DayStart[],
  from: number,
): readonly DayStart[] => {
  const before = known.filter(({ at }) => at < from);
  const goes_on = before.length > 0 && before.at(-1)?.day === stretch[0]?.day;
  return [...before, ...(goes_on ? stretch.slice(1) : stretch)];
};

export const sameDays = (a: readonly DayStart[], b: readonly DayStart[]): boolean =>
  a.length === b.length && a.every(({ at, day }, n) => at === b[n]?.at && day === b[n].day);

/** The moment that an order sorts by; null if days mean nothing in it. */
const momentIn = (
  { bin, sort }: Pick<Asked, 'bin' | 'sort'>,
  { event_time }: SortParts,
): ((one: NearMissTraits) => number) | null => {
  if (bin === 1) return null;
  if (sort === null || sort === 'created_at' || sort === '-created_at')
    return ({ created_at }) => created_at;
  if (!isOwnSort(sort) || !sort.endsWith('event_time') || event_time === null) return null;
  return eventMoment(event_time);
};

/** The days of a sorted list; none if its order is not by time. */
export const daysOf = (
  found: readonly NearMissTraits[],
  asked: Pick<Asked, 'bin' | 'sort'>,
  parts: SortParts,
): readonly DayStart[] => {
  const moment = momentIn(asked, parts);
  return moment === null ? [] : dayStarts(found, moment);
};

/** Number of days that begin before position `at`. */
export const startsBefore = (days: readonly DayStart[], at: number): number => {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((days[middle]?.at ?? Infinity) < at) low = middle + 1;
    else high = middle;
  }
  return low;
};
