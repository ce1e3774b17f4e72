/** [ours] Requests per user and minute (decisions §1.6): fixed windows in memory, off unless `--rate-limit` says otherwise. */
import { tooMany } from '../domain/problem.ts';

const WINDOW_MS = 60_000;

export interface RateLimit {
  /** Counts one request. Answers the headers of the answer. @throws Refusal 429 with the same headers */
  count(user_id: number, now: number): Readonly<Record<string, string>>;
}

export const rateLimit = (limit: number): RateLimit => {
  let windowEnd = 0;
  let counts = new Map<number, number>();
  return {
    count: (user_id, now) => {
      if (limit === 0) return {};
      if (now >= windowEnd) {
        windowEnd = (Math.floor(now / WINDOW_MS) + 1) * WINDOW_MS;
        counts = new Map();
      }
      const used = (counts.get(user_id) ?? 0) + 1;
      counts.set(user_id, used);
      const headers = {
        'X-Rate-Limit-Limit': String(limit),
        'X-Rate-Limit-Remaining': String(Math.max(0, limit - used)),
        'X-Rate-Limit-Reset': String(windowEnd / 1000),
      };
      if (used > limit) {
        const refusal = tooMany(Math.ceil((windowEnd - now) / 1000));
        throw Object.assign(refusal, { headers: { ...refusal.headers, ...headers } });
      }
      return headers;
    },
  };
};
