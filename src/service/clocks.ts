/**
 * The two clocks of the service (failures S25). What people and other programs read (`created_at`, a notification's
 * signature) follows the clock of the machine, also when that is put back. What waits or ends (uploads, addresses, keys,
 * retries, the rate limit) goes by the steady clock, which goes on where the other goes back: nothing that has ended
 * revives, and nothing waits for the hours of a wrong clock to pass.
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
