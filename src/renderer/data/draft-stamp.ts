/**
 * How much a draft's state knows: a number that grows with every change in this window, and past everything this window has heard of
 * other windows' drafts. The clock's milliseconds while that goes forward, so that it is shown as the time; where it was put
 * back the count goes on by ones. Of two states of a draft the one that came after the other always has the larger.
 */
import type { Clock } from './db.ts';

let latest = 0;

export const draftStamp = (clock: Pick<Clock, 'now'>): number =>
  (latest = Math.max(latest + 1, clock.now()));

/** What is in the journal, or in the database since before this start. A damaged row has no stamp, and says nothing. */
export const heardStamp = (at: number): void => {
  if (Number.isFinite(at)) latest = Math.max(latest, at);
};
