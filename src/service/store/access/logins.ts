/** Users by login, without the case of ASCII letters (decisions §12.4). An older database may have two logins that differ only in case. */
import { sql, type RawBuilder } from 'kysely';
import { loginKey } from '../../../contract/text/login.ts';
import { isSqlite } from '../engine/bulk-sql.ts';
import type { Db } from '../engine/db.ts';

/** Both spellings fold ASCII letters alone. Other collations of PostgreSQL fold more. */
export const storedLoginKey = (db: Db, column: string): RawBuilder<string> =>
  isSqlite(db) ? sql`lower(${sql.ref(column)})` : sql`lower(${sql.ref(column)} collate "C")`;

/** The user with exactly this login, otherwise the first one with a login that differs only in case. */
export const findUserByLogin = async (db: Db, login: string) => {
  const found = await db
    .selectFrom('users')
    .select(['id', 'login', 'name', 'service_account'])
    .where(storedLoginKey(db, 'login'), '=', loginKey(login))
    .orderBy('id')
    .execute();
  return found.find((user) => user.login === login) ?? found[0];
};

/**
 * Makes transactions that add a login wait for each other until they commit, also those of other companies and processes. Look the
 * login up again afterwards. The row counts nothing: an id of `users` is taken on another connection, so its row cannot be the lock.
 */
export const lockNewLogins = async (tx: Db): Promise<void> => {
  await sql`insert into id_counters (name, last) values ('logins', 0)
    on conflict (name) do update set last = id_counters.last`.execute(tx);
};
