/** The app's end of the line to the harness (peer.ts), and the record of what the app asked of Electron. */
import { type AppOps, type Call, type ChromiumOps, createPeer } from '../peer.ts';

/** Filled by the modules that know: each operation is answered where its state lives. */
export const answers: Partial<AppOps> = {};

const calls: Call[] = [];
answers.calls = () => calls;

const plain = (value: unknown): unknown => {
  try {
    return JSON.parse(JSON.stringify(value) ?? 'null');
  } catch {
    return String(value);
  }
};

/** Written down in order; a test reads it by `electron.calls()`. */
export const note = (name: string, ...given: readonly unknown[]): void =>
  void calls.push({ name, given: given.map(plain) });

const parent = process.send?.bind(process);
if (parent === undefined) throw new Error('the stand-in runs under its harness only (harness.ts)');

export const { ask, end } = createPeer<ChromiumOps, Partial<AppOps>>(
  {
    send: (message) => void (process.connected && parent(message, undefined, {}, () => undefined)),
    hear: (listener) => void process.on('message', listener),
  },
  answers,
);

// The harness is gone: so is the desktop this program ran on.
process.on('disconnect', () => process.exit(0));
