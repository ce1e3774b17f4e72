/**
 * A real OpenID provider on loopback (oidc-provider), in memory, and a browser that signs in there without a person: it follows
 * redirects and keeps cookies. The tests can stop the provider, and read what it was asked.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import Provider from 'oidc-provider';
import { nonceText } from '../../src/contract/rest/access/sign-in.ts';

export const CLIENT_ID = 'spotter';

interface Account {
  email: string;
  email_verified: boolean | undefined;
  name: string;
}

export interface TestProvider {
  readonly issuer: string;
  /** Who signs in next, and what the provider says of them. */
  readonly account: Account;
  /** Method and path of every request, in order. */
  readonly asked: string[];
  /** Set: every request is answered with this status instead. */
  away: number | null;
  /** Set: whoever signs in refuses to. */
  denies: boolean;
  /** Options of a service that uses this provider. */
  readonly options: { readonly 'sign-in-issuer': string; readonly 'sign-in-client-id': string };
  /** Signs any claims with the provider's own key. */
  sign(claims: JWTPayload, by?: CryptoKey): Promise<string>;
  /** A body of `sign_ins.create` that the provider vouches for, of this login at this server. `now` in milliseconds. */
  signIn(login: string, server: string, now: number): Promise<object>;
  /** From now on renewed ID tokens have no nonce, as OpenID Connect Core §12.2 recommends. */
  forgetNonces(): void;
  /** Ends every refresh token and session. */
  forgetAll(): void;
  close(): Promise<void>;
}

/** oidc-provider's storage, which its tests of development keep in memory too. */
const memory = () => {
  const rows = new Map<string, Record<string, unknown>>();
  const adapter = (kind: string) => {
    const key = (id: string) => `${kind}:${id}`;
    const by = async (field: string, value: string) =>
      [...rows.entries()].find(
        ([id, row]) => id.startsWith(`${kind}:`) && row[field] === value,
      )?.[1];
    return {
      upsert: async (id: string, row: Record<string, unknown>) => void rows.set(key(id), row),
      find: async (id: string) => rows.get(key(id)),
      findByUid: (uid: string) => by('uid', uid),
      findByUserCode: (code: string) => by('userCode', code),
      destroy: async (id: string) => void rows.delete(key(id)),
      consume: async (id: string) => {
        const row = rows.get(key(id));
        if (row) row['consumed'] = Math.floor(Date.now() / 1000);
      },
      revokeByGrantId: async (grantId: string) => {
        for (const [id, row] of rows) if (row['grantId'] === grantId) rows.delete(id);
      },
    };
  };
  const forgetNonces = () => {
    for (const [id, row] of rows) if (id.startsWith('RefreshToken:')) delete row['nonce'];
  };
  return { adapter, forgetNonces, clear: () => rows.clear() };
};

const configuration = (account: Account, key: object, adapter: unknown) => ({
  adapter,
  jwks: { keys: [key] },
  cookies: { keys: ['of this test alone'] },
  clients: [
    {
      client_id: CLIENT_ID,
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      // Any port, as RFC 8252 §7.3 has it.
      redirect_uris: ['http://127.0.0.1/signed-in'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
  ],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  scopes: ['openid', 'offline_access'],
  conformIdTokenClaims: false,
  features: {
    devInteractions: { enabled: false },
    revocation: { enabled: true, allowedPolicy: () => true },
  },
  ttl: {
    AuthorizationCode: 60,
    Interaction: 600,
    IdToken: 600,
    AccessToken: 600,
    Session: 86_400,
    Grant: 86_400,
    RefreshToken: 86_400,
  },
  pkce: { required: () => true },
  rotateRefreshToken: true,
  // As Entra ID and Keycloak do, also without `prompt=consent`.
  issueRefreshToken: async () => true,
  expiresWithSession: async () => false,
  findAccount: (_context: unknown, id: string) => ({
    accountId: id,
    claims: () => ({ sub: id, ...account }),
  }),
  interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
  renderError: (context: { body: unknown }, out: unknown) => void (context.body = out),
});

export const startIdentityProvider = async (): Promise<TestProvider> => {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const kid = 'first';
  const key = { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' };
  const account: Account = { email: 'demo@example.com', email_verified: true, name: 'Ana' };
  const { adapter, clear, forgetNonces } = memory();
  const asked: string[] = [];
  const interact = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { prompt, params, session, grantId } = await provider.interactionDetails(
      request,
      response,
    );
    const finish = (result: object) =>
      provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
    if (made.denies) return finish({ error: 'access_denied' });
    if (prompt.name === 'login') return finish({ login: { accountId: account.email } });
    const grant =
      (grantId === undefined ? undefined : await provider.Grant.find(grantId)) ??
      new provider.Grant({
        accountId: session?.accountId ?? '',
        clientId: String(params['client_id']),
      });
    grant.addOIDCScope((prompt.details.missingOIDCScope ?? []).join(' '));
    return finish({ consent: { grantId: await grant.save() } });
  };
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    asked.push(`${request.method} ${path}`);
    if (made.away !== null) return void response.writeHead(made.away).end();
    if (path.startsWith('/interaction/')) return void interact(request, response);
    provider.callback()(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, configuration(account, key, adapter));
  const made: TestProvider = {
    issuer,
    account,
    asked,
    away: null,
    denies: false,
    options: { 'sign-in-issuer': issuer, 'sign-in-client-id': CLIENT_ID },
    sign: (claims, by = privateKey) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(by),
    signIn: async (login, server, now) => {
      const proof = 'p'.repeat(43);
      const iat = Math.floor(now / 1000);
      const nonce = createHash('sha256').update(nonceText(proof, server)).digest('base64url');
      const times = { iat, exp: iat + 300 };
      const who = { iss: issuer, aud: CLIENT_ID, sub: login, email: login, email_verified: true };
      const id_token = await made.sign({ ...who, ...times, nonce });
      return { sign_in: { id_token, proof } };
    },
    forgetNonces,
    forgetAll: clear,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return made;
};

/**
 * Opens an address as a browser does. Returns the last page's status and address, which may be that of the app's own listener.
 * @param stop an address that begins so is returned and not opened
 */
export const browse = async (
  address: string,
  stop?: string,
): Promise<{ status: number; url: string }> => {
  const jar = new Map<string, string>();
  let url = address;
  for (let step = 0; step < 20; step += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    const next = answer.headers.get('location');
    if (next === null) {
      await answer.arrayBuffer();
      return { status: answer.status, url };
    }
    url = new URL(next, url).href;
    if (stop !== undefined && url.startsWith(stop)) return { status: 0, url };
  }
  throw new Error(`${address} redirects for ever`);
};
