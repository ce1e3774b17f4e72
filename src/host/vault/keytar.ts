/**
 * Vault in the system's keychain, through a child process with a deadline. The state is derived from facts, never from an
 * error's text (failures: "What was measured"):
 * - library cannot be loaded, or a read is refused on Linux -> absent (no daemon, no bus);
 * - no answer within two minutes -> hung. The child is killed and restarted for the next call. The system may prompt its user
 *   that long, so calls are serialized, and no caller waits longer than a moment (patience.ts);
 * - `null` although our index says that a token was stored -> locked, never "signed out";
 * - nothing erased although our index lists a token -> locked; erased later;
 * - write refused while reads work -> locked on Linux, denied elsewhere.
 * The index (`vault.json`) holds account names and when they were stored. It is not secret and never contains a token.
 */
import { z } from 'zod';
import type { Clock } from '../lib/clock.ts';
import { readIfThere, writeFileAtomic } from '../lib/files.ts';
import { createTurns } from '../lib/turns.ts';
import {
  TOKEN_MAX_BYTES,
  type Vault,
  type VaultRead,
  type VaultState,
  type VaultWrite,
} from './index.ts';
import type { KeytarAnswer, KeytarCall } from './keytar-child.ts';

/** Interface of the child: a plain Node process (keytar-fork.ts), or Electron's utilityProcess. */
export interface VaultChild {
  send(call: KeytarCall): void;
  onAnswer(hear: (answer: KeytarAnswer) => void): void;
  onExit(hear: () => void): void;
  kill(): void;
}

export interface KeytarOptions {
  /** Path of the index of stored accounts (`vault.json`). */
  readonly marker_path: string;
  readonly clock: Clock;
  readonly spawn: () => VaultChild;
  readonly deadline_ms?: number;
}

/** Deadline of a call, in milliseconds. Allows a person to answer the system's prompt. */
const DEADLINE_MS = 120_000;
const PROBE_ACCOUNT = 'probe';

type Outcome = KeytarAnswer['outcome'] | 'hung';
type Ask = { readonly op: 'get' | 'remove'; readonly account: string } | Omit<SetCall, 'id'>;
type SetCall = Extract<KeytarCall, { op: 'set' }>;

/** Calls the child with a deadline. Starts a new child after a hang or an exit. Callers must not overlap calls. */
const createCaller = (spawn: () => VaultChild, deadline: number) => {
  let child: VaultChild | null = null;
  let count = 0;
  let stopped = false;
  let waiting: ((answer: KeytarAnswer | null) => void) | null = null;

  const current = (): VaultChild => {
    if (child) return child;
    const made = spawn();
    made.onAnswer((answer) => {
      if (made === child && answer.id === count) waiting?.(answer);
    });
    made.onExit(() => {
      if (made !== child) return;
      child = null;
      waiting?.(null);
    });
    child = made;
    return made;
  };

  const call = (ask: Ask): Promise<{ outcome: Outcome; token: string | null }> =>
    new Promise((resolve) => {
      if (stopped) return resolve({ outcome: 'absent', token: null });
      count += 1;
      const end = (outcome: Outcome, token: string | null) => {
        clearTimeout(timer);
        waiting = null;
        resolve({ outcome, token });
      };
      const timer = setTimeout(() => {
        const hung = child;
        child = null;
        hung?.kill();
        end('hung', null);
      }, deadline);
      // The child exited without an answer, so it could not start: there is no usable keychain.
      waiting = (answer) => end(answer?.outcome ?? 'absent', answer?.token ?? null);
      try {
        current().send({ ...ask, id: count });
      } catch {
        end('absent', null);
      }
    });

  return {
    call,
    stop: () => {
      stopped = true;
      const running = child;
      child = null;
      running?.kill();
      waiting?.(null);
    },
  };
};

/**
 * `storing`: a write began and may have succeeded. `removing`: the token must be erased, but the keychain was locked; it is
 * erased once possible.
 */
const markerSchema = z.record(
  z.string(),
  z.object({
    stored_at: z.number(),
    storing: z.boolean(),
    removing: z.boolean(),
  }),
);
type Step = 'storing' | 'stored' | 'removing';

