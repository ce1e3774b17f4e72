/**
 * [ours] Sign-in by the company's identity provider (decisions §12.9): the user with the login that the provider vouches for gets a
 * short-lived bearer. Level and projects stay ours: the provider says who somebody is, never what they may do here.
 */
import type { SignedInBearer, SignInOffer } from '../../../contract/rest/access/sign-in.ts';
import { loginKey } from '../../../contract/text/login.ts';
import { lockCompany } from '../../store/access/company-users.ts';
import { findUserByLogin } from '../../store/access/logins.ts';
import { findActiveUser, makeRoomForBearer } from '../../store/access/sign-ins.ts';
import type { Db } from '../../store/engine/db.ts';
import { findCompany, insertUser } from '../../store/users.ts';
import { wireTime } from '../near-misses/near-miss-view.ts';
import { invalid, notFound } from '../problem.ts';
import { hashToken, mintToken, tokenIdOf } from '../tokens.ts';
import { findOrReserveLogin } from './users.ts';

export interface Identity {
  readonly login: string;
  readonly name: string;
  /** Sent back with the next exchange of the same sign-in. */
  readonly ticket: string;
}

export interface SentToken {
  readonly id_token: string;
  readonly proof: string;
  readonly ticket?: string | undefined;
}

export interface IdentityProvider {
  readonly offer: SignInOffer;
  /**
   * Verifies an ID token and returns its identity.
   * @param now milliseconds since the epoch
   * @throws Refusal 422, or 503 while the provider is unreachable
   */
  identify(sent: SentToken, now: number): Promise<Identity>;
}

/** @throws Refusal 404 */
export const requireProvider = (provider: IdentityProvider | null): IdentityProvider => {
  if (provider === null) throw notFound();
  return provider;
};

const unknown = (login: string) =>
  invalid({
    'sign_in.account': [
      `is not known: there is no active user with the login ${login}. Ask an admin of your company to add or activate it.`,
    ],
  });

/** Returns the new user's id. @throws Refusal 422 */
const createStandard = async (
  tx: Db,
  { login, name }: Identity,
  company_id: number,
  now: number,
): Promise<number> => {
  // The company first, as every write of it takes the two locks: the other order could deadlock.
  await lockCompany(tx, company_id);
  const known = await findOrReserveLogin(tx, login);
  if (known) return known.id;
  if (!(await findCompany(tx, company_id))) throw unknown(login);
  const user = { login: loginKey(login), name, company_id, now };
  return insertUser(tx, user, { level: 'standard', project_ids: null, active: true });
};

interface Rules {
  readonly now: number;
  /** Lifetime of a bearer, milliseconds. */
  readonly window: number;
  /** Company of users who are created; 0: they are refused. */
  readonly new_users: number;
}

/** The bearer counts in every company of its user. @throws Refusal 422 */
export const signIn = async (
  tx: Db,
  identity: Identity,
  name: string | null,
  { now, window, new_users }: Rules,
): Promise<SignedInBearer> => {
  const known = await findUserByLogin(tx, identity.login);
  if (known?.service_account === 1 || (known === undefined && new_users === 0))
    throw unknown(identity.login);
  const user_id = known?.id ?? (await createStandard(tx, identity, new_users, now));
  const user = await findActiveUser(tx, user_id);
  if (!user) throw unknown(identity.login);
  await makeRoomForBearer(tx, user_id, now);
  const expires_at = now + window;
  // The clock may have been ahead when the user's earlier tokens ended.
  const created_at = Math.max(now, Number(user.ended) + 1);
  const token = await mintToken(tx, user_id, created_at, { name, expires_at });
  return {
    token,
    ticket: identity.ticket,
    id: tokenIdOf(hashToken(token)),
    name,
    level: null,
    company_id: null,
    created_at: wireTime(created_at),
    expires_at: wireTime(expires_at),
    last_used_at: null,
    user: { id: user.id, name: user.name, login: user.login },
  };
};
