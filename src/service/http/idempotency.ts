/**
 * [ours] One key, one execution (decisions §1.5). The answer and the change are written in one transaction, so no crash keeps
 * one without the other; requests with the same key that arrive together wait for the first. Kept are what was executed and
 * refusals that the request alone decides. A refusal that rests on a state is decided anew: the state may have passed.
 */
import { createHash } from 'node:crypto';
import { badRequest, invalid, Refusal } from '../domain/problem.ts';
import type { Secrets } from '../domain/webhook-ports.ts';
import type { Db, Store } from '../store/db.ts';
import { unread } from '../store/gather.ts';
import { findKey, insertKey, type KeyScope } from '../store/idempotency.ts';
import { keptBody, readKeptBody } from './kept-answer.ts';
import { keyQuota, type KeyLimits } from './key-quota.ts';

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

/** What runs inside the transaction; `beside`: see `Store.write`. */
export interface Work {
  readonly beside: boolean;
  run(tx: Db): Promise<Rendered>;
}

/** Waits for whatever must not be waited for inside a transaction. Answers the work, which runs and renders its answer inside one. */
type Prepare = () => Promise<Work>;

export interface Execution {
  readonly scope: KeyScope;
  readonly fingerprint: string;
  readonly now: number;
  /** Kept keys older than this count as never seen. */
  readonly kept_since: number;
  /** The answer shows a secret: it is kept sealed. */
  readonly secret: boolean;
  /** Judges the request by itself. @throws Refusal that is kept: the same request is refused for ever */
  judge(): Prepare;
  renderRefusal(refusal: Refusal): Rendered;
}

export interface Idempotency {
  execute(execution: Execution): Promise<Rendered>;
}

const keyTaken = invalid({
  idempotency_key: ['was already used for another request; take a new key for this one'],
});
/** A backup without its webhook.key. */
const unreadable = invalid({
  idempotency_key: ['was used already, and its answer cannot be read any more; take a new key'],
});

const nameOf = (scope: KeyScope): string =>
  [scope.company_id, scope.user_id, scope.method, scope.path, scope.key].join(' ');

export const idempotency = (store: Store, secrets: Secrets, limits: KeyLimits): Idempotency => {
  const inFlight = new Map<string, Promise<void>>();
  const quota = keyQuota(store, limits);

  const replay = async (db: Db, execution: Execution): Promise<Rendered | null> => {
    const kept = await findKey(db, execution.scope, execution.kept_since);
    if (!kept) return null;
    if (kept.fingerprint !== execution.fingerprint) throw keyTaken;
    const body = readKeptBody(kept.body, secrets, nameOf(execution.scope));
    if (body === null) throw unreadable;
    return {
      status: kept.status,
      body,
      headers: { ...kept.headers, 'Idempotency-Replayed': 'true' },
    };
  };

  /** Answers how much is kept. */
  const keep = async (tx: Db, execution: Execution, rendered: Rendered): Promise<number> => {
    const place = nameOf(execution.scope);
    const body = keptBody(rendered.body, execution.secret ? { secrets, place } : null);
    const { scope, fingerprint, now: created_at } = execution;
    await unread(tx, insertKey(tx, { ...scope, fingerprint, created_at, ...rendered, body }));
    return body.length;
  };

  /** Another process may have kept an answer since `replay` looked: inside the company's turn nobody can any more. */
  const keepFirst = async (execution: Execution, work: Work): Promise<Rendered> => {
    const { answer, kept } = await store.write(
      async (tx) => {
        const earlier = store.shared ? await replay(tx, execution) : null;
        if (earlier) return { answer: earlier, kept: null };
        const rendered = await work.run(tx);
        return { answer: rendered, kept: await keep(tx, execution, rendered) };
      },
      execution.scope.company_id,
      work.beside,
    );
    if (kept !== null) quota.add(execution.scope, kept);
    return answer;
  };

  const run = async (execution: Execution): Promise<Rendered> => {
    await quota.check(execution.scope, execution);
    let prepare: Prepare;
    try {
      prepare = execution.judge();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const rendered = execution.renderRefusal(error);
      return keepFirst(execution, { beside: false, run: () => Promise.resolve(rendered) });
    }
    return keepFirst(execution, await prepare());
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
