/**
 * [ours] Executes each idempotency key once (decisions §1.5). Response and change are stored in one transaction, so a crash
 * never keeps one without the other. Concurrent requests with the same key wait for the first. It stores executed requests, and
 * refusals that depend only on the request. A refusal that depends on state is not stored, because the state may change.
 * The requests of a batch are executed together: one look-up of their keys, and one commit in their order (decisions §13).
 */
import { createHash } from 'node:crypto';
import { badRequest, invalid, Refusal } from '../domain/problem.ts';
import type { Secrets } from '../domain/webhooks/webhook-ports.ts';
import type { Db, Store } from '../store/engine/db.ts';
import { unread } from '../store/engine/batch.ts';
import {
  findKey,
  findKeys,
  insertKey,
  type KeptAnswer,
  type KeyScope,
} from '../store/idempotency.ts';
import { keptBody, readKeptBody } from '../domain/kept-answer.ts';
import { keyQuota, type KeyLimits } from './limits/key-quota.ts';

export interface Rendered {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const KEY = /^[\x21-\x7e]{1,255}$/;

/** @throws Refusal 400 if the key is invalid or the two headers differ */
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

/** Sorts the keys of objects, so that equal values give equal JSON. */
const ordered = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

export const fingerprintOf = (rawQuery: string, body: unknown): string =>
  createHash('sha256')
    .update(`${rawQuery}\n${JSON.stringify(body, ordered) ?? ''}`)
    .digest('hex');

/** Work inside the transaction. `beside`: see `Store.write`. */
interface Work {
  readonly beside: boolean;
  run(tx: Db): Promise<Rendered>;
}

/**
 * Does the waiting that is not allowed inside a transaction. Returns the work, which runs and renders its response inside one.
 */
type Prepare = () => Promise<Work>;

export interface Execution {
  readonly scope: KeyScope;
  readonly fingerprint: string;
  readonly now: number;
  /** Older keys count as unknown. Milliseconds on the steady clock, like `now`. */
  readonly kept_since: number;
  /** The response contains a secret and is stored encrypted. */
  readonly secret: boolean;
  /** Validates the request alone. @throws Refusal that is stored, because the same request always gets it */
  judge(): Prepare;
  renderRefusal(refusal: Refusal): Rendered;
}

export interface Idempotency {
  execute(execution: Execution): Promise<Rendered>;
  /** Executes the requests of one user in their order. No two share a scope. A refused one does not affect the others. */
  executeAll(executions: readonly Execution[]): Promise<readonly PromiseSettledResult<Rendered>[]>;
}

const keyTaken = invalid({
  idempotency_key: ['was already used for another request; take a new key for this one'],
});
/** The backup was restored without its webhook.key. */
const unreadable = invalid({
  idempotency_key: ['was used already, and its answer cannot be read any more; take a new key'],
});

const nameOf = (scope: KeyScope): string =>
  [scope.company_id, scope.user_id, scope.method, scope.path, scope.key].join(' ');

export const idempotency = (store: Store, secrets: Secrets, limits: KeyLimits): Idempotency => {
  const inFlight = new Map<string, Promise<void>>();
  const quota = keyQuota(store, limits);

  const answerAgain = (execution: Execution, kept: KeptAnswer | null): Rendered | null => {
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
  const replay = async (db: Db, execution: Execution): Promise<Rendered | null> =>
    answerAgain(execution, await findKey(db, execution.scope, execution.kept_since));

  /** Returns the stored size in characters. */
  const keep = async (tx: Db, execution: Execution, rendered: Rendered): Promise<number> => {
    const place = nameOf(execution.scope);
    const body = keptBody(rendered.body, execution.secret ? { secrets, place } : null);
    const { scope, fingerprint, now: created_at } = execution;
    await unread(tx, insertKey(tx, { ...scope, fingerprint, created_at, ...rendered, body }));
    return body.length;
  };

  /**
   * Checks again for a stored response inside the transaction, because another process may have stored one since `replay`. The
   * company's lock prevents that from here on.
   */
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

  /** @param earlier requests of the same batch that may store a key before this one */
  const prepared = async (execution: Execution, earlier: number): Promise<Work> => {
    await quota.check(execution.scope, execution, earlier);
    let prepare: Prepare;
    try {
      prepare = execution.judge();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const rendered = execution.renderRefusal(error);
      return { beside: true, run: () => Promise.resolve(rendered) };
    }
    return prepare();
  };

  /**
   * Runs `work` while no other request has one of these keys. All names are taken in one tick, so that two batches cannot each
   * wait for a key of the other.
   */
  const alone = async <T>(executions: readonly Execution[], work: () => Promise<T>): Promise<T> => {
    const names = executions.map(({ scope }) => nameOf(scope));
    const others = () => names.flatMap((name) => inFlight.get(name) ?? []);
    for (let waited = others(); waited.length > 0; waited = others()) await Promise.all(waited);
    const { promise, resolve } = Promise.withResolvers<void>();
    for (const name of names) inFlight.set(name, promise);
    try {
      return await work();
    } finally {
      for (const name of names) inFlight.delete(name);
      resolve();
    }
  };

  return {
    execute: (execution) =>
      alone(
        [execution],
        async () =>
          (await replay(store.read, execution)) ??
          keepFirst(execution, await prepared(execution, 0)),
      ),
    executeAll: (executions) =>
      alone(executions, async () => {
        const [first] = executions;
        if (first === undefined) return [];
        const scopes = executions.map(({ scope }) => scope);
        const kept = await findKeys(store.read, scopes, first.kept_since);
        let earlier = 0;
        // The first look fills the cache of the quota, so that the others need no question of their own.
        await quota.check(first.scope, first, 0).catch(() => undefined);
        const ready = await Promise.allSettled(
          executions.map(async (execution, index) => {
            const again = answerAgain(execution, kept[index] ?? null);
            return again ?? prepared(execution, earlier++);
          }),
        );
        // All enter the queue of writes in one tick, so their order is kept and one commit serves them.
        return Promise.allSettled(
          ready.map((one, index) => {
            const execution = executions[index];
            if (one.status === 'rejected' || execution === undefined)
              return Promise.reject(
                one.status === 'rejected' ? (one.reason as Error) : new Error(),
              );
            return 'run' in one.value ? keepFirst(execution, one.value) : one.value;
          }),
        );
      }),
  };
};
