/**
 * Stamps draft states with a monotonic logical clock, so that a later state always has the larger stamp. The stamp is
 * the wall clock in milliseconds while that advances, because it is shown as the time. If the clock is set back, the
 * stamp counts up by one. Stamps of other windows move it forward (`heardStamp`).
 */
import type { Clock } from '../db/db.ts';

let latest = 0;

export const draftStamp = (clock: Pick<Clock, 'now'>): number =>
  (latest = Math.max(latest + 1, clock.now()));

/** Advances the clock past a stamp from the journal or the database. Ignores the missing stamp of a damaged row. */
export const heardStamp = (at: number): void => {
  if (Number.isFinite(at)) latest = Math.max(latest, at);
};
