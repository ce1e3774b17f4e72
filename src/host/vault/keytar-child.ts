/**
 * Child process that talks to the keychain. It is a separate process because a hung keychain daemon never answers, and four
 * pending calls block all file I/O of their process. It handles one call at a time over IPC; a token never appears in argv or
 * the environment. The outcome is `done` with the keychain's result, `refused` if the keychain rejected the call, or `absent`
 * if the library cannot be loaded. Runs under `child_process.fork` and Electron's `utilityProcess`.
 */

export type KeytarCall =
  | { readonly id: number; readonly op: 'get' | 'remove'; readonly account: string }
  | { readonly id: number; readonly op: 'set'; readonly account: string; readonly token: string };

export interface KeytarAnswer {
  readonly id: number;
  readonly outcome: 'done' | 'refused' | 'absent';
  /** For `get`: the stored token. For `remove`: '' if a token was removed. */
  readonly token: string | null;
}

const SERVICE = 'spotter';

interface Keychain {
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
}

const load = async (): Promise<Keychain | null> => {
  try {
    const module: { default?: Keychain } & Keychain = await import('keytar');
    return module.default ?? module;
  } catch {
    return null;
  }
};

const answer = async (keychain: Keychain | null, call: KeytarCall): Promise<KeytarAnswer> => {
  if (keychain === null) return { id: call.id, outcome: 'absent', token: null };
  try {
    let token: string | null = null;
    if (call.op === 'get') token = await keychain.getPassword(SERVICE, call.account);
    else if (call.op === 'set') await keychain.setPassword(SERVICE, call.account, call.token);
    else if (await keychain.deletePassword(SERVICE, call.account)) token = '';
    return { id: call.id, outcome: 'done', token };
  } catch {
    return { id: call.id, outcome: 'refused', token: null };
  }
};

/** Electron's utilityProcess provides `parentPort`; a fork provides `process.send`. */
interface ParentPort {
  on(event: 'message', hear: (message: { data: KeytarCall }) => void): void;
  postMessage(message: KeytarAnswer): void;
}
const port = (process as unknown as { parentPort?: ParentPort }).parentPort;
const keychain = load();
const run = async (call: KeytarCall, send: (reply: KeytarAnswer) => void): Promise<void> =>
  send(await answer(await keychain, call));

if (port) port.on('message', ({ data }) => void run(data, (reply) => port.postMessage(reply)));
else {
  process.on('message', (call: KeytarCall) => void run(call, (reply) => process.send?.(reply)));
  process.on('disconnect', () => process.exit(0));
}
