/** [ours] The service's signing keys in SQL (decisions §19.1). One of them signs; the others stay for verification. */
import type { Selectable } from 'kysely';
import type { Db } from '../engine/db.ts';
import type { Database } from '../engine/schema.ts';

export type SigningKeyRow = Selectable<Database['signing_keys']>;

/** Oldest first. */
export const listKeys = (db: Db): Promise<Omit<SigningKeyRow, 'private_key'>[]> =>
  db
    .selectFrom('signing_keys')
    .select(['id', 'public_key', 'made_at', 'ended_at'])
    .orderBy('made_at')
    .orderBy('id')
    .execute();

/** The key that signs now. */
export const findCurrentKey = (db: Db): Promise<SigningKeyRow | undefined> =>
  db.selectFrom('signing_keys').selectAll().where('ended_at', 'is', null).executeTakeFirst();

export const insertKey = async (tx: Db, key: SigningKeyRow): Promise<void> => {
  await tx.insertInto('signing_keys').values(key).execute();
};

export const endKey = async (tx: Db, id: string, ended_at: number): Promise<void> => {
  await tx.updateTable('signing_keys').set({ ended_at }).where('id', '=', id).execute();
};
