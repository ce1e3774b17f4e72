/**
 * Computes the wait after the n-th failure in a row: exponential backoff with full jitter and a cap (failures A5, A6).
 */

const BASE_MS = 1_000;
/**
 * After the server heals, the queue moves within a minute without a person (failures A5). An attempt that began before
 * may take the host's 30 seconds of silence to end (`idle_ms` in host/http/http-client.ts). The wait after it is at
 * most this cap: together a minute. With full jitter the cap costs one small request every 15 seconds on average.
 */
export const CAP_MS = 30_000;
/** No single `Retry-After` may stop the queue for longer. */
const RETRY_AFTER_MAX_MS = 60 * 60_000;
/** Full jitter may draw nearly zero; this is the shortest wait. */
export const FLOOR_MS = 250;

/**
 * @param tries failures in a row, from 1
 * @param random uniform in [0, 1)
 * @param retry_after_ms the server's Retry-After: the minimum wait, clamped to an hour
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
