/**
 * Service accounts, their secrets and the bearers given for them (decisions §12.8). An account is a row of `users`, so that a record
 * names it as its creator, and one of `company_users`, so that it has a level and projects as a user has.
 */
import type { Db } from '../engine/db.ts';
import { takeIds } from '../engine/ids.ts';
import { countOf, newestFirst, type Slice } from '../engine/newest-first.ts';
import type { Database } from '../engine/schema.ts';
import { insertCompanyUser, type Standing } from './company-users.ts';

interface Of {
  readonly company_id: number;
  readonly user_id: number;
}

const accountsOf = (db: Db, company_id: number) =>
  db
    .selectFrom('company_users as cu')
    .innerJoin('users as u', 'u.id', 'cu.user_id')
    .where('cu.company_id', '=', company_id)
    .where('u.service_account', '=', 1);

const columns = [
  'u.id',
  'u.name',
  'u.login',
  'u.created_at',
  'cu.level',
  'cu.project_ids',
] as const;

export const countAccounts = (db: Db, company_id: number): Promise<number> =>
  countOf(accountsOf(db, company_id));

export const listAccounts = (db: Db, company_id: number, slice: Slice) =>
  newestFirst(accountsOf(db, company_id).select(columns), slice, 'u');

export type AccountRow = Awaited<ReturnType<typeof listAccounts>>[number];

export const findAccount = (db: Db, { company_id, user_id }: Of): Promise<AccountRow | undefined> =>
  accountsOf(db, company_id).select(columns).where('u.id', '=', user_id).executeTakeFirst();

export const findAccountByClientId = (db: Db, company_id: number, client_id: string) =>
  accountsOf(db, company_id).select(columns).where('u.login', '=', client_id).executeTakeFirst();

export const isServiceAccount = async (db: Db, user_id: number): Promise<boolean> =>
  (await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', user_id)
    .where('service_account', '=', 1)
    .executeTakeFirst()) !== undefined;

/** Returns the id. */
export const insertAccount = async (
  tx: Db,
  account: {
    readonly company_id: number;
    readonly client_id: string;
    readonly name: string;
    readonly now: number;
  },
  standing: Standing,
): Promise<number> => {
  const { company_id, client_id, name, now } = account;
  const id = await takeIds(tx, 'users');
  await tx
    .insertInto('users')
    .values({ id, login: client_id, name, created_at: now, service_account: 1 })
    .execute();
  await insertCompanyUser(tx, { company_id, user_id: id, now }, standing);
  return id;
};

export type SecretRow = Database['service_account_secrets'];

/** The secrets of these accounts that are valid, the newest first. */
export const listSecrets = async (
  db: Db,
  company_id: number,
  user_ids: readonly number[],
  now: number,
): Promise<SecretRow[]> => {
  if (user_ids.length === 0) return [];
  const wanted = new Set(user_ids);
  const rows = await db
    .selectFrom('service_account_secrets')
    .selectAll()
    .where('company_id', '=', company_id)
    // A range instead of a list of ids, which databases limit.
    .where('user_id', '>=', Math.min(...user_ids))
    .where('user_id', '<=', Math.max(...user_ids))
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('id', 'desc')
    .execute();
  return rows.filter(({ user_id }) => wanted.has(user_id));
};

export const insertSecret = async (
  tx: Db,
  row: Omit<SecretRow, 'id' | 'expires_at' | 'last_used_at'>,
): Promise<SecretRow> => {
  const id = await takeIds(tx, 'service_account_secrets');
  const secret = { ...row, id, expires_at: null, last_used_at: null };
  await tx.insertInto('service_account_secrets').values(secret).execute();
  return secret;
};

/** Ends an account's secrets but the one that is kept, and their bearers. */
export const deleteSecrets = async (
  tx: Db,
  { company_id, user_id }: Of,
  kept: number | null,
): Promise<void> => {
  const secrets = tx
    .deleteFrom('service_account_secrets')
    .where('company_id', '=', company_id)
    .where('user_id', '=', user_id);
  await (kept === null ? secrets : secrets.where('id', '<>', kept)).execute();
  const bearers = tx.deleteFrom('tokens').where('user_id', '=', user_id);
  await (kept === null ? bearers : bearers.where('secret_id', '<>', kept)).execute();
};

/** Its row of `users` stays, because records name it. */
export const deleteAccount = async (tx: Db, of: Of): Promise<void> => {
  await deleteSecrets(tx, of, null);
  await tx
    .deleteFrom('company_users')
    .where('company_id', '=', of.company_id)
    .where('user_id', '=', of.user_id)
    .execute();
};

/** Lets a secret end at a time, and its bearers no later. */
export const limitSecret = async (
  tx: Db,
  { company_id, id, user_id }: Pick<SecretRow, 'company_id' | 'id' | 'user_id'>,
  expires_at: number,
): Promise<void> => {
  await tx
    .updateTable('service_account_secrets')
    .set({ expires_at })
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .execute();
  await tx
    .updateTable('tokens')
    .set({ expires_at })
    .where('user_id', '=', user_id)
    .where('secret_id', '=', id)
    .where('expires_at', '>', expires_at)
    .execute();
};

interface Asked {
  readonly client_id: string;
  readonly secret_hash: string;
  readonly now: number;
}

/** The valid secret of a client. */
export const findSecret = (db: Db, { client_id, secret_hash, now }: Asked) =>
  db
    .selectFrom('service_account_secrets as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .selectAll('s')
    .where('s.secret_hash', '=', secret_hash)
    .where('u.login', '=', client_id)
    .where((eb) => eb.or([eb('s.expires_at', 'is', null), eb('s.expires_at', '>', now)]))
    .executeTakeFirst();

/** Notes the use of a secret. Undefined if the secret has ended. */
export const useSecret = (
  tx: Db,
  { company_id, id }: Pick<SecretRow, 'company_id' | 'id'>,
  now: number,
): Promise<SecretRow | undefined> =>
  tx
    .updateTable('service_account_secrets')
    .set({ last_used_at: now })
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .returningAll()
    .executeTakeFirst();

/** Inserts a bearer and deletes the account's expired ones. */
export const insertBearer = async (
  tx: Db,
  row: Pick<Database['tokens'], 'token_hash' | 'user_id' | 'created_at'> & {
    readonly company_id: number;
    readonly expires_at: number;
    readonly secret_id: number;
  },
): Promise<void> => {
  await tx
    .deleteFrom('tokens')
    .where('user_id', '=', row.user_id)
    .where('expires_at', '<=', row.created_at)
    .execute();
  await tx
    .insertInto('tokens')
    .values({ ...row, name: null, level: null, last_used_at: null })
    .execute();
};

/** A token and the client that it was given to, if it was given to one. */
export const findTokenInfo = (db: Db, token_hash: string) =>
  db
    .selectFrom('tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select(['t.user_id', 't.created_at', 't.expires_at', 'u.login', 'u.service_account'])
    .where('t.token_hash', '=', token_hash)
    .executeTakeFirst();
