/**
 * Verifies ID tokens of the company's identity provider (decisions §12.9): signature by the provider's keys, issuer, audience, time and
 * nonce. The provider's documents are read with a limit of size and time and are cached. A provider that is away, or sends something
 * else, is a 503: it is no reason to refuse a token. This module alone loads `jose`, and only where a provider is configured.
 */
import { createHash } from 'node:crypto';
import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTPayload } from 'jose';
import { z } from 'zod';
import { isProviderAddress } from '../../contract/provider-address.ts';
import { isBadText } from '../domain/bad-text.ts';
import { nonceText } from '../../contract/rest/access/sign-in.ts';
import { looksLikeAnother } from '../../contract/text/login.ts';
import type { Identity, IdentityProvider, SentToken } from '../domain/access/sign-in.ts';
import { invalid, Refusal } from '../domain/problem.ts';
import { sameText, type Signer } from '../files/signing.ts';
import type { Options } from '../options.ts';

/** Signatures by a key pair. `none`, and a secret that the client knows too, are no proof. */
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');
/** Age of an ID token, seconds: it is exchanged at once, so that an old one from a log or a backup is worth nothing. */
const AGE_MAX = 600;
/** Difference of the clocks, seconds. */
const TOLERANCE = 60;
const DOCUMENT_MAX = 256 * 1024;
const DOCUMENT_TIMEOUT = 5_000;
/** Milliseconds for which the provider's configuration and keys are cached. */
const CACHED_FOR = 600_000;
const RETRY_SECONDS = 5;
/** The purpose of a signature. */
const TICKET = 'sign-in';

const away = (): Refusal =>
  new Refusal(
    503,
    ['The service cannot reach the identity provider. Nothing was changed. Try again later.'],
    { 'Retry-After': String(RETRY_SECONDS) },
  );

const wrong = (why: string): Refusal => invalid({ 'sign_in.id_token': [why] });

/** @throws Refusal 503 */
const readDocument = async (address: string): Promise<string> => {
  if (!isProviderAddress(address, false)) throw away();
  const response = await fetch(address, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(DOCUMENT_TIMEOUT),
  });
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    if (length > DOCUMENT_MAX) throw away();
    chunks.push(chunk);
  }
  if (response.status !== 200) throw away();
  return Buffer.concat(chunks).toString('utf8');
};

const configuration = z.object({ issuer: z.string(), jwks_uri: z.string() });
const keySet = z.object({ keys: z.array(z.record(z.string(), z.unknown())).max(100) });

type Keys = ReturnType<typeof createRemoteJWKSet>;

/** The address of the keys, from OpenID Connect Discovery. */
const readKeys = async (issuer: string): Promise<Keys> => {
  const base = issuer.replace(/\/$/, '');
  const text = await readDocument(`${base}/.well-known/openid-configuration`);
  const found = configuration.parse(JSON.parse(text));
  if (found.issuer !== issuer) throw away();
  return createRemoteJWKSet(new URL(found.jwks_uri), {
    cacheMaxAge: CACHED_FOR,
    [customFetch]: async (address) =>
      Response.json(keySet.parse(JSON.parse(await readDocument(address)))),
  });
};

/** Concurrent callers share one request. A failure is not kept. */
const cachedKeys = (issuer: string, steady: () => number) => {
  let last: { readonly keys: Promise<Keys>; readonly at: number } | null = null;
  return (): Promise<Keys> => {
    if (last !== null && steady() - last.at < CACHED_FOR) return last.keys;
    const asked = { keys: readKeys(issuer), at: steady() };
    last = asked;
    asked.keys.catch(() => {
      if (last === asked) last = null;
    });
    return asked.keys;
  };
};

type ProviderOptions = Pick<
  Options,
  'public-url' | `sign-in-${'issuer' | 'client-id' | 'client-secret' | 'scope' | 'claim'}`
>;

/** The server's address in the form that laptops use. */
const addressOf = (public_url: string): string => {
  const { origin, pathname } = new URL(public_url);
  return `${origin}${pathname.replace(/(?<!\/)\/+$/, '')}`;
};

