/** [ours] Access tokens of the API's users: named, limited, listed and revoked (decisions §12.6). */
import { z } from 'zod';
import { dateTime, endpoint, id, keptMoment, pathId } from '../protocol/endpoint.ts';
import { pagingQuery } from '../protocol/paging.ts';
import { level } from './levels.ts';

/** The first 12 digits of the token's hash. */
const tokenId = z.string().regex(/^[0-9a-f]{12}$/);

export const accessToken = z.object({
  id: tokenId,
  name: z.string().nullable(),
  /** Null: always the level of its user. */
  level: level.nullable(),
  /** Null: valid in every company of its user. */
  company_id: id.nullable(),
  created_at: dateTime,
  /** Null: valid until it is revoked. */
  expires_at: dateTime.nullable(),
  /** At most a few minutes old; null if no use was recorded yet. */
  last_used_at: dateTime.nullable(),
});
export type AccessToken = z.infer<typeof accessToken>;

/** The token itself, shown only once. */
export const newAccessToken = accessToken.extend({ token: z.string() });
export type NewAccessToken = z.infer<typeof newAccessToken>;

export const tokenName = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(255, 'must have at most 255 characters');

const accessTokenCreate = z.object({
  name: tokenName,
  /** Default: the level of the token that makes the request. */
  level: level.optional(),
  expires_at: keptMoment.optional(),
});
export type AccessTokenCreate = z.infer<typeof accessTokenCreate>;

const tag = 'Tokens';
const mine = '/rest/v1.0/me/tokens';
const ofUser = '/rest/v1.0/companies/{company_id}/users/{user_id}/tokens';
const user = { company_id: pathId, user_id: pathId };

export const tokenEndpoints = {
  'my_tokens.list': endpoint({
    method: 'GET',
    path: mine,
    params: {},
    query: z.object(pagingQuery),
    reply: z.array(accessToken),
    paging: 'link',
    extension: true,
    tag,
    summary: 'List your tokens in the company',
  }),
  'my_tokens.create': endpoint({
    method: 'POST',
    path: mine,
    params: {},
    body: z.object({ token: accessTokenCreate }),
    reply: newAccessToken,
    status: 201,
    secret: true,
    hostOnly: true,
    extension: true,
    tag,
    summary: 'Create a token for yourself in the company',
  }),
  'my_tokens.delete': endpoint({
    method: 'DELETE',
    path: `${mine}/{id}`,
    params: { id: tokenId },
    extension: true,
    tag,
    summary: 'Revoke one of your tokens',
  }),
  'user_tokens.list': endpoint({
    method: 'GET',
    path: ofUser,
    params: user,
    query: z.object(pagingQuery),
    reply: z.array(accessToken),
    paging: 'link',
    extension: true,
    tag,
    summary: 'List the tokens of a user in the company',
  }),
  'user_tokens.delete': endpoint({
    method: 'DELETE',
    path: `${ofUser}/{id}`,
    params: { ...user, id: tokenId },
    extension: true,
    tag,
    summary: 'Revoke a token of a user',
  }),
};
