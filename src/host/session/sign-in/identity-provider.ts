/**
 * Talks to the company's identity provider by OpenID Connect: discovery, the authorisation code with PKCE, state and nonce, and the
 * refresh token (decisions §12.9). `openid-client` judges the answers. Its requests go through the host's HTTP client, so that proxies,
 * the system's authorities and deadlines are those of every other request.
 */
import * as oidc from 'openid-client';
import { fail, ok, type Problem, type Result } from '../../../contract/problem.ts';
import { isProviderAddress } from '../../../contract/provider-address.ts';
import { nonceText, type SignInOffer } from '../../../contract/rest/access/sign-in.ts';
import type { Transport } from '../../http/http-client.ts';
import { wordsOf } from '../../lib/log.ts';
import { signInFault, type ProviderClient, type ProviderTokens } from './provider-client.ts';

/** Largest response of a provider, in bytes. */
const RESPONSE_MAX = 1024 * 1024;
/** Deadline of one request, in seconds. */
const TIMEOUT_S = 20;

class Away extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super('the identity provider did not answer');
    this.problem = problem;
  }
}

const NO_BODY = [204, 205, 304];

const fetchBy =
  (transport: Transport): oidc.CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const sent = body === undefined || body === null ? {} : { body: String(body) };
    const answer = await transport.exchange(
      { method, url, headers, ...sent, signal },
      async (incoming) => {
        const { status } = incoming;
        const chunks: Uint8Array[] = [];
        const read = await incoming.read(RESPONSE_MAX, (chunk) => chunks.push(chunk));
        if (!read.ok) return read;
        const type = incoming.header('content-type');
        return ok(
          new Response(NO_BODY.includes(status) ? null : Buffer.concat(chunks), {
            status,
            headers: type === null ? {} : { 'content-type': type },
          }),
        );
      },
    );
    if (!answer.ok) throw new Away(answer.problem);
    return answer.value;
  };

/** Errors of a provider that say nothing about the request. */
const PASSING = ['temporarily_unavailable', 'server_error', 'slow_down'];

/** `signed_out`: the provider has refused. All else may pass. */
const problemOf = (error: unknown): Problem => {
  if (error instanceof Away) return error.problem;
  if (error instanceof Error && error.cause instanceof Away) return error.cause.problem;
  if (error instanceof oidc.AuthorizationResponseError) {
    const refused = signInFault('sign_in_denied', `The provider answered ${error.error}.`);
    return refused.ok ? { kind: 'cancelled' } : refused.problem;
  }
  if (error instanceof oidc.ResponseBodyError) {
    const { status, error: code } = error;
    if (status < 500 && status !== 429 && !PASSING.includes(code))
      return { kind: 'signed_out', detail: `the identity provider refused: ${code.slice(0, 100)}` };
    return { kind: 'server_error', status, messages: [], retry_after_ms: null };
  }
  return { kind: 'broken_reply', status: 0, looks_like: 'garbage', detail: wordsOf(error) };
};

const attempt = async <T>(work: () => Promise<Result<T>>): Promise<Result<T>> => {
  try {
    return await work();
  } catch (error) {
    return fail(problemOf(error));
  }
};

const tokensOf = ({
  id_token,
  refresh_token,
}: oidc.TokenEndpointResponse): Result<ProviderTokens> =>
  id_token === undefined
    ? fail({ kind: 'signed_out', detail: 'the identity provider sent no ID token' })
    : ok({ id_token, refresh_token: refresh_token ?? null });

export const createProviderClient = (transport: Transport): ProviderClient => {
  const configure = ({ issuer, client_id, client_secret }: Omit<SignInOffer, 'scope'>) =>
    oidc.discovery(
      new URL(issuer),
      client_id,
      undefined,
      client_secret === null ? oidc.None() : oidc.ClientSecretPost(client_secret),
      {
        [oidc.customFetch]: fetchBy(transport),
        timeout: TIMEOUT_S,
        // isProviderAddress allows http on this machine alone.
        execute: issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [],
      },
    );

  return {
    begin: (offer, { redirect_uri, state, server }) =>
      attempt(async () => {
        const config = await configure(offer);
        const verifier = oidc.randomPKCECodeVerifier();
        const proof = oidc.randomPKCECodeVerifier();
        // A PKCE challenge is a hash of the same form.
        const nonce = await oidc.calculatePKCECodeChallenge(nonceText(proof, server));
        const url = oidc.buildAuthorizationUrl(config, {
          redirect_uri,
          scope: offer.scope,
          state,
          nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        }).href;
        if (!isProviderAddress(url, false))
          return signInFault('sign_in_refused', 'The provider’s address is not protected.');
        const checks = {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        };
        const finish = (answer: URL) =>
          attempt(async () => tokensOf(await oidc.authorizationCodeGrant(config, answer, checks)));
        return ok({ url, proof, finish });
      }),
    refresh: (offer, refresh_token) =>
      attempt(async () =>
        tokensOf(await oidc.refreshTokenGrant(await configure(offer), refresh_token)),
      ),
    revoke: (offer, refresh_token) =>
      attempt(async () => {
        const config = await configure(offer);
        if (config.serverMetadata().revocation_endpoint !== undefined)
          await oidc.tokenRevocation(config, refresh_token, { token_type_hint: 'refresh_token' });
        return ok(null);
      }),
  };
};
