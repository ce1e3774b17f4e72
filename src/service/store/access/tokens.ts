/** Tokens, as hashes only, and the user, companies and levels behind each (decisions §1.1, §12.6). */
import { sql } from 'kysely';
import { levels, tokenLevels, type Level } from '../../../contract/rest/access/levels.ts';
import { loginKey } from '../../../contract/text/login.ts';
import type { Db } from '../engine/db.ts';
import { gathered } from '../engine/batch.ts';
import { jsonRows, written } from '../engine/bulk-sql.ts';
import { countOf, type Slice } from '../engine/newest-first.ts';
import { prepared } from '../engine/prepared.ts';
import { storedLoginKey } from './logins.ts';
import { readProjectIds } from './project-ids.ts';

/** The rights of a token in one company. */
export interface Membership {
  readonly company_id: number;
  readonly level: Level;
  readonly project_ids: readonly number[] | null;
}

/** The token of a request. */
export interface UsedToken {
  readonly hash: string;
  /** The only company in which it counts; null: all of its user. */
  readonly company_id: number | null;
  readonly name: string | null;
  /** The token's separate level; null if the user's level applies. */
  readonly level: Level | null;
  readonly expires_at: number | null;
}

interface TokenUser {
  readonly user: { readonly id: number; readonly login: string; readonly name: string };
  readonly memberships: readonly Membership[];
  readonly token: UsedToken;
}

interface TokenRow {
  readonly token_hash: string;
  readonly id: number;
  readonly login: string;
  readonly name: string;
  readonly company_id: number | null;
  readonly level: string | null;
  readonly project_ids: string | null;
  readonly only_company_id: number | null;
  readonly token_name: string | null;
  readonly token_level: string | null;
  readonly expires_at: number | null;
}

const tokenUsers = prepared((db: Db, { hashes }: { readonly hashes: string }) =>
  written(
    db,
    sql<TokenRow>`
      select t.token_hash, u.id, u.login, u.name, cu.company_id, cu.level, cu.project_ids,
        t.company_id as only_company_id, t.name as token_name, t.level as token_level, t.expires_at
      from ${jsonRows(db, hashes, { token_hash: 'text' })}
      join tokens t on t.token_hash = r.token_hash
      join users u on u.id = t.user_id
      left join company_users cu on cu.user_id = u.id and cu.active = 1
        and (t.company_id is not null or t.created_at > cu.tokens_ended_at)`,
  ),
);

export const levelOf = (text: string | null): Level =>
  levels.find((one) => one === text) ?? 'read_only';

/**
 * The level of a token's requests: the lower of the user's and the token's. Null if neither allows all that the other does, so
 * that a demoted user's token never gains a right.
 */
const lowerLevel = (user: Level, token: Level | null): Level | null => {
  if (token === null || tokenLevels[token].includes(user)) return user;
  return tokenLevels[user].includes(token) ? token : null;
};

const tokenLevelOf = ({ token_level }: TokenRow): Level | null =>
  token_level === null ? null : levelOf(token_level);

const membershipIn = (row: TokenRow): readonly Membership[] => {
  const { company_id, only_company_id, project_ids } = row;
  if (company_id === null || (only_company_id !== null && only_company_id !== company_id))
    return [];
  const level = lowerLevel(levelOf(row.level), tokenLevelOf(row));
  return level === null ? [] : [{ company_id, level, project_ids: readProjectIds(project_ids) }];
};

const tokenUserOf = (rows: readonly TokenRow[]): TokenUser | null => {
  const [first] = rows;
  if (!first) return null;
  return {
    user: { id: first.id, login: first.login, name: first.name },
    memberships: rows.flatMap(membershipIn),
    token: {
      hash: first.token_hash,
      company_id: first.only_company_id,
      name: first.token_name,
      level: tokenLevelOf(first),
      expires_at: first.expires_at,
    },
  };
};

export const findTokenUser = gathered(async (db, hashes: readonly string[]) => {
  const asked = [...new Set(hashes)].map((token_hash) => ({ token_hash }));
  const rows = Map.groupBy(
    await tokenUsers(db, { hashes: JSON.stringify(asked) }),
    ({ token_hash }) => token_hash,
  );
  return hashes.map((hash) => tokenUserOf(rows.get(hash) ?? []));
});

export interface NewToken {
  readonly token_hash: string;
  readonly user_id: number;
  readonly created_at: number;
  readonly company_id?: number | null;
  readonly name?: string | null;
  readonly level?: Level | null;
  readonly expires_at?: number | null;
}

export const insertToken = async (tx: Db, row: NewToken): Promise<void> => {
  await tx
    .insertInto('tokens')
    .values({ company_id: null, name: null, level: null, expires_at: null, ...row })
    .execute();
};

