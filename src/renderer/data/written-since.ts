/**
 * Was a row written here since something was asked for? All three by `Clock.tick`. Later than now it was written while the device's
 * clock was ahead, and says nothing: else whatever is read before that day comes would count as older.
 */
export const writtenSince = (seen_at: number, asked_at: number, now: number): boolean =>
  seen_at >= asked_at && seen_at < now;
