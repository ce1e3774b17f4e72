/** Connects to a server or to a service on this laptop, returns to an earlier session, and signs out. */
import type { ConnectInput, SessionView } from '../../contract/host.ts';
import { fail, ok, type Result } from '../../contract/problem.ts';
import { normaliseAddress } from '../http/address.ts';
import { withinAMoment } from '../vault/patience.ts';
import type { Identity, Stored } from './identity.ts';
import { isHere, shown, tokenOf, type SessionState } from './session-state.ts';
import type { Target } from '../http/request.ts';
import type { Here, SessionParts } from './session-types.ts';
import type { Enrolments } from './enrolment.ts';
import { writeSecret, type Grant, type Secret } from './sign-in/grant.ts';
import type { SignIns } from './sign-in/sign-in.ts';
import type { Tokens } from './token.ts';

/** Time allowed for the embedded service to create its data on a slow, busy laptop, in milliseconds. */
const FIRST_START_MS = 180_000;

export const createConnections = (
  state: SessionState,
  tokens: Tokens,
  { describe }: Identity,
  { enrolments, signIns }: { readonly enrolments: Enrolments; readonly signIns: SignIns },
  { vault, services, local_company, provider, log }: SessionParts,
) => {
  /**
   * Removes other accounts' tokens and stops unused services. Runs after the file names the new session, so that a crash before
   * that leaves the old one working.
   */
  const leaveOthers = async (): Promise<void> => {
    await withinAMoment(tokens.eraseOthers());
    for (const kind of ['this_laptop', 'local_company'] as const)
      if (state.stored.kind !== kind) await services[kind].stop();
  };

  const become = async (
    ...next: Parameters<SessionState['keep']>
  ): Promise<Result<SessionView>> => {
    const was = { stored: state.stored, token: state.token, grant: state.grant };
    const kept = await state.keep(...next);
    if (kept.ok) {
      state.locked = false;
      noteLeft(was);
    }
    // If the new session could not be saved, this removes its token and service. The previous session stays.
    await leaveOthers();
    return kept.ok ? ok(state.view()) : kept;
  };

  /** Remembers the previous session, so that returning to it needs no token. */
  const noteLeft = (was: { readonly stored: Stored } & Secret): void => {
    const { account, kind, signed_out } = was.stored;
    if (kind === 'server' && !signed_out && account !== null && was.token !== null)
      state.left.set(account, was);
    state.left.delete(state.stored.account ?? '');
    state.changed();
  };

  const connectLeft = async (account: string): Promise<Result<SessionView>> => {
    const known = state.left.get(account);
    if (known === undefined) return fail({ kind: 'signed_out', detail: 'no token in this run' });
    const secret = writeSecret(known.token ?? '', known.grant);
    const kept = await tokens.keepToken(account, secret);
    return kept.ok ? become(known.stored, known) : kept;
  };

  const connectHere = async (input: ConnectInput & { kind: Here }) => {
    const { kind } = input;
    if (kind === 'local_company') {
      if (input.names === undefined && !local_company.exists())
        return fail({ kind: 'not_connected' });
      const made = input.names === undefined ? ok(null) : await local_company.make(input.names);
      if (!made.ok) return made;
    }
    const service = await services[kind].running(FIRST_START_MS);
    if (!service.ok) return service;
    const { url, company_id, project_id } = service.value;
    const sample_user = input.kind === 'this_laptop' ? (input.level ?? null) : null;
    const target = { base: url, token: tokenOf(service.value, sample_user), company_id };
    const next = await describe(kind, target, project_id, { sample_user });
    if (!next.ok) return next;
    return become(next.value, { token: null, grant: null }, shown(vault, 'ok'));
  };

  const connectServer = async (input: Extract<ConnectInput, { kind: 'server' }>) => {
    const base = normaliseAddress(input.address);
    if (!base.ok) return base;
    const token = input.token.trim();
    return connectTarget(
      { base: base.value, token, company_id: input.company_id },
      input.project_id,
    );
  };

  const connectTarget = async (
    target: Target,
    projectId: number,
    grant: Secret['grant'] = null,
  ) => {
    const next = await describe('server', target, projectId, { signed_in_with: grant?.issuer });
    if (!next.ok) return next;
    const { account } = next.value;
    const { token } = target;
    const kept = await tokens.keepToken(account ?? '', writeSecret(token, grant));
    if (!kept.ok) return kept;
    return become(next.value, { token, grant });
  };

  const connectCode = async ({ address, code, project_id }: ConnectInput & { kind: 'code' }) => {
    const target = await enrolments.exchange(address, code);
    if (!target.ok) return target;
    const connected = await connectTarget(target.value, project_id);
    if (connected.ok) enrolments.forget();
    return connected;
  };

  const connectSignIn = async (input: ConnectInput & { kind: 'sign_in' }) => {
    const { address, company_id, project_id } = input;
    const found = signIns.waiting(address);
    if (found === null) return fail({ kind: 'signed_out', detail: 'nobody has signed in' });
    const { base, token, grant } = found;
    const connected = await connectTarget({ base, token, company_id }, project_id, grant);
    if (connected.ok) signIns.forget();
    return connected;
  };

  const connect = (input: ConnectInput): Promise<Result<SessionView>> => {
    if (input.kind === 'left') return connectLeft(input.account);
    if (input.kind === 'code') return connectCode(input);
    if (input.kind === 'sign_in') return connectSignIn(input);
    return input.kind === 'server' ? connectServer(input) : connectHere(input);
  };

  /** Nobody waits for it: a laptop without a network signs out as well, and the provider's token then ends by its time. */
  const endAtProvider = async (grant: Grant, refresh_token: string): Promise<void> => {
    const ended = await provider.revoke(grant, refresh_token);
    if (!ended.ok)
      log({ level: 'warn', message: 'signed out here; the identity provider was not told' });
  };

  const signOut = async (): Promise<Result<SessionView>> => {
    const { stored: was, grant } = state;
    state.token = null;
    state.grant = null;
    state.refusedToken = null;
    state.locked = false;
    // The next person at this laptop must not reach another server without a token.
    state.left.clear();
    enrolments.forget();
    signIns.cancel();
    signIns.forget();
    if (was.kind === 'server' && was.account !== null)
      await withinAMoment(vault.remove(was.account));
    if (grant?.refresh_token) void endAtProvider(grant, grant.refresh_token);
    if (isHere(was.kind)) await services[was.kind].stop();
    if (was.kind === null) return ok(state.view());
    const kept = await state.keep({ ...was, signed_out: true });
    if (kept.ok) return kept;
    state.stored = { ...was, signed_out: true }; // a full disk must not keep a session alive
    state.changed();
    return ok(state.view());
  };

  return { connect, signOut };
};
