/**
 * The current session: the one place that joins a server, a company, a user and a token. `session-state.ts` holds it, `token.ts`
 * stores the token, `connect.ts` replaces the session, `refusals.ts` decides when the server has ended it.
 */
import { setTimeout } from 'node:timers/promises';
import { fail, ok, type Result } from '../../contract/problem.ts';
import { createEnrolments } from './enrolment.ts';
import { createIdentity, isMissing, type Identity } from './identity.ts';
import { codeOf } from '../lib/log.ts';
import type { Batches } from '../http/batches.ts';
import type { ApiReply, Target } from '../http/request.ts';
import { createSentOnce } from '../http/in-flight-dedupe.ts';
import { createConnections } from './connect.ts';
import { namesIn, type ResponseNames } from './names-from-responses.ts';
import { createRefusals } from './refusals.ts';
import type { Session, SessionParts } from './session-types.ts';
import { isHere, openState, shown, tokenOf, type SessionState } from './session-state.ts';
import { createRenewal, type Renewal } from './sign-in/renewal.ts';
import { createSignIns } from './sign-in/sign-in.ts';
import { createTokens, type Tokens } from './token.ts';
import { withinAMoment } from '../vault/patience.ts';

/** How long startup waits for the keychain, in milliseconds. */
const OPENING_MS = 1_000;

/** Finds out where to send a request, with which token. `reading` settles when the keychain was asked at the start. */
const createTarget = (
  state: SessionState,
  { describe }: Identity,
  services: SessionParts['services'],
  { ahead }: Renewal,
  reading: () => Promise<void> | null,
): Session['target'] => {
  /** The embedded service may return with another company if its data folder was emptied. Update the account. */
  const followEmbedded = async (target: Target, projectId: number): Promise<void> => {
    if (!isHere(state.stored.kind) || state.stored.company?.id === target.company_id) return;
    const { kind, sample_user } = state.stored;
    const next = await describe(kind, target, projectId, { sample_user });
    if (next.ok) await state.keep(next.value);
  };

  const anyTarget = async (): Promise<Result<Target>> => {
    if (state.stored.kind === null || state.stored.company === null)
      return fail({ kind: 'not_connected' });
    if (state.stored.signed_out)
      return fail({ kind: 'signed_out', detail: 'signed out on this laptop' });
    if (state.refusedToken !== null)
      return fail({ kind: 'signed_out', detail: 'the server refused the token' });
    await reading();
    if (isHere(state.stored.kind)) {
      const service = await services[state.stored.kind].running();
      if (!service.ok) return service;
      const { url, company_id, project_id } = service.value;
      const token = tokenOf(service.value, state.stored.sample_user);
      const here = { base: url, token, company_id };
      if (state.stored.company.id !== company_id)
        await state.inTurn(() => followEmbedded(here, project_id));
      return ok(here);
    }
    if (state.token !== null) {
      const { account } = state.stored;
      const renewed = await ahead();
      if (!renewed.ok) return renewed;
      // Another account may have been connected meanwhile.
      if (state.stored.account !== account) return anyTarget();
      const { address, company } = state.stored;
      if (state.token !== null)
        return ok({ base: address ?? '', token: state.token, company_id: company?.id ?? 0 });
    }
    if (state.locked && state.keychain.state !== 'ok')
      return fail({ kind: 'vault', state: state.keychain.state });
    return fail({ kind: 'signed_out', detail: 'no token on this laptop' });
  };

  return async (account) => {
    const found = await anyTarget();
    if (!found.ok || account === undefined || state.stored.account === account) return found;
    return fail({ kind: 'cancelled' });
  };
};

/** Sends requests with the session's target. Learns names from the responses. */
const createRequests = (
  state: SessionState,
  target: Session['target'],
  believe: Session['believe'],
  batches: Batches,
) => {
  /** Updates the names of the company and the project, and the user's level, from any response that contains them. */
  const learn = async (used: Target, names: ResponseNames): Promise<void> => {
    const { company, project, level } = state.stored;
    if (company === null || company.id !== used.company_id) return;
    const next = {
      company: { ...company, name: names.companies.get(company.id) ?? company.name },
      project: project && { ...project, name: names.projects.get(project.id) ?? project.name },
      level: names.levels.has(company.id) ? (names.levels.get(company.id) ?? null) : level,
    };
    const isSame = next.company.name === company.name && next.project?.name === project?.name;
    if (isSame && next.level === level) return;
    await state.inTurn(async () => {
      // The session may have changed meanwhile.
      if (state.stored.company === company && state.stored.project === project)
        await state.keep({ ...state.stored, ...next });
    });
  };

  const once = createSentOnce<ApiReply>();
  const request: Session['request'] = (name, input, account) => {
    const as = account ?? state.stored.account;
    const write = input.idempotency_key === undefined ? null : [as, name, input];
    return once.send(write, () => requestNow(name, input, account));
  };
  /** Once more if the bearer was renewed because the server refused it: then nothing was carried out. */
  const sendTo = async (to: Target, ...[name, input, account]: Parameters<Session['request']>) => {
    const result = await believe(to, await batches.request(to, name, input));
    if (result.ok || result.problem.kind !== 'busy') return result;
    const next = await target(account);
    if (!next.ok || next.value.token === to.token || next.value.base !== to.base) return result;
    return believe(next.value, await batches.request(next.value, name, input));
  };
  const requestNow: Session['request'] = async (name, input, account) => {
    const to = await target(account);
    if (!to.ok) return to;
    const result = await sendTo(to.value, name, input, account);
    if (result.ok) await learn(to.value, namesIn(name, result.value.data));
    return result;
  };

  return { request, learn, forget: once.forget };
};

