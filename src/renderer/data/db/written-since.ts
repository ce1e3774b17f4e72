/**
 * True if a row was written after the request started. All three times come from `Clock.tick`. A time later than now
 * comes from a clock that ran ahead and is ignored; otherwise every response before that date would count as older.
 */
export const writtenSince = (seen_at: number, asked_at: number, now: number): boolean =>
  seen_at >= asked_at && seen_at < now;
