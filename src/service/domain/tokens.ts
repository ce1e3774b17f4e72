/** Access tokens: 256 random bits, shown once and stored only as a hash. */
import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '../store/engine/db.ts';
import { insertToken, type NewToken } from '../store/access/tokens.ts';

/** The only stored form of a token. An unsalted hash is safe, because 256 random bits cannot be guessed. */
export const hashToken = (token: string): string =>
  createHash('sha256').update(token, 'utf8').digest('hex');

const ID_LENGTH = 12;

/** Identifies a token in lists; the hash reveals nothing of it. */
export const tokenIdOf = (token_hash: string): string => token_hash.slice(0, ID_LENGTH);

export const newToken = (): string => `spotter_${randomBytes(32).toString('base64url')}`;

/** Creates a token for a user. Earlier tokens stay valid, so that a laptop stays signed in when the service restarts. */
export const mintToken = async (
  tx: Db,
  user_id: number,
  created_at: number,
  more: Pick<NewToken, 'company_id' | 'name' | 'level' | 'expires_at'> = {},
): Promise<string> => {
  const token = newToken();
  await insertToken(tx, { token_hash: hashToken(token), user_id, created_at, ...more });
  return token;
};
