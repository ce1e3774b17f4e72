/** Summarizes the near misses reported since yesterday for the start of a shift, the worst first. Pure. */
import type { NearMissRow } from '../db/db.ts';

/** 00:00 of the local day so many days ago, milliseconds. */
const startOfDay = (now: number, days_ago: number): number => {
  const day = new Date(now);
  day.setDate(day.getDate() - days_ago);
  day.setHours(0, 0, 0, 0);
  return day.getTime();
};

export const startOfYesterday = (now: number): number => startOfDay(now, 1);

/**
 * Older reports are not counted as unanswered, so that a project that starts to answer does not begin with years of
 * backlog.
 */
const ANSWER_DAYS = 30;
/** Start of the first day whose reports wait for an answer. */
export const startOfAnswering = (now: number): number => startOfDay(now, ANSWER_DAYS);

export interface Shift {
  readonly fresh: number;
  /** How many have the worst potential severity; null when the catalog has no severity. */
  readonly worst: number | null;
  /** The worst first, then the newest. */
  readonly first: readonly NearMissRow[];
}

/** Number of reports in the summary. */
const FIRST = 3;

/**
 * @param rows reported since yesterday
 * @param severities mildest first; empty when the catalog has no severity
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
