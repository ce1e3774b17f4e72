/** What the start of a shift wants to know: what was reported since yesterday, the worst of it first. Pure. */
import type { NearMissRow } from './db.ts';

/** 00:00 of the day before, of this computer; milliseconds. */
export const startOfYesterday = (now: number): number => {
  const day = new Date(now);
  day.setDate(day.getDate() - 1);
  day.setHours(0, 0, 0, 0);
  return day.getTime();
};

export interface Shift {
  readonly fresh: number;
  /** How many of them could have been the worst; null where the catalog has no severity. */
  readonly worst: number | null;
  /** The worst first, then the newest. */
  readonly first: readonly NearMissRow[];
}

/** As many as are read at a glance. */
const FIRST = 3;

/**
 * @param rows reported since yesterday
 * @param severities mildest first; none where the catalog has no severity
 */
export const shiftOf = (
  rows: readonly NearMissRow[],
  severity: (row: NearMissRow) => string | null,
  severities: readonly string[],
): Shift => {
  const rank = (row: NearMissRow): number => severities.indexOf(severity(row) ?? '');
  const top = severities.length - 1;
  return {
    fresh: rows.length,
    worst: top < 0 ? null : rows.filter((row) => rank(row) === top).length,
    first: rows
      .toSorted((a, b) => rank(b) - rank(a) || b.created_at - a.created_at)
      .slice(0, FIRST),
  };
};
