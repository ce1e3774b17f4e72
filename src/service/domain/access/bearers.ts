/**
 * [ours] The bearers of service accounts: given for a client id and a secret, for 90 minutes, and revoked (decisions §12.8). A bearer
 * is a token of the account, so that every endpoint takes it as it takes a user's.
 */
import type { TokenInfo } from '../../../contract/rest/access/token-info.ts';
import * as store from '../../store/access/service-accounts.ts';
import { deleteToken } from '../../store/access/tokens.ts';
import type { Db } from '../../store/engine/db.ts';
import { notFound } from '../problem.ts';
import { hashToken, newToken } from '../tokens.ts';

const secondsOf = (ms: number): number => Math.floor(ms / 1000);

export interface Credentials {
  readonly client_id: string;
  readonly client_secret: string;
}

export type Client = store.SecretRow;

/** Undefined if the client does not exist, or the secret is not valid. */
export const findClient = (
  db: Db,
  { client_id, client_secret }: Credentials,
  now: number,
): Promise<Client | undefined> =>
  store.findSecret(db, { client_id, secret_hash: hashToken(client_secret), now });

export interface Bearer {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** Seconds. */
  readonly expires_in: number;
  /** Unix seconds. */
  readonly created_at: number;
}

/**
 * A bearer ends no later than its secret. Undefined if the secret has ended meanwhile.
 * @param window milliseconds
 */
export const giveBearer = async (
  tx: Db,
  client: Client,
  now: number,
  window: number,
): Promise<Bearer | undefined> => {
  const secret = await store.useSecret(tx, client, now);
  if (!secret) return undefined;
  const { company_id, user_id, id: secret_id } = secret;
  const expires_at = Math.min(now + window, secret.expires_at ?? Infinity);
  const access_token = newToken();
  const token_hash = hashToken(access_token);
  await store.insertBearer(tx, {
    token_hash,
    user_id,
    company_id,
    secret_id,
    created_at: now,
    expires_at,
  });
  const expires_in = secondsOf(expires_at - now);
  return { access_token, token_type: 'Bearer', expires_in, created_at: secondsOf(now) };
};

/** A token that does not exist is revoked already. Returns false if the token belongs to somebody else. */
export const revokeBearer = async (tx: Db, client: Client, token: string): Promise<boolean> => {
  const token_hash = hashToken(token);
  const found = await store.findTokenInfo(tx, token_hash);
  if (!found) return true;
  if (found.user_id !== client.user_id) return false;
  await deleteToken(tx, token_hash);
  return true;
};

/** @throws Refusal 404 if the token was revoked meanwhile */
export const showTokenInfo = async (
  db: Db,
  token_hash: string,
  now: number,
): Promise<TokenInfo> => {
  const found = await store.findTokenInfo(db, token_hash);
  if (!found) throw notFound();
  const { user_id, created_at, expires_at, login, service_account } = found;
  return {
    resource_owner_id: user_id,
    scope: [],
    expires_in: expires_at === null ? null : secondsOf(expires_at - now),
    application: service_account === 1 ? { uid: login } : null,
    created_at: secondsOf(created_at),
  };
};
