/**
 * The process that talks to the keychain, and nothing else. It is on its own because a keychain daemon that hangs
 * never answers, and four pending calls stop all file work of the process they are in. It takes one call at a
 * time over IPC (a token never travels in argv or in the environment) and answers `done` with what the
 * keychain said, `refused` where it rejected the call, `absent` where the keychain library cannot be loaded at all.
 * Runs under `child_process.fork` and under Electron's `utilityProcess`.
 */

/** What the child is asked. */
export type KeytarCall =
  | { readonly id: number; readonly op: 'get' | 'remove'; readonly account: string }
  | { readonly id: number; readonly op: 'set'; readonly account: string; readonly token: string };

/** What it answers. */
export interface KeytarAnswer {
  readonly id: number;
  readonly outcome: 'done' | 'refused' | 'absent';
  /** Of a read: what is there. Of a removal: '' where something was removed. */
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

/** Electron's utilityProcess gives `parentPort`; a fork gives `process.send`. */
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
