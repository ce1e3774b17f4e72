/** Stores the responses to requests with an idempotency key (decisions §1.5). */
import { sql } from 'kysely';
import type { Db } from './engine/db.ts';
import { gathered } from './engine/batch.ts';
import { insertMany, jsonRows, written } from './engine/bulk-sql.ts';
import { prepared } from './engine/prepared.ts';
import type { Database } from './engine/schema.ts';

export interface KeyScope {
  readonly company_id: number;
  readonly user_id: number;
  readonly method: string;
  readonly path: string;
  readonly key: string;
}

export interface KeptAnswer {
  readonly fingerprint: string;
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const scopeKinds = {
  company_id: 'bigint',
  user_id: 'bigint',
  method: 'text',
  path: 'text',
  key: 'text',
} as const;

interface KeptRow extends KeyScope, Omit<KeptAnswer, 'headers'> {
  readonly headers: string;
  readonly created_at: number;
}

const find = prepared((db: Db, { scopes }: { readonly scopes: string }) =>
  written(
    db,
    sql<KeptRow>`
      select k.company_id, k.user_id, k.method, k.path, k.key,
        k.fingerprint, k.status, k.body, k.headers, k.created_at
      from ${jsonRows(db, scopes, scopeKinds)}
      join idempotency_keys k on k.company_id = r.company_id and k.user_id = r.user_id
        and k.method = r.method and k.path = r.path and k.key = r.key`,
  ),
);

const nameOf = ({ company_id, user_id, method, path, key }: KeyScope): string =>
  [company_id, user_id, method, path, key].join(' ');

interface Asked {
  readonly scope: KeyScope;
  readonly kept_since: number;
}

const findAllKept = async (
  db: Db,
  asked: readonly Asked[],
): Promise<readonly (KeptRow | null)[]> => {
  const rows = await find(db, { scopes: JSON.stringify(asked.map(({ scope }) => scope)) });
  const found = new Map(rows.map((row) => [nameOf(row), row]));
  return asked.map(({ scope, kept_since }) => {
    const row = found.get(nameOf(scope));
    return row && row.created_at >= kept_since ? row : null;
  });
};

const findKept = gathered(findAllKept);

const answerOfRow = (row: KeptRow | null): KeptAnswer | null => {
  if (!row) return null;
  const { fingerprint, status, body, headers } = row;
  return {
    fingerprint,
    status,
    body,
    headers: JSON.parse(headers) as Readonly<Record<string, string>>,
  };
};

export const findKey = async (
  db: Db,
  scope: KeyScope,
  kept_since: number,
): Promise<KeptAnswer | null> => answerOfRow(await findKept(db, { scope, kept_since }));

/** Like `findKey`, with one query for all scopes. */
export const findKeys = async (
  db: Db,
  scopes: readonly KeyScope[],
  kept_since: number,
): Promise<readonly (KeptAnswer | null)[]> =>
  (
    await findAllKept(
      db,
      scopes.map((scope) => ({ scope, kept_since })),
    )
  ).map(answerOfRow);

const insert = insertMany(
  'idempotency_keys',
  {
    ...scopeKinds,
    fingerprint: 'text',
    status: 'integer',
    body: 'text',
    headers: 'text',
    created_at: 'bigint',
    size: 'bigint',
  },
  sql`on conflict (company_id, user_id, method, path, key) do update set
    fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
    headers = excluded.headers, created_at = excluded.created_at, size = excluded.size`,
);

const insertKept = gathered(async (tx, rows: readonly Database['idempotency_keys'][]) => {
  await insert(tx, rows);
  return [];
});

/** Stores a response. Replaces an expired one with the same key. */
export const insertKey = async (
  tx: Db,
  row: KeyScope & KeptAnswer & { readonly created_at: number },
): Promise<void> => {
  await insertKept(tx, { ...row, headers: JSON.stringify(row.headers), size: row.body.length });
};

/** The number and total size of a user's stored responses in a company. */
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

/** Deletes up to `limit` expired responses, oldest first. Returns how many it selected. */
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
      .where('created_at', '<', created_before) // the key may have been reused meanwhile
      .execute();
  return old.length;
};
