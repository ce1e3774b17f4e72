/**
 * Computes the one-page report of a week: totals, worst severity, places and causes, each compared with the previous
 * week. Pure; counts local records of two weeks.
 */
import type { NearMissRow } from '../db/db.ts';
import { weeksLater } from './insights.ts';

/** How to read the fields of a record; '' when empty. */
export interface WeekFields {
  readonly severity: (row: NearMissRow) => string;
  /** Mildest first. */
  readonly severities: readonly string[];
  readonly place: (row: NearMissRow) => string;
}

export interface Spot {
  readonly name: string;
  readonly count: number;
  readonly before: number;
}

export interface WeekOnAPage {
  /** Monday 00:00 local time. */
  readonly start: number;
  readonly total: Spot;
  /** Reports with the worst potential severity; null when the catalog has no severity. */
  readonly worst: Spot | null;
  /** Monday to Sunday. */
  readonly days: readonly {
    readonly at: number;
    readonly count: number;
    readonly before: number;
  }[];
  readonly places: readonly Spot[];
  readonly sources: readonly Spot[];
  readonly activities: readonly Spot[];
  /** The worst first, then the newest. */
  readonly reports: readonly NearMissRow[];
}

/** List lengths that fit one page. */
export const SPOTS = 5;
export const WORST = 6;

/** The range of the two weeks in milliseconds: `from` inclusive, `to` exclusive. */
export const weekEnds = (start: number): { readonly from: number; readonly to: number } => ({
  from: weeksLater(start, -1),
  to: weeksLater(start, 1),
});

const spots = (
  now: readonly NearMissRow[],
  before: readonly NearMissRow[],
  nameOf: (row: NearMissRow) => string,
): readonly Spot[] => {
  const count = (rows: readonly NearMissRow[]) => {
    const by = Map.groupBy(rows, (row) => nameOf(row).trim());
    by.delete('');
    return by;
  };
  const [these, those] = [count(now), count(before)];
  return [...these]
    .map(([name, rows]) => ({ name, count: rows.length, before: those.get(name)?.length ?? 0 }))
    .sort((a, b) => b.count - a.count || b.before - a.before || a.name.localeCompare(b.name))
    .slice(0, SPOTS);
};

const dayLater = (start: number, days: number): number => {
  const day = new Date(start);
  day.setDate(day.getDate() + days);
  return day.getTime();
};

/** `rows` must contain both weeks; other rows are ignored. */
export const weekOf = (
  rows: readonly NearMissRow[],
  start: number,
  { severity, severities, place }: WeekFields,
): WeekOnAPage => {
  const { from, to } = weekEnds(start);
  const within = (low: number, high: number) =>
    rows.filter(({ created_at }) => created_at >= low && created_at < high);
  const [now, before] = [within(start, to), within(from, start)];
  const worst = severities.at(-1);
  const rank = (row: NearMissRow): number => severities.indexOf(severity(row));
  const isWorst = (row: NearMissRow): boolean => severity(row) === worst;
  return {
    start,
    total: { name: '', count: now.length, before: before.length },
    worst:
      worst === undefined
        ? null
        : {
            name: worst,
            count: now.filter(isWorst).length,
            before: before.filter(isWorst).length,
          },
    days: [0, 1, 2, 3, 4, 5, 6].map((day) => ({
      at: dayLater(start, day),
      count: within(dayLater(start, day), dayLater(start, day + 1)).length,
      before: within(dayLater(from, day), dayLater(from, day + 1)).length,
    })),
    places: spots(now, before, place),
    sources: spots(now, before, ({ names }) => names.harm_source),
    activities: spots(now, before, ({ names }) => names.work_activity),
    reports: now
      .toSorted((a, b) => rank(b) - rank(a) || b.created_at - a.created_at)
      .slice(0, WORST),
  };
};
