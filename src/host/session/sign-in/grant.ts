/**
 * Stores the grant of an identity provider, which keeps a session signed in: the refresh token, and the provider that
 * accepts it (decisions §12.9). The keychain has one secret per account: a plain token, or the grant and the bearer as
 * JSON, so that both are replaced together.
 */
import { z } from 'zod';

const grantSchema = z.object({
  issuer: z.string(),
  client_id: z.string(),
  client_secret: z.string().nullable(),
  scope: z.string(),
  /** Null: the provider gave none, so the session ends with the bearer. */
  refresh_token: z.string().nullable(),
  /** The text of which the ID token's nonce is the hash. */
  proof: z.string(),
  /** The server's proof that `proof` belongs to this sign-in. */
  ticket: z.string(),
  /** When the bearer ends, in milliseconds since the epoch by the server's clock. */
  expires_at: z.number(),
});
export type Grant = z.infer<typeof grantSchema>;

/** The session's token. `grant`: null for a token that somebody typed, or that came by a code. */
export interface Secret {
  readonly token: string | null;
  readonly grant: Grant | null;
}

const stored = grantSchema.extend({ token: z.string() });

export const writeSecret = (token: string, grant: Grant | null): string =>
  grant === null ? token : JSON.stringify({ token, ...grant });

/** A damaged secret is read as a token. The server refuses it, and the user signs in again. */
export const readSecret = (text: string): Secret => {
  if (!text.startsWith('{')) return { token: text, grant: null };
  try {
    const { token, ...grant } = stored.parse(JSON.parse(text));
    return { token, grant };
  } catch {
    return { token: text, grant: null };
  }
};
