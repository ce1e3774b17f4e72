/** [ours] What the token of the request is, where clients of similar APIs look for it (decisions §12.8). */
import { z } from 'zod';
import { endpoint, id } from '../protocol/endpoint.ts';

export const tokenInfo = z.object({
  /** The id of the user or of the service account. */
  resource_owner_id: id,
  /** Always empty: the level says what the token may do. */
  scope: z.array(z.string()),
  /** Seconds; null: valid until it is revoked. */
  expires_in: z.number().int().nullable(),
  /** The client id of a service account; null for a user's token. */
  application: z.object({ uid: z.string() }).nullable(),
  /** Unix seconds. */
  created_at: z.number().int(),
});
export type TokenInfo = z.infer<typeof tokenInfo>;

export const tokenInfoEndpoints = {
  'tokens.introspect': endpoint({
    method: 'GET',
    path: '/oauth/token/info',
    params: {},
    reply: tokenInfo,
    needsCompany: false,
    extension: true,
    tag: 'Tokens',
    summary: 'Show what the token of the request is',
  }),
};
