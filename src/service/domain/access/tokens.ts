/** [ours] The rules of tokens that users and admins create, list and revoke (decisions §12.6). */
import { levels, tokenLevels, type Level } from '../../../contract/rest/access/levels.ts';
import type {
  AccessToken,
  AccessTokenCreate,
  NewAccessToken,
} from '../../../contract/rest/access/tokens.ts';
import { findUser } from '../../store/access/company-users.ts';
import {
  countTokens,
  deleteExpiredTokens,
  deleteToken,
  levelOf,
  tokensOf,
  type TokenRowOf,
  type UsedToken,
} from '../../store/access/tokens.ts';
import type { Db } from '../../store/engine/db.ts';
import { wireTime, wireTimeOrNull } from '../near-misses/near-miss-view.ts';
import { pageOf, type Page, type Paged } from '../page.ts';
import { forbidden, invalid, notFound } from '../problem.ts';
import { hashToken, mintToken, tokenIdOf } from '../tokens.ts';

interface Of {
  readonly company_id: number;
  readonly user_id: number;
}

const viewToken = (row: TokenRowOf): AccessToken => ({
  id: tokenIdOf(row.token_hash),
  name: row.name,
  level: row.level === null ? null : levelOf(row.level),
  company_id: row.company_id,
  created_at: wireTime(row.created_at),
  expires_at: wireTimeOrNull(row.expires_at),
  last_used_at: wireTimeOrNull(row.last_used_at),
});

const ownTokens = (db: Db, of: Of, asking: UsedToken) =>
  tokensOf(db, of, asking.company_id === null);

const listOf = (tokens: ReturnType<typeof tokensOf>, paged: Paged): Promise<Page<AccessToken>> =>
  pageOf(paged, {
    count: tokens.count,
    rows: tokens.list,
    view: (rows) => rows.map(viewToken),
  });

export const listOwnTokens = (
  db: Db,
  of: Of,
  asking: UsedToken,
  paged: Paged,
): Promise<Page<AccessToken>> => listOf(ownTokens(db, of, asking), paged);

/** @throws Refusal 404 */
const requireUser = async (db: Db, { company_id, user_id }: Of): Promise<void> => {
  if (!(await findUser(db, company_id, user_id))) throw notFound();
};

/** @throws Refusal 404 */
export const listTokensOfUser = async (
  db: Db,
  of: Of,
  paged: Paged,
): Promise<Page<AccessToken>> => {
  await requireUser(db, of);
  return listOf(tokensOf(db, of), paged);
};

const revoke = async (tx: Db, tokens: ReturnType<typeof tokensOf>, id: string): Promise<void> => {
  const row = await tokens.find(id);
  if (!row) throw notFound();
  await deleteToken(tx, row.token_hash);
};

/** @throws Refusal 404 */
export const revokeTokenOfUser = (tx: Db, of: Of, id: string): Promise<void> =>
  revoke(tx, tokensOf(tx, of), id);

/**
 * Revokes a token of the user. A token with a separate level is made for a program and revokes only itself, so that a
 * leaked one cannot lock its user out.
 * @throws Refusal 403, 404
 */
export const revokeOwnToken = async (
  tx: Db,
  of: Of,
  asking: UsedToken,
  id: string,
): Promise<void> => {
  if (asking.level !== null && id !== tokenIdOf(asking.hash))
    throw forbidden('This token has a level of its own and may revoke only itself.');
  await revoke(tx, ownTokens(tx, of, asking), id);
};

/** The most tokens of a user in a company. Laptops, phones and programs of one person are fewer. */
export const TOKENS_MAX = 50;

/** True if the user may have another token in the company. Expired ones stay listed until their room is needed. */
export const hasRoomForToken = async (tx: Db, of: Of, now: number): Promise<boolean> => {
  if ((await countTokens(tx, of)) < TOKENS_MAX) return true;
  await deleteExpiredTokens(tx, of, now);
  return (await countTokens(tx, of)) < TOKENS_MAX;
};

const EARLY = 'must be in the future';

/**
 * The new token belongs to one company, allows no more than the asking token, and ends no later.
 * @param level what the asking token may do now
 * @throws Refusal 422
 */
export const createToken = async (
  tx: Db,
  of: Of,
  { asking, level }: { readonly asking: UsedToken; readonly level: Level },
  body: AccessTokenCreate,
  now: number,
): Promise<NewAccessToken> => {
  const allowed = tokenLevels[level];
  if (body.level !== undefined && !allowed.includes(body.level))
    throw invalid({
      'token.level': [`must be one of ${levels.filter((one) => allowed.includes(one)).join(', ')}`],
    });
  const asked = body.expires_at === undefined ? null : Date.parse(body.expires_at);
  if (asked !== null && asked <= now) throw invalid({ 'token.expires_at': [EARLY] });
  if (!(await hasRoomForToken(tx, of, now)))
    throw invalid({
      token: [
        `is one too many: you have ${TOKENS_MAX} tokens in this company. Revoke one that you no longer use.`,
      ],
    });
  const ends = [asked, asking.expires_at].filter((one) => one !== null);
  const limits = {
    company_id: of.company_id,
    name: body.name,
    // Without one the token would rise with its user, above the token that asked for it.
    level: body.level ?? asking.level,
    expires_at: ends.length === 0 ? null : Math.min(...ends),
  };
  const token = await mintToken(tx, of.user_id, now, limits);
  const row = { token_hash: hashToken(token), created_at: now, last_used_at: null, ...limits };
  return { ...viewToken(row), token };
};
