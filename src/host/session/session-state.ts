/**
 * The mutable state of the session, and its file. The token lives only in the vault and in this process's memory;
 * `session.json` keeps the rest. The file is written before memory changes, so that a window never sees what a restart would lose.
 */
import { join } from 'node:path';
import type { SessionView, VaultView } from '../../contract/host.ts';
import { ok, type Result } from '../../contract/problem.ts';
import { move } from '../../disk/retry-busy-file.ts';
import { failFile, readOwn, writeFileAtomic } from '../lib/files.ts';
import type { Grant, Secret } from './sign-in/grant.ts';
import { storedSchema, type Stored } from './identity.ts';
import type { Log } from '../lib/log.ts';
import { createTurns } from '../lib/turns.ts';
import type { RunningService } from './embedded.ts';
import type { Vault } from '../vault/index.ts';
import type { Here, SessionParts } from './session-types.ts';

export interface SessionState {
  stored: Stored;
  token: string | null;
  /** Renews the token; null if no identity provider gave it. */
  grant: Grant | null;
  /** True while the keychain holds a token that it cannot return. */
  locked: boolean;
  keychain: VaultView;
  /**
   * The token that the server refused. It stays in the keychain until another replaces it, because the refusal may have been a
   * mistake.
   */
  refusedToken: string | null;
  /** Server sessions replaced since the start, by account. Kept in memory only. */
  readonly left: Map<string, { readonly stored: Stored } & Secret>;
  readonly phase: () => SessionView['state'];
  readonly view: () => SessionView;
  /** Shows the state to the windows. */
  readonly changed: () => void;
  /** Writes the file, then updates memory and the windows. */
  readonly keep: (
    next: Stored,
    secret?: Secret,
    keychain?: VaultView,
  ) => Promise<Result<SessionView>>;
  /** Serializes changes of the session. */
  readonly inTurn: <T>(change: () => Promise<T>) => Promise<T>;
  /** Corrects the clock by the server's time, in milliseconds since the epoch. */
  readonly note: (serverTime: number | null) => void;
  readonly now: () => number;
}

const noSession: Stored = {
  version: 1,
  kind: null,
  address: null,
  account: null,
  company: null,
  project: null,
  user: null,
  level: null,
  signed_in_with: null,
  signed_out: false,
  sample_user: null,
};

export const isHere = (kind: Stored['kind']): kind is Here =>
  kind === 'this_laptop' || kind === 'local_company';

/** The token of the service's user, or of the sample data's user of that level; '', which is refused, if the service has none. */
export const tokenOf = (
  { token, tokens = {} }: Pick<RunningService, 'token' | 'tokens'>,
  user: Stored['sample_user'],
): string => (user === null ? token : (tokens[user] ?? ''));

/** @throws {Unreadable} */
const readStored = async (path: string, log: Log): Promise<Stored> => {
  const text = await readOwn(path);
  try {
    return text === null ? noSession : storedSchema.parse(JSON.parse(text));
  } catch {
    log({ level: 'warn', message: 'the session file is damaged and was renamed: connect again' });
    await move(path, `${path}.damaged`).catch(() => undefined);
    return noSession;
  }
};

/** Where the token is stored, as the window shows it. Without a keychain, or while it refuses, the token is in memory. */
export const shown = (vault: Vault, state: VaultView['state']): VaultView =>
  vault.kind === 'memory'
    ? { kind: 'memory', state: 'absent' }
    : { kind: state === 'ok' ? 'keychain' : 'memory', state };

export const openState = async (parts: SessionParts): Promise<SessionState> => {
  const { clock } = parts;
  const path = join(parts.folder, 'session.json');
  let offset = 0;

  const phase = (): SessionView['state'] => {
    if (state.stored.kind === null) return 'none';
    if (state.stored.signed_out || state.refusedToken !== null) return 'signed_out';
    if (isHere(state.stored.kind) || state.token !== null) return 'ready';
    return state.locked ? 'locked' : 'signed_out';
  };

  const view = (): SessionView => {
    const { version: _version, signed_out: _out, sample_user: _user, ...known } = state.stored;
    const others = [...state.left.entries()].map(([account, { stored: one }]) => {
      const { address, company, project, user } = one;
      return { account, address, company, project, user };
    });
    return { state: phase(), ...known, vault: state.keychain, left: others };
  };

  const changed = (): void => parts.changed(view());

  /** Writes the file before updating memory, so that the window never sees a state that a restart would lose. */
  const keep = async (
    next: Stored,
    { token, grant }: Secret = state,
    nextKeychain: VaultView = state.keychain,
  ): Promise<Result<SessionView>> => {
    try {
      await writeFileAtomic(path, JSON.stringify(next));
    } catch (error) {
      return failFile(error);
    }
    // Update synchronously: nobody may see one account's token under another account.
    state.refusedToken = null;
    state.stored = next;
    state.token = token;
    state.grant = grant;
    state.keychain = nextKeychain;
    changed();
    return ok(view());
  };

  const state: SessionState = {
    stored: await readStored(path, parts.log),
    token: null,
    grant: null,
    locked: false,
    keychain: shown(parts.vault, 'ok'),
    refusedToken: null,
    left: new Map(),
    phase,
    view,
    changed,
    keep,
    inTurn: createTurns(),
    note: (serverTime) => {
      if (serverTime !== null) offset = serverTime - clock.now();
    },
    now: () => clock.now() + offset,
  };
  return state;
};
