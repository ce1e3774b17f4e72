/** Kept answers (decisions §1.5). */
import type { Db } from './db.ts';
import { prepared } from './prepared.ts';

export interface KeyScope {
  readonly company_id: number;
  readonly user_id: number;
  readonly method: string;
  readonly path: string;
  readonly key: string;
}

interface KeptAnswer {
  readonly fingerprint: string;
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

type ScopeValues = { readonly [K in keyof KeyScope]: KeyScope[K] };

const find = prepared((db: Db, scope: ScopeValues & { readonly kept_since: number }) =>
  db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'status', 'body', 'headers'])
    .where('company_id', '=', scope.company_id)
    .where('user_id', '=', scope.user_id)
    .where('method', '=', scope.method)
    .where('path', '=', scope.path)
    .where('key', '=', scope.key)
    .where('created_at', '>=', scope.kept_since),
);

export const findKey = async (
  db: Db,
  scope: KeyScope,
  kept_since: number,
): Promise<KeptAnswer | null> => {
  const [row] = await find(db, { ...scope, kept_since });
  return row
    ? { ...row, headers: JSON.parse(row.headers) as Readonly<Record<string, string>> }
    : null;
};

type KeyRow = ScopeValues & {
  readonly fingerprint: string;
  readonly status: number;
  readonly body: string;
  readonly headers: string;
  readonly created_at: number;
  readonly size: number;
};

const insert = prepared((tx: Db, row: KeyRow) => {
  const { fingerprint, status, body, headers, created_at, size } = row;
  const answer = { fingerprint, status, body, headers, created_at, size };
  const { company_id, user_id, method, path, key } = row;
  return tx
    .insertInto('idempotency_keys')
    .values({ company_id, user_id, method, path, key, ...answer })
    .onConflict((on) =>
      on.columns(['company_id', 'user_id', 'method', 'path', 'key']).doUpdateSet(answer),
    );
});

/** Keeps an answer; one that has grown too old to count is replaced. */
export const insertKey = async (
  tx: Db,
  row: KeyScope & KeptAnswer & { readonly created_at: number },
): Promise<void> => {
  await insert(tx, { ...row, headers: JSON.stringify(row.headers), size: row.body.length });
};

/** How many answers a user keeps in a company, and their bytes. */
export const countKeys = async (
  db: Db,
  owner: Pick<KeyScope, 'company_id' | 'user_id'>,
  kept_since: number,
): Promise<{ keys: number; bytes: number }> => {
  const { keys, bytes } = await db
    .selectFrom('idempotency_keys')
    .select((eb) => [
      eb.fn.countAll<number>().as('keys'),
      eb.fn.coalesce(eb.fn.sum<number>('size'), eb.lit(0)).as('bytes'),
    ])
    .where('company_id', '=', owner.company_id)
    .where('user_id', '=', owner.user_id)
    .where('created_at', '>=', kept_since)
    .executeTakeFirstOrThrow();
  return { keys: Number(keys), bytes: Number(bytes) };
};

/** Forgets answers kept longer than their window, `limit` of them, the oldest first. Answers how many. */
export const deleteKeysBefore = async (
  tx: Db,
  created_before: number,
  limit: number,
): Promise<number> => {
  const old = await tx
    .selectFrom('idempotency_keys')
    .select(['company_id', 'user_id', 'method', 'path', 'key'])
    .where('created_at', '<', created_before)
    .orderBy('created_at')
    .limit(limit)
    .execute();
  for (const { company_id, user_id, method, path, key } of old)
    await tx
      .deleteFrom('idempotency_keys')
      .where('company_id', '=', company_id)
      .where('user_id', '=', user_id)
      .where('method', '=', method)
      .where('path', '=', path)
      .where('key', '=', key)
      .where('created_at', '<', created_before) // it may have been used anew meanwhile
      .execute();
  return old.length;
};
