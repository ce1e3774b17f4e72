/**
 * Whom the app talks to, as whom: the one place that joins a server, a company, a user and a token. The token is in the
 * vault (and in this process's memory) only; `session.json` keeps the rest. A 401 ends the session (`signed_out`)
 * without touching the queue; a locked or hung keychain is `locked`, which waits and loses nothing (outbox promise 4).
 */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type ConnectInput, type SessionView, type VaultView } from '../contract/host.ts';
import type { Me } from '../contract/rest/me.ts';
import { fail, ok, type Result } from '../contract/problem.ts';
import { normaliseAddress } from './address.ts';
import type { Clock } from './clock.ts';
import type { Embedded } from './embedded.ts';
import type { OwnFirm } from './own-firm.ts';
import { move } from '../disk/patient.ts';
import { failFile, readOwn, writeFileAtomic } from './files.ts';
import { createIdentity, isMissing, storedSchema, type Stored } from './identity.ts';
import { codeOf, type Log } from './log.ts';
import type { Api, ApiReply, LooseInput, Target } from './request.ts';
import { createSentOnce } from './sent-once.ts';
import { namesIn, type ToldNames } from './told-names.ts';
import type { Vault, VaultRead } from './vault/index.ts';
import { withinAMoment } from './vault/patience.ts';

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
  /**
   * Server, token and company of now; `not_connected`, `signed_out` or `vault` where there are none. With `account`:
   * only as that account, else `cancelled`, however late the session changed (failures A9).
   */
  target(account?: string): Promise<Result<Target>>;
  /** A request as this session (`account`: as `target`); a 401 ends it. */
  request(name: string, input: LooseInput, account?: string): Promise<Result<ApiReply>>;
  /** What a part that makes its own exchanges reports: a 401 to this target's token, or the server's time. */
  heard(target: Target, result: Result<{ readonly server_time: number | null }>): Promise<void>;
  reach(): Promise<Result<{ server_time: number | null }>>;
  /** Does something while this laptop's own service stands still; `null` where the session is not with that service. */
  withoutService<T>(work: () => Promise<Result<T>>): Promise<Result<T> | null>;
  /** Milliseconds since the epoch, corrected by the server's clock (outbox promise 6). */
  now(): number;
}

/** The kinds of a session with a service of this laptop itself. */
type Here = 'this_laptop' | 'own_firm';
const isHere = (kind: Stored['kind']): kind is Here =>
  kind === 'this_laptop' || kind === 'own_firm';

export interface SessionParts {
  readonly folder: string;
  readonly api: Api;
  readonly vault: Vault;
  /** The services of this laptop itself: sample data, and the firm that works on it. */
  readonly services: Readonly<Record<Here, Embedded>>;
  readonly firm: OwnFirm;
  readonly clock: Clock;
  readonly log: Log;
  readonly changed: (view: SessionView) => void;
}

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
/** What this laptop's own service may take to make its data, milliseconds: an old laptop that does much else. */
const FIRST_START_MS = 180_000;

/** @throws {Unreadable} */
const readStored = async (path: string, log: Log): Promise<Stored> => {
  const text = await readOwn(path);
  try {
    return text === null ? noSession : storedSchema.parse(JSON.parse(text));
  } catch {
    log({ level: 'warn', message: 'session file damaged: set aside' });
    await move(path, `${path}.damaged`).catch(() => undefined);
    return noSession;
  }
};

/** How the token is kept, as the window shows it: without a keychain, or while it refuses, in memory. */
const shown = (vault: Vault, state: VaultView['state']): VaultView =>
  vault.kind === 'memory'
    ? { kind: 'memory', state: 'absent' }
    : { kind: state === 'ok' ? 'keychain' : 'memory', state };

