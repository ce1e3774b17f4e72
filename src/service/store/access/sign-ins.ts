/** Users who sign in with the company's identity provider, and the bearers that they get (decisions §12.9). */
import type { Db } from '../engine/db.ts';

/**
 * The user, if active in one company at least. `ended`: tokens for all companies that were made until then count in one of them no more
 * (decisions §12.4).
 */
export const findActiveUser = (db: Db, user_id: number) =>
  db
    .selectFrom('users as u')
    .innerJoin('company_users as cu', 'cu.user_id', 'u.id')
    .select(['u.id', 'u.name', 'u.login'])
    .select((eb) => eb.fn.max('cu.tokens_ended_at').as('ended'))
    .where('u.id', '=', user_id)
    .where('u.service_account', '=', 0)
    .where('cu.active', '=', 1)
    .groupBy(['u.id', 'u.name', 'u.login'])
    .executeTakeFirst();

/** Bearers of one user at once: laptops, and answers that were lost. */
const BEARERS_MAX = 50;

/** Deletes the user's expired bearers, and the oldest while there are too many. Tokens without an end are no bearers. */
export const makeRoomForBearer = async (tx: Db, user_id: number, now: number): Promise<void> => {
  const bearers = tx
    .deleteFrom('tokens')
    .where('user_id', '=', user_id)
    .where('company_id', 'is', null)
    .where('secret_id', 'is', null)
    .where('expires_at', 'is not', null);
  await bearers.where('expires_at', '<=', now).execute();
  await bearers
    .where('token_hash', 'in', (eb) =>
      eb
        .selectFrom('tokens')
        .select('token_hash')
        .where('user_id', '=', user_id)
        .where('company_id', 'is', null)
        .where('secret_id', 'is', null)
        .where('expires_at', 'is not', null)
        .orderBy('expires_at', 'desc')
        .orderBy('token_hash')
        .limit(10_000)
        .offset(BEARERS_MAX - 1),
    )
    .execute();
};
