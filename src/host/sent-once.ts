/**
 * A write leaves once, whoever asks for it: two windows in different browsers have the same queue, each with a leader of its own, and
 * a window that was opened anew sends what its predecessor's call is still sending. A server with idempotency keys answers the
 * second one from memory; against one without, it would be a second record, which no look beforehand finds in time.
 */
import { createHash } from 'node:crypto';
import type { Result } from '../contract/problem.ts';

/** How long an answer serves for the same write, milliseconds: whoever looked for it before it came asks within that. */
const KEPT_MS = 60_000;
/** Answers kept, at most; and of a write of more characters none, since its answer may be as long. */
const KEPT_MAX = 500;
const KEPT_LENGTH = 128 * 1024;

export interface SentOnce<T> {
  /** @param write names the write with its key and its content; null: it has no key, and goes */
  send(write: readonly unknown[] | null, send: () => Promise<Result<T>>): Promise<Result<T>>;
  /** What was answered counts no more: the server is not what it was. */
  forget(): void;
}

export const createSentOnce = <T>(): SentOnce<T> => {
  const known = new Map<string, Promise<Result<T>>>();
  /** Those that were answered, the oldest first. */
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
        // What failed may be tried again.
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
