/**
 * How long a test waits for a condition, ms. Long enough for a starved machine, and below the limit of a test, so that the
 * failure names the missing condition. It is a watchdog, never a measure.
 */
export const PATIENCE_MS = 100_000;
