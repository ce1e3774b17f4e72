/**
 * [ours] Sign-in by the company's identity provider (OpenID Connect): how a laptop signs in here, and the exchange of the provider's
 * ID token for a bearer of the user with that login (decisions §12.9).
 */
import { z } from 'zod';
import { dateTime, endpoint, id } from '../protocol/endpoint.ts';
import { newAccessToken, tokenName } from './tokens.ts';

/** What a laptop needs to sign in. Nothing in it is secret (RFC 8252 §8.5). */
const signInOffer = z.object({
  /** The issuer of OpenID Connect Discovery. */
  issuer: z.string().max(2000),
  client_id: z.string().max(1000),
  /** For providers that require a secret of public clients too; null otherwise. */
  client_secret: z.string().max(1000).nullable(),
  /** Separated by spaces. */
  scope: z.string().max(1000),
});
export type SignInOffer = z.infer<typeof signInOffer>;

const signedInBearer = newAccessToken.extend({
  expires_at: dateTime,
  /** Sent with the next exchange of the same sign-in. */
  ticket: z.string(),
  user: z.object({ id, name: z.string(), login: z.string() }),
});
export type SignedInBearer = z.infer<typeof signedInBearer>;

/**
 * The text whose SHA-256, in base64url, is the nonce.
 * @param address of the server, as clients connect to it
 */
export const nonceText = (proof: string, address: string): string => `${proof} ${address}`;

/** Longest ID token, in characters. One with many groups has some thousands. */
const ID_TOKEN_MAX = 32 * 1024;

const tag = 'Sign-in';

export const signInEndpoints = {
  'sign_ins.offer': endpoint({
    method: 'GET',
    path: '/rest/v1.0/sign_in',
    params: {},
    reply: signInOffer,
    hostOnly: true,
    needsToken: false,
    needsCompany: false,
    extension: true,
    tag,
    summary: 'Show how to sign in with the identity provider',
  }),
  'sign_ins.create': endpoint({
    method: 'POST',
    path: '/rest/v1.0/sign_ins',
    params: {},
    body: z.object({
      sign_in: z.object({
        id_token: z.string().max(ID_TOKEN_MAX, `must have at most ${ID_TOKEN_MAX} characters`),
        /**
         * A random text that the laptop chose. The `nonce` of the ID token must be the hash of `nonceText` with this
         * server's address, so that a token obtained for another server is refused.
         */
        proof: z.string().max(200, 'must have at most 200 characters'),
        /**
         * The ticket of the previous exchange. It replaces the nonce, which many providers leave out of renewed tokens.
         */
        ticket: z.string().max(200, 'must have at most 200 characters').optional(),
        /** The name of the bearer, such as that of the laptop. */
        name: tokenName.optional(),
      }),
    }),
    reply: signedInBearer,
    status: 201,
    secret: true,
    hostOnly: true,
    needsToken: false,
    needsCompany: false,
    extension: true,
    tag,
    summary: 'Exchange an ID token for a bearer',
  }),
};
