/**
 * Signs in with the company's identity provider (decisions §12.9): asks the server for the provider, sends the system's browser there,
 * waits for its answer on this machine, and exchanges the ID token for a bearer of the server. Bearer and refresh token stay in memory
 * until the session is connected with them. No window sees either.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fail, ok, type Problem, type Result } from '../../../contract/problem.ts';
import { isProviderAddress } from '../../../contract/provider-address.ts';
import type { SignedInBearer, SignInOffer } from '../../../contract/rest/access/sign-in.ts';
import type { Me } from '../../../contract/rest/me.ts';
import { normaliseAddress } from '../../http/address.ts';
import type { Api, Target } from '../../http/request.ts';
import type { Grant } from './grant.ts';
import { isMissing, type Identity } from '../identity.ts';
import { listenForAnswer } from './loopback-answer.ts';
import { signInFault, type ProviderClient } from './provider-client.ts';

/** Milliseconds until a sign-in in the browser is given up. */
const ANSWER_MS = 10 * 60_000;

export interface SignInParts {
  readonly api: Api;
  readonly provider: ProviderClient;
  /** Opens an address in the system's browser; false if there is none. */
  readonly open_link: (href: string) => Promise<boolean>;
}

const nobody = (base: string): Target => ({ base, token: '', company_id: 0 });

/** `refused` of the exchange: the server knows nobody of that login, or refuses the ID token. */
const refusalOf = (problem: Problem): Result<never> => {
  if (problem.kind !== 'refused') return fail(problem);
  return problem.fields['sign_in.account'] === undefined
    ? signInFault('sign_in_refused', 'The server refused the sign-in.')
    : signInFault('sign_in_unknown', 'The server knows no such user.');
};

/** Exchanges an ID token for a bearer. `bad_input` if the server refuses it. */
export const exchangeIdToken = async (
  api: Api,
  base: string,
  sent: { readonly id_token: string; readonly proof: string; readonly ticket?: string },
): Promise<Result<SignedInBearer>> => {
  const name = hostname().trim().slice(0, 255);
  const answer = await api.call(nobody(base), 'sign_ins.create', {
    params: {},
    body: { sign_in: { ...sent, ...(name === '' ? {} : { name }) } },
  });
  return answer.ok ? ok(answer.value.data) : refusalOf(answer.problem);
};

export const createSignIns = ({ api, provider, open_link }: SignInParts, { whoIs }: Identity) => {
  let running: AbortController | null = null;
  let last: { readonly base: string; readonly token: string; readonly grant: Grant } | null = null;

  const offerOf = async (base: string): Promise<Result<SignInOffer | null>> => {
    const answer = await api.call(nobody(base), 'sign_ins.offer', { params: {} });
    if (answer.ok) {
      const { data } = answer.value;
      return ok(isProviderAddress(data.issuer) ? data : null);
    }
    // A server without our extension refuses the request for its missing token, or does not know the address.
    const { problem } = answer;
    return isMissing(problem) || problem.kind === 'signed_out' ? ok(null) : answer;
  };

  const offer = async (
    address: string,
  ): Promise<Result<{ address: string; issuer: string | null }>> => {
    const base = normaliseAddress(address);
    if (!base.ok) return base;
    const found = await offerOf(base.value);
    return found.ok ? ok({ address: base.value, issuer: found.value?.issuer ?? null }) : found;
  };

  const inBrowser = async (given: SignInOffer, server: string, signal: AbortSignal) => {
    const state = randomBytes(32).toString('base64url');
    const listener = await listenForAnswer(state);
    try {
      const { redirect_uri } = listener;
      const begun = await provider.begin(given, { redirect_uri, state, server });
      if (!begun.ok) return begun;
      if (signal.aborted) return fail({ kind: 'cancelled' } as const);
      if (!(await open_link(begun.value.url)))
        return signInFault('sign_in_browser', 'No browser could be opened.');
      const late = pause(ANSWER_MS, null, { signal, ref: false }).catch(() => null);
      const answer = await Promise.race([listener.answer, late]);
      if (signal.aborted) return fail({ kind: 'cancelled' } as const);
      if (answer === null) return signInFault('sign_in_late', 'No answer came in time.');
      const tokens = await begun.value.finish(answer);
      return tokens.ok ? ok({ ...tokens.value, proof: begun.value.proof }) : tokens;
    } finally {
      listener.close();
    }
  };

  const signInNow = async (base: string, signal: AbortSignal) => {
    const given = await offerOf(base);
    if (!given.ok) return given;
    if (given.value === null)
      return signInFault('sign_in_unsupported', 'The server has no identity provider.');
    const tokens = await inBrowser(given.value, base, signal);
    if (!tokens.ok)
      return tokens.problem.kind === 'signed_out'
        ? signInFault('sign_in_denied', tokens.problem.detail)
        : tokens;
    const { id_token, refresh_token, proof } = tokens.value;
    const bearer = await exchangeIdToken(api, base, { id_token, proof });
    if (!bearer.ok) return bearer;
    const { token, ticket } = bearer.value;
    const expires_at = Date.parse(bearer.value.expires_at);
    const grant = { ...given.value, refresh_token, proof, ticket, expires_at };
    const me = await whoIs({ ...nobody(base), token });
    if (!me.ok) return me;
    if (signal.aborted) return fail({ kind: 'cancelled' } as const);
    last = { base, token, grant };
    return ok({ address: base, me: me.value });
  };

  /** Resolves when the person has come back from the browser. A second call cancels the first. */
  const signIn = async (address: string): Promise<Result<{ address: string; me: Me | null }>> => {
    const base = normaliseAddress(address);
    if (!base.ok) return base;
    running?.abort();
    const own = new AbortController();
    running = own;
    try {
      return await signInNow(base.value, own.signal);
    } finally {
      own.abort();
      if (running === own) running = null;
    }
  };

  return {
    offer,
    signIn,
    cancel: () => running?.abort(),
    /** The sign-in that waits for its project at this address; null if there is none. */
    waiting: (address: string) => {
      const base = normaliseAddress(address);
      return base.ok && last?.base === base.value ? last : null;
    },
    forget: () => void (last = null),
  };
};
export type SignIns = ReturnType<typeof createSignIns>;
