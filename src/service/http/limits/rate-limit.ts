/**
 * [ours] Limits requests per token and minute (decisions §1.6), with fixed windows in memory. Counting by token keeps another
 * program of the same user or address from blocking the caller. The steady clock guarantees that a window ends.
 */
import { tooMany } from '../../domain/problem.ts';

const WINDOW_MS = 60_000;

export interface RateLimit {
  /** Counts one request. Returns headers for the response. @throws Refusal 429 with the same headers */
  count(
    token: string,
    moment: { readonly now: number; readonly steady: number },
  ): Readonly<Record<string, string>>;
  /** Takes back one request that was counted, if its window has not ended. */
  uncount(token: string): void;
}

export const rateLimit = (limit: number): RateLimit => {
  let windowEnd = 0;
  let counts = new Map<string, number>();
  return {
    count: (token, { now, steady }) => {
      if (limit === 0) return {};
      if (steady >= windowEnd) {
        windowEnd = (Math.floor(steady / WINDOW_MS) + 1) * WINDOW_MS;
        counts = new Map();
      }
      const left = windowEnd - steady;
      const used = (counts.get(token) ?? 0) + 1;
      counts.set(token, used);
      const headers = {
        'X-Rate-Limit-Limit': String(limit),
        'X-Rate-Limit-Remaining': String(Math.max(0, limit - used)),
        'X-Rate-Limit-Reset': String(Math.ceil((now + left) / 1000)),
      };
      if (used > limit) {
        const refusal = tooMany(Math.ceil(left / 1000));
        throw Object.assign(refusal, { headers: { ...refusal.headers, ...headers } });
      }
      return headers;
    },
    uncount: (token) => {
      const used = counts.get(token) ?? 0;
      if (used > 0) counts.set(token, used - 1);
    },
  };
};