export const openSession = async (parts: SessionParts): Promise<Session> => {
  const { api, vault, services, clock, log } = parts;
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
    if (isHere(stored.kind) || token !== null) return 'ready';
    return locked ? 'locked' : 'signed_out';
  };

  const view = (): SessionView => {
    const { version: _version, signed_out: _signedOut, ...known } = stored;
    return { state: stateNow(), ...known, vault: keychain };
  };

  /** The file first, then the memory: what the window hears is what a restart finds. */
  const keep = async (
    next: Stored,
    nextToken: string | null = token,
    nextKeychain: VaultView = keychain,
  ): Promise<Result<SessionView>> => {
    try {
      await writeFileAtomic(path, JSON.stringify(next));
    } catch (error) {
      return failFile(error);
    }
    // Together: nobody may find one account's token under another's name.
    stored = next;
    token = nextToken;
    keychain = nextKeychain;
    parts.changed(view());
    return ok(view());
  };

  /** Changes of the session happen one after the other. */
  const inTurn = <T>(change: () => Promise<T>): Promise<T> => {
    const result = last.then(change);
    last = result.catch(() => undefined);
    return result;
  };

  /** The question that the keychain has not answered yet: who asks meanwhile waits for the same answer. */
  let question: { readonly account: string; readonly answer: Promise<VaultRead> } | null = null;
  const askKeychain = (account: string): Promise<VaultRead> => {
    if (question?.account === account) return question.answer;
    const answer = vault.get(account).finally(() => {
      if (question?.answer === answer) question = null;
    });
    question = { account, answer };
    return answer;
  };

  /** Takes what the keychain answered, however late: not over a token that was entered meanwhile. */
  const take = async (account: string, read: VaultRead): Promise<void> => {
    if (stored.account !== account || stored.signed_out || token !== null) return;
    // Our own note says a token is there: the keychain cannot give it now, and asking to sign in would be wrong.
    locked = read.state !== 'ok' && read.state !== 'empty' && (await vault.holds(account));
    token = read.state === 'ok' ? read.token : null;
    keychain = shown(vault, read.state === 'empty' ? 'ok' : read.state);
  };

  /** Waits a moment for it. Asked of a signed-out session too: a removal that had to wait is then made good. */
  const readToken = async (): Promise<void> => {
    if (stored.kind !== 'server' || stored.account === null) return;
    const { account } = stored;
    const answer = askKeychain(account);
    const read = await withinAMoment(answer);
    if (read !== 'asking') return take(account, read);
    if (!stored.signed_out && token === null) keychain = shown(vault, 'asking');
    hearLate(answer, (late) => take(account, late));
  };

  /** What comes of an answer after nobody waited for it any more. */
  const hearLate = <T>(answer: Promise<T>, then: (late: T) => Promise<void> | void): void => {
    const heard = answer.then((late) => inTurn(async () => then(late)));
    heard.then(
      () => parts.changed(view()),
      (error: unknown) => log({ level: 'error', message: 'vault', code: codeOf(error) }),
    );
  };

  /** Keeps a token for an account: in the keychain, or else in memory for this run, and says which. */
  const keepToken = async (account: string, given: string): Promise<Result<null>> => {
    const writing = vault.set(account, given);
    const wrote = await withinAMoment(writing);
    if (wrote === 'too_long') return fail({ kind: 'vault', state: 'too_long' });
    keychain = shown(vault, wrote);
    if (wrote === 'asking')
      hearLate(writing, (late) => {
        if (stored.account === account && token === given && late !== 'too_long')
          keychain = shown(vault, late);
      });
    return ok(null);
  };

  const note = (serverTime: number | null): void => {
    if (serverTime !== null) offset = serverTime - clock.now();
  };

  const { whoIs, tokenCounts, findProject, describe } = createIdentity(api, note);

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

  /** What no session is with any more goes, once the file names another: killed before that, the one before still works. */
  const leaveOthers = async (): Promise<void> => {
    await withinAMoment(eraseOthers());
    for (const kind of ['this_laptop', 'own_firm'] as const)
      if (stored.kind !== kind) await services[kind].stop();
  };

  /** Tokens of other accounts: of the session before, of a connection that was cut short, of a keychain that was locked. */
  const eraseOthers = async (): Promise<void> => {
    const ours = stored.kind === 'server' ? stored.account : null;
    const others = (await vault.accounts()).filter((account) => account !== ours);
    // All at once: each is asked for before anything that a later session stores.
    await Promise.all(others.map((account) => vault.remove(account)));
  };

  const become = async (...next: Parameters<typeof keep>): Promise<Result<SessionView>> => {
    const kept = await keep(...next);
    if (kept.ok) locked = false;
    // One that could not be kept is as if it had never been: its token and its service go, the session before stays.
    await leaveOthers();
    return kept;
  };

  const connectHere = async (input: ConnectInput & { kind: Here }) => {
    const { kind } = input;
    if (kind === 'own_firm') {
      if (input.names === undefined && !parts.firm.exists()) return fail({ kind: 'not_connected' });
      const made = input.names === undefined ? ok(null) : await parts.firm.make(input.names);
      if (!made.ok) return made;
    }
    const service = await services[kind].running(FIRST_START_MS);
    if (!service.ok) return service;
    const { url, company_id, project_id } = service.value;
    const target = { base: url, token: service.value.token, company_id };
    const next = await describe(kind, target, project_id);
    if (!next.ok) return next;
    return become(next.value, null, shown(vault, 'ok'));
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
    return become(next.value, given);
  };

  /** The embedded service may have come back as another company (its data folder was emptied): the account follows. */
  const followEmbedded = async (target: Target, projectId: number): Promise<void> => {
    if (!isHere(stored.kind) || stored.company?.id === target.company_id) return;
    const next = await describe(stored.kind, target, projectId);
    if (next.ok) await keep(next.value);
  };

  const anyTarget = async (): Promise<Result<Target>> => {
    if (stored.kind === null || stored.company === null) return fail({ kind: 'not_connected' });
    if (stored.signed_out) return fail({ kind: 'signed_out', detail: 'signed out on this laptop' });
    await reading;
    if (isHere(stored.kind)) {
      const service = await services[stored.kind].running();
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

  const target: Session['target'] = async (account) => {
    const found = await anyTarget();
    if (!found.ok || account === undefined || stored.account === account) return found;
    return fail({ kind: 'cancelled' });
  };

  /** A 401: only the token that was refused is forgotten, not one that was entered meanwhile. */
  const refused = (used: Target): Promise<void> =>
    inTurn(async () => {
      if (stored.signed_out || stored.kind === null) return;
      const service = isHere(stored.kind) ? await services[stored.kind].running() : null;
      const current = service?.ok ? service.value.token : token;
      if (current !== used.token) return;
      log({ level: 'warn', message: 'the server refused the token: signed out' });
      await forget();
    });

  const forget = async (): Promise<Result<SessionView>> => {
    const was = stored;
    token = null;
    locked = false;
    if (was.kind === 'server' && was.account !== null)
      await withinAMoment(vault.remove(was.account));
    if (isHere(was.kind)) await services[was.kind].stop();
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

  /** What the company and the project are called now: whoever gave them another name, and wherever an answer says so. */
  const learn = async (used: Target, told: ToldNames): Promise<void> => {
    const { company, project } = stored;
    if (company === null || company.id !== used.company_id) return;
    const next = {
      company: { ...company, name: told.companies.get(company.id) ?? company.name },
      project: project && { ...project, name: told.projects.get(project.id) ?? project.name },
    };
    if (next.company.name === company.name && next.project?.name === project?.name) return;
    await inTurn(async () => {
      // Another connection may have been chosen meanwhile.
      if (stored.company === company && stored.project === project)
        await keep({ ...stored, ...next });
    });
  };

  const once = createSentOnce<ApiReply>();
  const request: Session['request'] = (name, input, account) => {
    const as = account ?? stored.account;
    const write = input.idempotency_key === undefined ? null : [as, name, input];
    return once.send(write, () => requestNow(name, input, account));
  };
  const requestNow: Session['request'] = async (name, input, account) => {
    const to = await target(account);
    if (!to.ok) return to;
    const result = await api.request(to.value, name, input);
    await heard(to.value, result);
    if (result.ok) await learn(to.value, namesIn(name, result.value.data));
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
    keychain = shown(vault, 'asking');
    await Promise.race([reading, setTimeout(OPENING_MS, undefined, { ref: false })]);
    if (reading) void reading.then(() => parts.changed(view()));
  }
  void inTurn(() => withinAMoment(eraseOthers())).catch((error: unknown) =>
    log({ level: 'error', message: 'vault', code: codeOf(error) }),
  );
  if (stateNow() === 'ready' && isHere(stored.kind)) void services[stored.kind].running();

  return {
    view,
    tryServer,
    connect: (input) =>
      inTurn(() => (input.kind === 'server' ? connectServer(input) : connectHere(input))),
    chooseProject: async (projectId) => {
      const { account } = stored;
      const to = await target(); // before the turn: it may take one itself
      return inTurn(async () => {
        if (!to.ok) return to;
        // Another window connected elsewhere meanwhile: the project is of the session before.
        if (stored.account !== account) return fail({ kind: 'cancelled' });
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
    // Nobody connects or signs out meanwhile.
    withoutService: (work) =>
      inTurn(async () => {
        if (!isHere(stored.kind) || stored.signed_out) return null;
        // It may have another past afterwards.
        return services[stored.kind].without(work).finally(once.forget);
      }),
    now: () => clock.now() + offset,
  };
};
