/**
 * Whom the app talks to, as whom: the one place that joins a server, a company, a user and a token. The token is in the
 * vault (and in this process's memory) only; `session.json` keeps the rest. A 401 ends the session (`signed_out`)
 * without touching the queue; a locked or hung keychain is `locked`, which waits and loses nothing (design §3.4).
 */
import { createHash } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import {
  sessionView,
  type ConnectInput,
  type SessionView,
  type VaultView,
} from '../contract/host.ts';
import type { Me } from '../contract/rest/me.ts';
import { fail, ok, type Problem, type Result } from '../contract/problem.ts';
import { normaliseAddress } from './address.ts';
import type { Clock } from './clock.ts';
import type { Embedded } from './embedded.ts';
import { failFile, readIfThere, writeFileAtomic } from './files.ts';
import { codeOf, type Log } from './log.ts';
import type { Api, ApiReply, LooseInput, Target } from './request.ts';
import type { Vault, VaultState } from './vault/index.ts';

export interface Session {
  view(): SessionView;
  tryServer(
    address: string,
    token: string,
    companyId: number,
  ): Promise<Result<{ address: string; me: Me | null }>>;
  connect(input: ConnectInput): Promise<Result<SessionView>>;
  chooseProject(projectId: number): Promise<Result<SessionView>>;
  signOut(): Promise<Result<SessionView>>;
  unlock(): Promise<Result<SessionView>>;
  /** Server, token and company of now; `not_connected`, `signed_out` or `vault` where there are none. */
  target(): Promise<Result<Target>>;
  /** A request as this session; a 401 ends it. */
  request(name: string, input: LooseInput, signal?: AbortSignal): Promise<Result<ApiReply>>;
  /** What a part that makes its own exchanges reports: a 401 to this target's token, or the server's time. */
  heard(target: Target, result: Result<{ readonly server_time: number | null }>): Promise<void>;
  reach(): Promise<Result<{ server_time: number | null }>>;
  /** Milliseconds since the epoch, corrected by the server's clock (design §3.6). */
  now(): number;
}

export interface SessionParts {
  readonly folder: string;
  readonly api: Api;
  readonly vault: Vault;
  readonly embedded: Embedded;
  readonly clock: Clock;
  readonly log: Log;
  readonly changed: (view: SessionView) => void;
}

const storedSchema = sessionView
  .pick({ kind: true, address: true, account: true, company: true, project: true, user: true })
  .extend({ version: z.literal(1), signed_out: z.boolean() });
type Stored = z.infer<typeof storedSchema>;

const noSession: Stored = {
  version: 1,
  kind: null,
  address: null,
  account: null,
  company: null,
  project: null,
  user: null,
  signed_out: false,
};

/** How long the start waits for the keychain. */
const OPENING_MS = 1_000;

/** An upload nobody has: asks a server without `/me` whether a token counts, without knowing a project. */
const NO_UPLOAD = '00000000-0000-4000-8000-000000000000';

const badField = (name: string, message: string): Result<never> =>
  fail({ kind: 'bad_input', messages: [message], fields: { [name]: [message] } });

/** Names a token without telling it: for an account on a server that cannot say who the user is. */
const fingerprint = (token: string): string =>
  `token-${createHash('sha256').update(`spotter account ${token}`).digest('hex').slice(0, 16)}`;

/** `gone`, or a 405: the server lacks this addition of ours. */
const isMissing = (problem: Problem): boolean =>
  problem.kind === 'gone' || (problem.kind === 'refused' && problem.status === 405);

const readStored = async (path: string, log: Log): Promise<Stored> => {
  try {
    const text = await readIfThere(path);
    return text === null ? noSession : storedSchema.parse(JSON.parse(text));
  } catch {
    log({ level: 'warn', message: 'session file damaged: set aside' });
    await rename(path, `${path}.damaged`).catch(() => undefined);
    return noSession;
  }
};