/**
 * Checks that the token was obtained for this server. Another server that uses the same provider, and leads users
 * there, gets tokens of the same audience: their nonce names that server. A copied token lacks the proof.
 */
const bindingOf = (options: ProviderOptions, { sign, verify: isSigned }: Signer) => {
  const [issuer, address] = [options['sign-in-issuer'], addressOf(options['public-url'])];
  const valuesOf = ({ sub }: JWTPayload, proof: string) => ({ issuer, sub: String(sub), proof });
  return {
    ticketOf: (payload: JWTPayload, proof: string) => sign(TICKET, valuesOf(payload, proof)),
    isBound: (payload: JWTPayload, { proof, ticket }: Pick<SentToken, 'proof' | 'ticket'>) => {
      const { nonce } = payload;
      if (nonce === undefined)
        return ticket !== undefined && isSigned(TICKET, valuesOf(payload, proof), ticket);
      const hash = createHash('sha256').update(nonceText(proof, address)).digest('base64url');
      return sameText(String(nonce), hash);
    },
  };
};

/** The claim as a login. @throws Refusal 422 */
const identityOf = (payload: JWTPayload, claim: string): Omit<Identity, 'ticket'> => {
  const login = payload[claim];
  if (typeof login !== 'string' || login === '' || login.length > 255 || isBadText(login))
    throw wrong(`has no claim "${claim}" that could be a login: the provider must send it`);
  if (looksLikeAnother(login))
    throw wrong(`has a claim "${claim}" with outer spaces or invisible characters`);
  const { email_verified: verified } = payload;
  // Some providers send texts.
  if (claim === 'email' && verified !== undefined && verified !== true && verified !== 'true')
    throw wrong('has an email that the provider has not verified');
  const { name } = payload;
  const isName = typeof name === 'string' && name.trim() !== '' && !isBadText(name);
  return { login, name: isName ? name.trim().slice(0, 255) : login };
};

const verify = async (
  token: string,
  keys: Keys,
  { issuer, client_id, now }: { issuer: string; client_id: string; now: number },
): Promise<JWTPayload> => {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience: client_id,
      algorithms: ALGORITHMS,
      maxTokenAge: AGE_MAX,
      clockTolerance: TOLERANCE,
      currentDate: new Date(now),
      requiredClaims: ['sub', 'exp', 'iat'],
    });
    return payload;
  } catch (error) {
    // All else is thrown by the requests for the keys, or by a key that is none.
    if (error instanceof errors.JOSEError)
      throw wrong('is not valid: it is expired, or not for this service. Sign in again.');
    throw error;
  }
};

/** @param steady a clock that never goes back, in milliseconds */
export const createProvider = (
  options: ProviderOptions,
  steady: () => number,
  signer: Signer,
): IdentityProvider => {
  const [issuer, client_id] = [options['sign-in-issuer'], options['sign-in-client-id']];
  const secret = options['sign-in-client-secret'];
  const keysOf = cachedKeys(issuer, steady);
  const { ticketOf, isBound } = bindingOf(options, signer);
  return {
    offer: {
      issuer,
      client_id,
      client_secret: secret === '' ? null : secret,
      scope: options['sign-in-scope'],
    },
    identify: async (sent, now) => {
      let payload: JWTPayload;
      try {
        payload = await verify(sent.id_token, await keysOf(), { issuer, client_id, now });
      } catch (error) {
        throw error instanceof Refusal ? error : Object.assign(away(), { cause: error });
      }
      // A token for several clients names the one that asked for it.
      if (payload['azp'] !== undefined && payload['azp'] !== client_id)
        throw wrong('was given to another program');
      if (!isBound(payload, sent))
        throw wrong(`does not belong to this sign-in. Connect to ${options['public-url']}.`);
      const identity = identityOf(payload, options['sign-in-claim']);
      return { ...identity, ticket: ticketOf(payload, sent.proof) };
    },
  };
};