/** All tokens, oldest first; only one user's if `login` is given. */
export const listTokens = (db: Db, login?: string) => {
  const all = db
    .selectFrom('tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select(['t.token_hash', 't.user_id', 't.company_id', 't.name', 't.level'])
    .select(['t.created_at', 't.expires_at', 't.last_used_at', 'u.login'])
    .orderBy('t.created_at')
    .orderBy('t.token_hash');
  return (
    login === undefined ? all : all.where(storedLoginKey(db, 'u.login'), '=', loginKey(login))
  ).execute();
};

export const deleteToken = async (tx: Db, token_hash: string): Promise<void> => {
  await tx.deleteFrom('tokens').where('token_hash', '=', token_hash).execute();
};

interface Of {
  readonly user_id: number;
  readonly company_id: number;
}

/**
 * The tokens that concern a company alone: those limited to it, and the unlimited ones that count in no other. An admin of one
 * company must not end or see the access to another.
 */
const concerning = (db: Db, { user_id, company_id }: Of) =>
  db
    .selectFrom('tokens as t')
    .where('t.user_id', '=', user_id)
    .where((eb) =>
      eb.or([
        eb('t.company_id', '=', company_id),
        eb.and([
          eb('t.company_id', 'is', null),
          eb.not(
            eb.exists(
              eb
                .selectFrom('company_users as cu')
                .select('cu.user_id')
                .where('cu.user_id', '=', user_id)
                .where('cu.company_id', '<>', company_id)
                .whereRef('cu.tokens_ended_at', '<', 't.created_at'),
            ),
          ),
        ]),
      ]),
    );

/**
 * Includes the unlimited tokens, which count in this company too. Only for a user who asks with an unlimited token: a token of one
 * company must neither show nor end the access to others.
 */
const withUnlimited = (db: Db, { user_id, company_id }: Of) =>
  db
    .selectFrom('tokens as t')
    .where('t.user_id', '=', user_id)
    .where((eb) => eb.or([eb('t.company_id', '=', company_id), eb('t.company_id', 'is', null)]));

const columns = [
  't.token_hash',
  't.company_id',
  't.name',
  't.level',
  't.created_at',
  't.expires_at',
  't.last_used_at',
] as const;

/** @param unlimited whether the token that asks counts in every company of its user, who owns these tokens */
export const tokensOf = (db: Db, of: Of, unlimited = false) => {
  const query = unlimited ? withUnlimited(db, of) : concerning(db, of);
  return {
    count: () => countOf(query),
    list: ({ limit, offset }: Slice) =>
      query
        .select(columns)
        .orderBy('t.created_at', 'desc')
        .orderBy('t.token_hash')
        .limit(limit)
        .offset(offset)
        .execute(),
    /** @param id the first digits of the hash */
    find: (id: string) =>
      query.select(columns).where('t.token_hash', 'like', `${id}%`).executeTakeFirst(),
  };
};
export type TokenRowOf = Awaited<ReturnType<ReturnType<typeof tokensOf>['list']>>[number];

/**
 * Makes the user's unlimited tokens count for nothing in this company, also later. Time alone would spare a token that was created
 * while the clock was ahead.
 */
export const endUnlimitedTokens = async (
  tx: Db,
  { user_id, company_id, now }: Of & { readonly now: number },
): Promise<void> => {
  const { latest } = await tx
    .selectFrom('tokens')
    .select((eb) => eb.fn.max('created_at').as('latest'))
    .where('user_id', '=', user_id)
    .where('company_id', 'is', null)
    .executeTakeFirstOrThrow();
  await tx
    .updateTable('company_users')
    .set({ tokens_ended_at: Math.max(now, Number(latest ?? 0)) })
    .where('company_id', '=', company_id)
    .where('user_id', '=', user_id)
    .execute();
};

/** Ends the tokens of a user who left a company. Unlimited ones stay for the other companies, if they count in any. */
export const endTokensOf = async (tx: Db, member: Of & { readonly now: number }): Promise<void> => {
  await endUnlimitedTokens(tx, member);
  await tx
    .deleteFrom('tokens')
    .where('token_hash', 'in', concerning(tx, member).select('t.token_hash'))
    .execute();
};

/** Counts the user's tokens that are limited to a company. */
export const countTokens = (db: Db, { user_id, company_id }: Of): Promise<number> =>
  countOf(
    db.selectFrom('tokens').where('user_id', '=', user_id).where('company_id', '=', company_id),
  );

export const deleteExpiredTokens = async (
  tx: Db,
  { user_id, company_id }: Of,
  now: number,
): Promise<void> => {
  await tx
    .deleteFrom('tokens')
    .where('user_id', '=', user_id)
    .where('company_id', '=', company_id)
    .where('expires_at', '<=', now)
    .execute();
};

/** Sets the last use of these tokens; a later time that another process wrote stays. */
export const markUsed = async (tx: Db, hashes: readonly string[], now: number): Promise<void> => {
  const BATCH = 500;
  for (let at = 0; at < hashes.length; at += BATCH)
    await tx
      .updateTable('tokens')
      .set({ last_used_at: now })
      .where('token_hash', 'in', hashes.slice(at, at + BATCH))
      .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', now)]))
      .execute();
};

/** Deletes tokens from --demo or --embedded created before `from`, in ms since the epoch. Such tokens belong to no company. */
export const deleteSeatTokens = async (tx: Db, user_id: number, from: number): Promise<void> => {
  await tx
    .deleteFrom('tokens')
    .where('user_id', '=', user_id)
    .where('company_id', 'is', null)
    .where('created_at', '<', from)
    .execute();
};
