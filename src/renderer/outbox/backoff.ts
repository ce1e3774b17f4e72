/** Pure: how long to wait after the n-th failure in a row. Exponential, full jitter, capped (failures A5, A6). */

export const BASE_MS = 1_000;
/**
 * After the server heals the queue moves within a minute, touched by nobody (failures A5). A try that began before may end
 * by the host's 30 seconds of silence (`idle_ms` in host/transport.ts), and the wait after it is at most this: a minute
 * together. It costs a laptop one small request every 15 seconds at most, as the cap is drawn from with full jitter.
 */
export const CAP_MS = 30_000;
/** No server may stop the queue for longer with one `Retry-After`. */
export const RETRY_AFTER_MAX_MS = 60 * 60_000;
/** Full jitter may draw nearly zero: never knock more often than this. */
export const FLOOR_MS = 250;

/**
 * @param tries failures in a row, from 1
 * @param random uniform in [0, 1)
 * @param retry_after_ms what the server asked for: waited at least, clamped to an hour
 */
export const backoff = (
  tries: number,
  random: () => number,
  retry_after_ms: number | null = null,
): number => {
  const ceiling = Math.min(CAP_MS, BASE_MS * 2 ** Math.min(tries - 1, 30));
  const jittered = Math.max(FLOOR_MS, random() * ceiling);
  if (retry_after_ms === null) return jittered;
  return Math.max(0, Math.min(retry_after_ms, RETRY_AFTER_MAX_MS)) + Math.min(jittered, BASE_MS);
};
