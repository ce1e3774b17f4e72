/**
 * True if a row was written after the request started, so the response may be older than the row. All three times come
 * from `Clock.tick`. A write time in the future comes from a clock that ran ahead and is ignored; otherwise every
 * response would count as older until that date.
 */
export const writtenSince = (seen_at: number, asked_at: number, now: number): boolean =>
  seen_at >= asked_at && seen_at < now;