/**
 * Reads the token when the app starts. A hanging keychain must not keep the window from opening: waits a moment, then continues
 * in the background. Returns the read as long as it runs.
 */
const readAtStart = async (
  state: SessionState,
  tokens: Tokens,
  { vault, log }: SessionParts,
): Promise<() => Promise<void> | null> => {
  const report = (error: unknown): void =>
    log({ level: 'error', message: 'vault', code: codeOf(error) });
  let reading: Promise<void> | null = state
    .inTurn(tokens.readToken)
    .catch(report)
    .finally(() => (reading = null));
  if (state.stored.kind === 'server' && !state.stored.signed_out) {
    state.locked = true;
    state.keychain = shown(vault, 'asking');
    await Promise.race([reading, setTimeout(OPENING_MS, undefined, { ref: false })]);
    if (reading) void reading.then(state.changed);
  }
  void state.inTurn(() => withinAMoment(tokens.eraseOthers())).catch(report);
  return () => reading;
};

export const openSession = async (parts: SessionParts): Promise<Session> => {
  const { api, batches, vault, services, log } = parts;
  const state = await openState(parts);
  const tokens = createTokens(state, vault, log);
  const identity = createIdentity(api, state.note);
  const enrolments = createEnrolments(api, identity);
  const signIns = createSignIns(parts, identity);
  const renewal = createRenewal(state, tokens, parts);
  const { believe, askAgain } = createRefusals(state, identity, parts, renewal);
  const handed = { enrolments, signIns };
  const { connect, signOut } = createConnections(state, tokens, identity, handed, parts);
  const reading = await readAtStart(state, tokens, parts);
  const target = createTarget(state, identity, services, renewal, reading);
  const { request, learn, forget } = createRequests(state, target, believe, batches);
  if (state.phase() === 'ready' && isHere(state.stored.kind))
    void services[state.stored.kind].running();

  const reach: Session['reach'] = async () => {
    const to = await target();
    if (!to.ok) return to;
    const answer = await api.call(to.value, 'me.show', { params: {} });
    if (answer.ok) {
      state.note(answer.value.server_time);
      await learn(to.value, namesIn('me.show', answer.value.data));
      return ok({ server_time: answer.value.server_time });
    }
    const counts = isMissing(answer.problem) ? await identity.tokenCounts(to.value) : answer;
    const believed = await believe(to.value, counts);
    return believed.ok ? ok({ server_time: null }) : believed;
  };

  const chooseProject: Session['chooseProject'] = async (projectId) => {
    const { account } = state.stored;
    const to = await target(); // before `inTurn`: `target` may need a turn, too
    return state.inTurn(async () => {
      if (!to.ok) return to;
      // Another window connected elsewhere meanwhile, so the project belongs to the previous session.
      if (state.stored.account !== account) return fail({ kind: 'cancelled' });
      const me = await identity.whoIs(to.value);
      if (!me.ok) return me;
      const project = await identity.findProject(to.value, me.value, projectId);
      return project.ok ? state.keep({ ...state.stored, project: project.value }) : project;
    });
  };

  return {
    view: state.view,
    tryServer: identity.tryServer,
    enrol: (address, code) => state.inTurn(() => enrolments.enrol(address, code)),
    offer: signIns.offer,
    // Outside of turns: a person takes minutes in the browser.
    signIn: signIns.signIn,
    cancelSignIn: signIns.cancel,
    connect: (input) => state.inTurn(() => connect(input)),
    chooseProject,
    signOut: () => state.inTurn(signOut),
    unlock: () =>
      state.inTurn(async () => {
        await tokens.readToken();
        state.changed();
        return ok(state.view());
      }),
    target,
    request,
    believe,
    askAgain,
    reach,
    // `inTurn` keeps others from connecting or signing out meanwhile.
    withoutService: (work) =>
      state.inTurn(async () => {
        const { kind, signed_out } = state.stored;
        if (!isHere(kind) || signed_out) return null;
        // The work may restore older data, so forget earlier responses.
        return services[kind].without(work).finally(forget);
      }),
    now: state.now,
  };
};
