/**
 * The two clocks of the service (failures S25). Times that people and programs read (`created_at`, a notification's
 * signature) use the machine's clock, even if it is set back. Waiting and expiry (uploads, URLs, keys, retries, the
 * rate limit) use the steady clock, which never goes back. Expired things therefore stay expired, and nothing waits
 * for the hours that a wrong clock was ahead.
 */

/** Milliseconds since the epoch. */
export type Clock = () => number;

export const steadyClock = (clock: Clock): Clock => {
  let ahead = 0;
  let last = -Infinity;
  return () => {
    const at = Math.floor(clock());
    if (at < last) ahead += last - at;
    last = at;
    return at + ahead;
  };
};
