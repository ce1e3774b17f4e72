/**
 * In-flight dedupe of writes. Windows in two browsers share the queue but each elects a leader, and a reopened window may send
 * what its predecessor is still sending. A server with idempotency keys replays the first response. Without keys, the second
 * request would create a duplicate that no earlier lookup can prevent.
 */
import { createHash } from 'node:crypto';
import type { Result } from '../../contract/problem.ts';

/**
 * How long a response is reused for the same write, in milliseconds. A caller that checked before the response arrived sends
 * within this time.
 */
const KEPT_MS = 60_000;
/**
 * Maximum number of cached responses. The response to a write above KEPT_LENGTH characters is not cached, because it may be as
 * long.
 */
const KEPT_MAX = 500;
const KEPT_LENGTH = 128 * 1024;

export interface SentOnce<T> {
  /** @param write identifies the write by its key and content; null if it has no key, and is always sent */
  send(write: readonly unknown[] | null, send: () => Promise<Result<T>>): Promise<Result<T>>;
  /** Clears the cached responses, because the server's data was replaced. */
  forget(): void;
}

export const createSentOnce = <T>(): SentOnce<T> => {
  const known = new Map<string, Promise<Result<T>>>();
  /** Completed writes, oldest first. */
  const answered = new Map<string, NodeJS.Timeout>();

  const drop = (name: string): void => {
    clearTimeout(answered.get(name));
    answered.delete(name);
    known.delete(name);
  };
  const keep = (name: string): void => {
    answered.set(name, setTimeout(() => drop(name), KEPT_MS).unref());
    const [oldest] = answered.keys();
    if (oldest !== undefined && answered.size > KEPT_MAX) drop(oldest);
  };

  return {
    send: (write, send) => {
      if (write === null) return send();
      const text = JSON.stringify(write);
      const name = createHash('sha256').update(text).digest('base64');
      const there = known.get(name);
      if (there !== undefined) return there;
      const result = send();
      known.set(name, result);
      result.then(
        // A failed write may be retried.
        ({ ok }) => (ok && text.length <= KEPT_LENGTH ? keep(name) : drop(name)),
        () => drop(name),
      );
      return result;
    },
    forget: () => {
      for (const name of answered.keys()) drop(name);
    },
  };
};
