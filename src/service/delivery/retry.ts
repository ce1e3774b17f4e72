/** Exponential backoff (decisions §9.5). */

export interface RetryRules {
  /** Milliseconds after the first failure. */
  readonly first: number;
  /** Upper limit of the doubling, milliseconds. */
  readonly longest: number;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
}

/** Maximum jitter as a share of the wait, so that endpoints that failed together are not retried together. */
const JITTER = 0.2;

/** Milliseconds to wait after `failures` in a row. Jitter only lengthens the wait. */
export const backoff = (failures: number, { first, longest, random }: RetryRules): number => {
  const plain = Math.min(longest, first * 2 ** Math.min(Math.max(failures - 1, 0), 40));
  return Math.round(plain * (1 + JITTER * random()));
};

/** `Retry-After` in milliseconds from now: seconds or an HTTP date; 0 for anything else. */
export const retryAfter = (header: string | undefined, now: number): number => {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER);
  if (!/^[A-Za-z]{3,9}, /.test(text)) return 0;
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
};
