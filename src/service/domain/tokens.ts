/** Access tokens: 256 random bits given out once, kept only as a hash. */
import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '../store/db.ts';
import { insertToken } from '../store/users.ts';

/** The only form in which a token is kept. A plain hash is enough: nobody can guess 256 random bits. */
export const hashToken = (token: string): string =>
  createHash('sha256').update(token, 'utf8').digest('hex');

/** A fresh token for a user. Earlier ones stay valid: a laptop stays signed in over a restart of the service. */
export const mintToken = async (
  tx: Db,
  user_id: number,
  created_at: number,
  more: { readonly company_id?: number; readonly name?: string } = {},
): Promise<string> => {
  const token = `spotter_${randomBytes(32).toString('base64url')}`;
  await insertToken(tx, { token_hash: hashToken(token), user_id, created_at, ...more });
  return token;
};
