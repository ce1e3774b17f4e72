/**
 * The week on a page: how many near misses, the worst, where and by what it gathers, each beside the week before. Pure, counted from
 * the records of two weeks on this laptop.
 */
import type { NearMissRow } from './db.ts';
import { weeksLater } from './insights.ts';

/** What a record is counted by; '' where it does not tell. */
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
  /** Monday 00:00 of this computer. */
  readonly start: number;
  readonly total: Spot;
  /** Reports that could have been the worst; null where the catalog has no severity. */
  readonly worst: Spot | null;
  /** Mondays to Sundays. */
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

/** Of each list; the page is one page. */
export const SPOTS = 5;
export const WORST = 6;

/** Both ends of the two weeks, milliseconds: from the first, before the last. */
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

/** `rows`: at least those of the week and of the week before; others are left out. */
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
