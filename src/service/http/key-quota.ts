/**
 * How many idempotency keys a user may keep in a company, and how many bytes of answers: what a client can make the service
 * keep for a month is bounded (failures S28). Counted in memory from what the database says now and then, so that a request
 * pays nothing for it; several processes on one database each count their own requests in between.
 */
import { Refusal } from '../domain/problem.ts';
import type { Store } from '../store/db.ts';
import { countKeys } from '../store/idempotency.ts';

/** 0: no limit. */
export interface KeyLimits {
  readonly keys: number;
  readonly bytes: number;
}

export interface KeyQuota {
  /** @throws Refusal 429 when the user has no room for another key */
  check(owner: Owner, moment: { readonly now: number; readonly kept_since: number }): Promise<void>;
  /** An answer was kept. */
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

/** Milliseconds after which the database is asked again: sooner where there is no room, for old keys end. */
const COUNTED_FOR = 600_000;
const FULL_FOR = 10_000;
/** Owners remembered. */
const OWNERS_MAX = 10_000;
/** Old keys are swept every hour. */
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

  const judge = ({ keys, bytes }: Counted): Refusal | null => {
    if (limits.keys > 0 && keys >= limits.keys)
      return tooManyKeys(`${limits.keys} idempotency keys`);
    if (limits.bytes > 0 && bytes >= limits.bytes)
      return tooManyKeys(`${limits.bytes} bytes of answers under idempotency keys`);
    return null;
  };

  return {
    check: async (owner, { now, kept_since }) => {
      const known = counted.get(nameOf(owner));
      const lasts = known && judge(known) ? FULL_FOR : COUNTED_FOR;
      let current = known;
      if (!current || now - current.counted_at >= lasts) {
        if (counted.size >= OWNERS_MAX) counted.clear();
        current = { ...(await countKeys(store.read, owner, kept_since)), counted_at: now };
        counted.set(nameOf(owner), current);
      }
      const refusal = judge(current);
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