const createMarkers = (path: string, clock: Clock) => {
  const read = async () => {
    try {
      return markerSchema.parse(JSON.parse((await readIfThere(path)) ?? '{}'));
    } catch {
      return {}; // a damaged index costs the user one extra sign-in at most
    }
  };
  const put = async (account: string, step: Step) => {
    const note = {
      stored_at: clock.now(),
      storing: step === 'storing',
      removing: step === 'removing',
    };
    await writeFileAtomic(path, JSON.stringify({ ...(await read()), [account]: note }));
  };
  const drop = async (account: string) => {
    const { [account]: gone, ...rest } = await read();
    if (gone) await writeFileAtomic(path, JSON.stringify(rest));
  };
  // Ignore write errors. Without the index, a locked keychain later reads as empty, which costs one sign-in but no data.
  const quietly = (change: Promise<void>) => change.catch(() => undefined);
  return {
    get: async (account: string) => {
      const all = await read();
      return Object.hasOwn(all, account) ? all[account] : undefined;
    },
    accounts: async () => Object.keys(await read()),
    put: (account: string, step: Step) => quietly(put(account, step)),
    drop: (account: string) => quietly(drop(account)),
  };
};

/** State for a refused read: on Linux there is no daemon; elsewhere the user or the system denied it. */
const refusedRead = (): VaultState => (process.platform === 'linux' ? 'absent' : 'denied');
const refusedWrite = (): VaultState => (process.platform === 'linux' ? 'locked' : 'denied');

export const keytarVault = (options: KeytarOptions): Vault => {
  const caller = createCaller(options.spawn, options.deadline_ms ?? DEADLINE_MS);
  const markers = createMarkers(options.marker_path, options.clock);
  /** Accounts with a pending removal. */
  const leaving = new Set<string>();

  /** Serializes operations, including their index updates. */
  const inTurn = createTurns();

  const stateOf = async (outcome: Outcome, op: 'get' | 'set'): Promise<VaultState> => {
    if (outcome === 'done') return 'ok';
    if (outcome === 'hung' || outcome === 'absent') return outcome;
    if (op === 'get') return refusedRead();
    const probe = await caller.call({ op: 'get', account: PROBE_ACCOUNT });
    if (probe.outcome === 'done') return refusedWrite();
    return probe.outcome === 'refused' ? refusedRead() : probe.outcome;
  };

  const store = async (account: string, token: string): Promise<VaultState> => {
    const wrote = await stateOf((await caller.call({ op: 'set', account, token })).outcome, 'set');
    if (wrote !== 'ok') return wrote;
    const back = await caller.call({ op: 'get', account });
    if (back.outcome !== 'done') return stateOf(back.outcome, 'get');
    return back.token === token ? 'ok' : refusedWrite();
  };

  const set = async (account: string, token: string): Promise<VaultWrite> => {
    if (Buffer.byteLength(token) > TOKEN_MAX_BYTES) return 'too_long';
    // Record the intent first. After a crash, the index still lists a token that may have been stored.
    const first = (await markers.get(account)) === undefined;
    if (first) await markers.put(account, 'storing');
    const state = await store(account, token);
    if (state === 'ok') await markers.put(account, leaving.has(account) ? 'removing' : 'stored');
    else if (first) await markers.drop(account);
    return state;
  };

  /** Erases a token. A locked keychain erases nothing and reports no error, so only a removed token counts as erased. */
  const remove = async (account: string): Promise<VaultState> => {
    const { outcome, token } = await caller.call({ op: 'remove', account });
    const state = await stateOf(outcome, 'get');
    const note = await markers.get(account);
    if (state === 'ok' && (token !== null || !note || note.storing)) {
      await markers.drop(account);
      return 'ok';
    }
    await markers.put(account, 'removing');
    return state === 'ok' ? 'locked' : state;
  };

  const get = async (account: string): Promise<VaultRead> => {
    const { outcome, token } = await caller.call({ op: 'get', account });
    const state = await stateOf(outcome, 'get');
    if (state !== 'ok') return { state };
    const note = await markers.get(account);
    if (note?.removing) {
      if (token !== null) await remove(account);
      return { state: 'empty' };
    }
    if (token !== null) return { state: 'ok', token };
    return { state: note && !note.storing ? 'locked' : 'empty' };
  };

  return {
    kind: 'keychain',
    get: (account) => inTurn(() => get(account)),
    set: (account, token) =>
      inTurn(() => {
        leaving.delete(account);
        return set(account, token);
      }),
    // Record the removal before its turn. If the program exits during a system prompt, the next run erases the token.
    remove: async (account) => {
      leaving.add(account);
      const note = await markers.get(account);
      if (note && !note.storing) await markers.put(account, 'removing');
      return inTurn(() => remove(account)).finally(() => leaving.delete(account));
    },
    holds: async (account) => {
      const note = await markers.get(account);
      return note !== undefined && !note.removing && !note.storing;
    },
    accounts: markers.accounts,
    stop: async () => caller.stop(),
  };
};