/** How the token is kept, as the window shows it: without a keychain, or while it refuses, in memory. */
const shown = (vault: Vault, state: VaultState): VaultView =>
  vault.kind === 'memory'
    ? { kind: 'memory', state: 'absent' }
    : { kind: state === 'ok' ? 'keychain' : 'memory', state };

export const openSession = async (parts: SessionParts): Promise<Session> => {
  const { api, vault, embedded, clock, log } = parts;
  const path = join(parts.folder, 'session.json');
  let stored = await readStored(path, log);
  let token: string | null = null;
  let locked = false;
  let keychain: VaultView = shown(vault, 'ok');
  let offset = 0;
  let last: Promise<unknown> = Promise.resolve();

  const stateNow = (): SessionView['state'] => {
    if (stored.kind === null) return 'none';
    if (stored.signed_out) return 'signed_out';
    if (stored.kind === 'this_laptop' || token !== null) return 'ready';
    return locked ? 'locked' : 'signed_out';
  };

  const view = (): SessionView => {
    const { version: _version, signed_out: _signedOut, ...known } = stored;
    return { state: stateNow(), ...known, vault: keychain };
  };

  /** The file first, then the memory: what the window hears is what a restart finds. */
  const keep = async (next: Stored): Promise<Result<SessionView>> => {
    try {
      await writeFileAtomic(path, JSON.stringify(next));
    } catch (error) {
      return failFile(error);
    }
    stored = next;
    parts.changed(view());
    return ok(view());
  };

  /** Changes of the session happen one after the other. */
  const inTurn = <T>(change: () => Promise<T>): Promise<T> => {
    const result = last.then(change);
    last = result.catch(() => undefined);
    return result;
  };

  const readToken = async (): Promise<void> => {
    if (stored.kind !== 'server' || stored.account === null) return;
    const read = await vault.get(stored.account);
    if (stored.signed_out) return; // asked only so that a removal that had to wait is made good
    token = read.state === 'ok' ? read.token : null;
    const state = read.state === 'empty' ? 'ok' : read.state;
    // Our own note says a token is there: the keychain cannot give it now, and asking to sign in would be wrong.
    locked = read.state !== 'ok' && read.state !== 'empty' && (await vault.holds(stored.account));
    keychain = shown(vault, state);
  };

  /** Keeps a token for an account: in the keychain, or else in memory for this run, and says which. */
  const keepToken = async (account: string, given: string): Promise<Result<null>> => {
    const wrote = await vault.set(account, given);
    if (wrote === 'too_long') return fail({ kind: 'vault', state: 'too_long' });
    keychain = shown(vault, wrote);
    token = given;
    locked = false;
    return ok(null);
  };

  const whoIs = async (target: Target): Promise<Result<Me | null>> => {
    const answer = await api.call(target, 'me.show', { params: {} });
    if (answer.ok) {
      note(answer.value.server_time);
      return ok(answer.value.data);
    }
    return isMissing(answer.problem) ? ok(null) : answer;
  };

  const note = (serverTime: number | null): void => {
    if (serverTime !== null) offset = serverTime - clock.now();
  };

  /** Does the token count, on a server that lacks `/me`? Any answer but a refusal of the token says yes. */
  const tokenCounts = async (target: Target): Promise<Result<null>> => {
    const probe = await api.call(target, 'uploads.show', {
      params: { company_id: target.company_id, uuid: NO_UPLOAD },
    });
    if (probe.ok || isMissing(probe.problem)) return ok(null);
    return probe;
  };

  const tryServer: Session['tryServer'] = async (address, given, companyId) => {
    const base = normaliseAddress(address);
    if (!base.ok) return base;
    const target = { base: base.value, token: given.trim(), company_id: companyId };
    const me = await whoIs(target);
    if (!me.ok) return me;
    if (me.value === null) {
      const counts = await tokenCounts(target);
      if (!counts.ok) return counts;
    }
    return ok({ address: base.value, me: me.value });
  };

  /** A project as this token sees it; `bad_input` where it is not there. */
  const findProject = async (
    target: Target,
    me: Me | null,
    projectId: number,
  ): Promise<Result<{ id: number; name: string }>> => {
    const missing = `There is no project ${projectId} for this token in company ${target.company_id}.`;
    if (me) {
      const found = me.projects.find(
        (project) => project.id === projectId && project.company_id === target.company_id,
      );
      return found ? ok({ id: found.id, name: found.name }) : badField('project_id', missing);
    }
    const asked = await api.call(target, 'near_misses.list', {
      params: { project_id: projectId },
      query: { per_page: 1 },
    });
    if (asked.ok) return ok({ id: projectId, name: `Project ${projectId}` });
    return asked.problem.kind === 'gone' ? badField('project_id', missing) : asked;
  };

  const findCompany = (me: Me | null, companyId: number) => {
    if (!me) return ok({ id: companyId, name: `Company ${companyId}` });
    const found = me.companies.find((company) => company.id === companyId);
    return found
      ? ok({ id: found.id, name: found.name })
      : badField('company_id', `This token's user does not belong to company ${companyId}.`);
  };

  /** Everything about a server, a token, a company and a project that the session keeps; the token is not in it. */
  const describe = async (
    kind: 'this_laptop' | 'server',
    target: Target,
    projectId: number,
  ): Promise<Result<Stored>> => {
    const me = await whoIs(target);
    if (!me.ok) return me;
    const company = findCompany(me.value, target.company_id);
    if (!company.ok) return company;
    const project = await findProject(target, me.value, projectId);
    if (!project.ok) return project;
    const user = me.value?.user ?? null;
    const server = kind === 'server' ? target.base : 'this-laptop';
    const who = user ? String(user.id) : kind === 'server' ? fingerprint(target.token) : 'me';
    return ok({
      version: 1,
      kind,
      address: kind === 'server' ? target.base : null,
      account: `${server}/${target.company_id}/${who}`,
      company: company.value,
      project: project.value,
      user,
      signed_out: false,
    });
  };

  const leave = async (next: Stored): Promise<void> => {
    if (stored.kind === 'server' && stored.account !== null && stored.account !== next.account)
      await vault.remove(stored.account);
    if (next.kind === 'server') await embedded.stop();
  };

  const connectHere = async (): Promise<Result<SessionView>> => {
    const service = await embedded.running();
    if (!service.ok) return service;
    const { url, company_id, project_id } = service.value;
    const target = { base: url, token: service.value.token, company_id };
    const next = await describe('this_laptop', target, project_id);
    if (!next.ok) return next;
    await leave(next.value);
    token = null;
    locked = false;
    keychain = shown(vault, 'ok');
    return keep(next.value);
  };

  const connectServer = async (input: Extract<ConnectInput, { kind: 'server' }>) => {
    const base = normaliseAddress(input.address);
    if (!base.ok) return base;
    const given = input.token.trim();
    const target = { base: base.value, token: given, company_id: input.company_id };
    const next = await describe('server', target, input.project_id);
    if (!next.ok) return next;
    const { account } = next.value;
    const kept = await keepToken(account ?? '', given);
    if (!kept.ok) return kept;
    await leave(next.value);
    return keep(next.value);
  };

  /** The embedded service may have come back as another company (its data folder was emptied): the account follows. */
  const followEmbedded = async (target: Target, projectId: number): Promise<void> => {
    if (stored.kind !== 'this_laptop' || stored.company?.id === target.company_id) return;
    const next = await describe('this_laptop', target, projectId);
    if (next.ok) await keep(next.value);
  };

  const target = async (): Promise<Result<Target>> => {
    if (stored.kind === null || stored.company === null) return fail({ kind: 'not_connected' });
    if (stored.signed_out) return fail({ kind: 'signed_out', detail: 'signed out on this laptop' });
    await reading;
    if (stored.kind === 'this_laptop') {
      const service = await embedded.running();
      if (!service.ok) return service;
      const { url, company_id, project_id } = service.value;
      const here = { base: url, token: service.value.token, company_id };
      if (stored.company.id !== company_id) await inTurn(() => followEmbedded(here, project_id));
      return ok(here);
    }
    if (token !== null)
      return ok({ base: stored.address ?? '', token, company_id: stored.company.id });
    if (locked && keychain.state !== 'ok') return fail({ kind: 'vault', state: keychain.state });
    return fail({ kind: 'signed_out', detail: 'no token on this laptop' });
  };

  /** A 401: only the token that was refused is forgotten, not one that was entered meanwhile. */
  const refused = (used: Target): Promise<void> =>
    inTurn(async () => {
      if (stored.signed_out || stored.kind === null) return;
      const service = stored.kind === 'this_laptop' ? await embedded.running() : null;
      const current = service?.ok ? service.value.token : token;
      if (current !== used.token) return;
      log({ level: 'warn', message: 'the server refused the token: signed out' });
      await forget();
    });

  const forget = async (): Promise<Result<SessionView>> => {
    const was = stored;
    token = null;
    locked = false;
    if (was.kind === 'server' && was.account !== null) await vault.remove(was.account);
    if (was.kind === 'this_laptop') await embedded.stop();
    if (was.kind === null) return ok(view());
    const kept = await keep({ ...was, signed_out: true });
    if (kept.ok) return kept;
    stored = { ...was, signed_out: true }; // a full disk must not keep a session alive
    parts.changed(view());
    return ok(view());
  };

  const heard: Session['heard'] = async (used, result) => {
    if (result.ok) note(result.value.server_time);
    else if (result.problem.kind === 'signed_out') await refused(used);
  };

  const request: Session['request'] = async (name, input, signal) => {
    const to = await target();
    if (!to.ok) return to;
    const result = await api.request(to.value, name, input, signal);
    await heard(to.value, result);
    return result;
  };

  const reach: Session['reach'] = async () => {
    const to = await target();
    if (!to.ok) return to;
    const answer = await api.call(to.value, 'me.show', { params: {} });
    await heard(to.value, answer);
    if (answer.ok) return ok({ server_time: answer.value.server_time });
    if (!isMissing(answer.problem)) return answer;
    const counts = await tokenCounts(to.value);
    if (!counts.ok) await heard(to.value, counts);
    return counts.ok ? ok({ server_time: null }) : counts;
  };

  // A keychain that hangs must not keep the window from opening: it is waited for a moment, then in the background.
  let reading: Promise<void> | null = inTurn(readToken)
    .catch((error: unknown) => log({ level: 'error', message: 'vault', code: codeOf(error) }))
    .finally(() => (reading = null));
  if (stored.kind === 'server' && !stored.signed_out) {
    locked = true;
    keychain = shown(vault, 'hung');
    await Promise.race([reading, setTimeout(OPENING_MS, undefined, { ref: false })]);
    if (reading) void reading.then(() => parts.changed(view()));
  }
  if (stateNow() === 'ready' && stored.kind === 'this_laptop') void embedded.running();

  return {
    view,
    tryServer,
    connect: (input) =>
      inTurn(() => (input.kind === 'server' ? connectServer(input) : connectHere())),
    chooseProject: async (projectId) => {
      const to = await target(); // before the turn: it may take one itself
      return inTurn(async () => {
        if (!to.ok) return to;
        const me = await whoIs(to.value);
        if (!me.ok) return me;
        const project = await findProject(to.value, me.value, projectId);
        return project.ok ? keep({ ...stored, project: project.value }) : project;
      });
    },
    signOut: () => inTurn(forget),
    unlock: () =>
      inTurn(async () => {
        await readToken();
        parts.changed(view());
        return ok(view());
      }),
    target,
    request,
    heard,
    reach,
    now: () => clock.now() + offset,
  };
};
