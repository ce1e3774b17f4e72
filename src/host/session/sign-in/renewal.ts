/**
 * Renews the bearer of a session that signed in with an identity provider: before it ends, and after the server has refused it
 * (decisions §12.9). One renewal runs at a time, because many providers accept a refresh token once. The new one is in the keychain
 * before the old one is forgotten. A provider that refuses ends the session; one that is away only delays it, and the queue waits.
 */
import { fail, ok, type Problem, type Result } from '../../../contract/problem.ts';
import { writeSecret, type Grant } from './grant.ts';
import type { SessionParts } from '../session-types.ts';
import type { SessionState } from '../session-state.ts';
import { exchangeIdToken } from './sign-in.ts';
import type { Tokens } from '../token.ts';

/** Milliseconds before its end at which a bearer is renewed. A shorter one is renewed after two thirds of its time. */
const AHEAD_MS = 5 * 60_000;
/** Milliseconds after a failed attempt before the next. */
const PAUSE_MS = 5_000;

export type Renewal = ReturnType<typeof createRenewal>;

/** The request was not sent, or was refused: whatever broke between, nothing was carried out. */
const notSent = (problem: Problem): Result<never> => {
  if (problem.kind === 'offline' || problem.kind === 'timeout')
    return fail({ kind: 'offline', reason: 'refused', detail: 'the sign-in cannot be renewed' });
  if (problem.kind === 'server_error')
    return fail({ kind: 'busy', retry_after_ms: problem.retry_after_ms });
  if (problem.kind === 'broken_reply') return fail({ kind: 'busy', retry_after_ms: null });
  return fail(problem);
};

export const createRenewal = (
  state: SessionState,
  tokens: Tokens,
  { api, provider, clock, log }: Pick<SessionParts, 'api' | 'provider' | 'clock' | 'log'>,
) => {
  let failed: {
    readonly token: string;
    readonly at: number;
    readonly result: Result<never>;
  } | null = null;

  const end = (detail: string): Result<never> => {
    log({ level: 'warn', message: 'the sign-in could not be renewed: signed out' });
    state.refusedToken = state.token;
    state.changed();
    return fail({ kind: 'signed_out', detail });
  };

  const keep = async (token: string, grant: Grant): Promise<void> => {
    const { account } = state.stored;
    await tokens.keepToken(account ?? '', writeSecret(token, grant));
    state.token = token;
    state.grant = grant;
  };

  const renewNow = async (used: string): Promise<Result<null>> => {
    const { grant, token, stored } = state;
    if (token !== used || grant === null || stored.signed_out) return ok(null);
    if (state.refusedToken === token) return fail({ kind: 'signed_out', detail: 'it was refused' });
    if (grant.refresh_token === null) return end('the provider gave no refresh token');
    const given = await provider.refresh(grant, grant.refresh_token);
    if (!given.ok) return given.problem.kind === 'signed_out' ? end(given.problem.detail) : given;
    const { id_token } = given.value;
    const next = { ...grant, refresh_token: given.value.refresh_token ?? grant.refresh_token };
    // Kept before the exchange: the provider may have forgotten the old one already.
    if (next.refresh_token !== grant.refresh_token) await keep(token, next);
    const { proof, ticket } = grant;
    const bearer = await exchangeIdToken(api, stored.address ?? '', { id_token, proof, ticket });
    if (!bearer.ok)
      return bearer.problem.kind === 'bad_input' ? end('the server refused it') : bearer;
    await keep(bearer.value.token, { ...next, expires_at: Date.parse(bearer.value.expires_at) });
    state.changed();
    return ok(null);
  };

  /**
   * Replaces this bearer, unless somebody has. `signed_out` if the user must sign in again; any other problem passes, and says that
   * nothing was carried out.
   */
  const renew = (used: string): Promise<Result<null>> =>
    state.inTurn(async () => {
      if (failed?.token === used && clock.monotonic() - failed.at < PAUSE_MS) return failed.result;
      const result = await renewNow(used);
      if (result.ok) return result;
      const refused = notSent(result.problem);
      failed = { token: used, at: clock.monotonic(), result: refused };
      return refused;
    });

  /** Renews the bearer if it ends soon. A problem only if it has ended. */
  const ahead = async (): Promise<Result<null>> => {
    const { grant, token } = state;
    if (grant === null || token === null) return ok(null);
    const left = grant.expires_at - state.now();
    if (left > AHEAD_MS) return ok(null);
    const renewed = await renew(token);
    if (renewed.ok || renewed.problem.kind === 'signed_out') return renewed;
    return left > 0 ? ok(null) : renewed;
  };

  return { renew, ahead };
};
