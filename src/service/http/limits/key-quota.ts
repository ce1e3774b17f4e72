/**
 * Limits a user's idempotency keys and stored response bytes per company. Responses are kept for a month, so this bounds what a
 * client can store (failures S28). The counts are cached in memory and refreshed from the database at intervals, so requests
 * pay nothing for them. Processes that share a database do not see each other's requests in between.
 */
import { Refusal } from '../../domain/problem.ts';
import type { Store } from '../../store/engine/db.ts';
import { countKeys } from '../../store/idempotency.ts';

/** 0: unlimited. */
export interface KeyLimits {
  readonly keys: number;
  readonly bytes: number;
}

export interface KeyQuota {
  /**
   * @param earlier keys that the same batch may store before this one
   * @throws Refusal 429 if the user has no room for another key
   */
  check(
    owner: Owner,
    moment: { readonly now: number; readonly kept_since: number },
    earlier: number,
  ): Promise<void>;
  add(owner: Owner, bytes: number): void;
}

interface Owner {
  readonly company_id: number;
  readonly user_id: number;
}

interface Counted {
  keys: number;
  bytes: number;
  readonly counted_at: number;
}

/** Cache duration in milliseconds. It is shorter for a full quota, because old keys expire. */
const COUNTED_FOR = 600_000;
const FULL_FOR = 10_000;
const OWNERS_MAX = 10_000;
/** Matches the hourly sweep of old keys. */
const RETRY_SECONDS = 3600;

const tooManyKeys = (what: string): Refusal =>
  new Refusal(
    429,
    [
      `You keep ${what} in this company, and there is no room for another. Old ones end by themselves; a request without Idempotency-Key needs none.`,
    ],
    { 'Retry-After': String(RETRY_SECONDS) },
  );

export const keyQuota = (store: Store, limits: KeyLimits): KeyQuota => {
  const counted = new Map<string, Counted>();
  const nameOf = ({ company_id, user_id }: Owner): string => `${company_id} ${user_id}`;

  const judge = ({ keys, bytes }: Counted, earlier = 0): Refusal | null => {
    if (limits.keys > 0 && keys + earlier >= limits.keys)
      return tooManyKeys(`${limits.keys} idempotency keys`);
    if (limits.bytes > 0 && bytes >= limits.bytes)
      return tooManyKeys(`${limits.bytes} bytes of answers under idempotency keys`);
    return null;
  };

  return {
    check: async (owner, { now, kept_since }, earlier) => {
      const known = counted.get(nameOf(owner));
      const lasts = known && judge(known) ? FULL_FOR : COUNTED_FOR;
      let current = known;
      if (!current || now - current.counted_at >= lasts) {
        if (counted.size >= OWNERS_MAX) counted.clear();
        current = { ...(await countKeys(store.read, owner, kept_since)), counted_at: now };
        counted.set(nameOf(owner), current);
      }
      const refusal = judge(current, earlier);
      if (refusal) throw refusal;
    },
    add: (owner, bytes) => {
      const current = counted.get(nameOf(owner));
      if (!current) return;
      current.keys += 1;
      current.bytes += bytes;
    },
  };
};
