/** Kept answers (decisions §1.5). */
import type { Db } from './db.ts';

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

export const findKey = async (
  db: Db,
  scope: KeyScope,
  kept_since: number,
): Promise<KeptAnswer | null> => {
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'status', 'body', 'headers'])
    .where('company_id', '=', scope.company_id)
    .where('user_id', '=', scope.user_id)
    .where('method', '=', scope.method)
    .where('path', '=', scope.path)
    .where('key', '=', scope.key)
    .where('created_at', '>=', kept_since)
    .executeTakeFirst();
  return row
    ? { ...row, headers: JSON.parse(row.headers) as Readonly<Record<string, string>> }
    : null;
};

/** Keeps an answer; one that has grown too old to count is replaced. */
export const insertKey = async (
  tx: Db,
  row: KeyScope & KeptAnswer & { readonly created_at: number },
): Promise<void> => {
  const values = { ...row, headers: JSON.stringify(row.headers) };
  await tx
    .insertInto('idempotency_keys')
    .values(values)
    .onConflict((on) =>
      on.columns(['company_id', 'user_id', 'method', 'path', 'key']).doUpdateSet({
        fingerprint: values.fingerprint,
        status: values.status,
        body: values.body,
        headers: values.headers,
        created_at: values.created_at,
      }),
    )
    .execute();
};

/** Forgets answers kept longer than their window. */
export const deleteKeysBefore = async (tx: Db, created_before: number): Promise<void> => {
  await tx.deleteFrom('idempotency_keys').where('created_at', '<', created_before).execute();
};
