/**
 * How long a test waits for a condition: long enough for a starved machine, below the limit of a test, so that what fails is
 * the sentence that says what did not come. A limit is a watchdog, never a measure.
 */
export const PATIENCE_MS = 100_000;
