/**
 * [ours] One key, one execution (decisions §1.5). The answer and the change are written in one transaction, so no crash keeps
 * one without the other; requests with the same key that arrive together wait for the first. Refusals decided by
 * the route (4xx) are kept too, so that the same key never gets two answers; a 5xx is not.
 */
import { createHash } from 'node:crypto';
import { badRequest, invalid, Refusal } from '../domain/problem.ts';
import type { Db, Store } from '../store/db.ts';
import { findKey, insertKey, type KeyScope } from '../store/idempotency.ts';

/** An answer as it goes out and as it is kept. */
export interface Rendered {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const KEY = /^[\x21-\x7e]{1,255}$/;

/** @throws Refusal 400 when the key is unusable or the two headers disagree. */
export const readKey = (headers: Readonly<Record<string, unknown>>): string | undefined => {
  const given = [headers['idempotency-key'], headers['idempotency-token']].filter(
    (value) => value !== undefined,
  );
  const [key] = given;
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !KEY.test(key))
    throw badRequest('Idempotency-Key must be 1 to 255 visible ASCII characters.');
  if (given.some((other) => other !== key))
    throw badRequest('Idempotency-Key and Idempotency-Token must be equal when both are sent.');
  return key;
};

/** Objects with their names in order, so that the same value always reads the same. */
const ordered = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

export const fingerprintOf = (rawQuery: string, body: unknown): string =>
  createHash('sha256')
    .update(`${rawQuery}\n${JSON.stringify(body, ordered) ?? ''}`)
    .digest('hex');

export interface Execution {
  readonly scope: KeyScope;
  readonly fingerprint: string;
  readonly now: number;
  /** Kept keys older than this count as never seen. */
  readonly kept_since: number;
  /**
   * Checks the request, and waits for whatever must not be waited for inside a transaction. Answers the work, which
   * runs and renders its answer inside one.
   */
  prepare(): Promise<(tx: Db) => Promise<Rendered>>;
  renderRefusal(refusal: Refusal): Rendered;
}

export interface Idempotency {
  execute(execution: Execution): Promise<Rendered>;
}

/** Never kept: the key has an answer already, another request's. */
const keyTaken = invalid({
  idempotency_key: ['was already used for another request; take a new key for this one'],
});

const nameOf = (scope: KeyScope): string =>
  [scope.company_id, scope.user_id, scope.method, scope.path, scope.key].join(' ');

export const idempotency = (store: Store): Idempotency => {
  const inFlight = new Map<string, Promise<void>>();

  const replay = async (db: Db, execution: Execution): Promise<Rendered | null> => {
    const kept = await findKey(db, execution.scope, execution.kept_since);
    if (!kept) return null;
    if (kept.fingerprint !== execution.fingerprint) throw keyTaken;
    return {
      status: kept.status,
      body: kept.body,
      headers: { ...kept.headers, 'Idempotency-Replayed': 'true' },
    };
  };

  const keep = (tx: Db, execution: Execution, rendered: Rendered): Promise<void> =>
    insertKey(tx, {
      ...execution.scope,
      fingerprint: execution.fingerprint,
      created_at: execution.now,
      ...rendered,
    });

  /** Another process may have kept an answer since `replay` looked: inside the company's turn nobody can any more. */
  const keepFirst = (
    execution: Execution,
    work: (tx: Db) => Promise<Rendered>,
  ): Promise<Rendered> =>
    store.write(async (tx) => {
      const earlier = store.shared ? await replay(tx, execution) : null;
      if (earlier) return earlier;
      const rendered = await work(tx);
      await keep(tx, execution, rendered);
      return rendered;
    }, execution.scope.company_id);

  const run = async (execution: Execution): Promise<Rendered> => {
    try {
      return await keepFirst(execution, await execution.prepare());
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500 || error === keyTaken) throw error;
      const rendered = execution.renderRefusal(error);
      return keepFirst(execution, () => Promise.resolve(rendered));
    }
  };

  return {
    execute: async (execution) => {
      const name = nameOf(execution.scope);
      for (let other = inFlight.get(name); other; other = inFlight.get(name)) await other;
      const { promise, resolve } = Promise.withResolvers<void>();
      inFlight.set(name, promise);
      try {
        return (await replay(store.read, execution)) ?? (await run(execution));
      } finally {
        inFlight.delete(name);
        resolve();
      }
    },
  };
};
