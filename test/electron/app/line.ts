/** The app's end of the connection to the harness (peer.ts), and the log of the app's calls to Electron. */
import { type AppOps, type Call, type ChromiumOps, createPeer } from '../peer.ts';

/** Filled by the modules, so that each operation is answered where its state is. */
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

/** Logs a call in order; tests read the log with `electron.calls()`. */
export const note = (name: string, ...given: readonly unknown[]): void =>
  void calls.push({ name, given: given.map(plain) });

const parent = process.send?.bind(process);
if (parent === undefined) throw new Error('the stand-in runs under its harness only (harness.ts)');

export const { ask } = createPeer<ChromiumOps, Partial<AppOps>>(
  {
    send: (message) => void (process.connected && parent(message, undefined, {}, () => undefined)),
    hear: (listener) => void process.on('message', listener),
  },
  answers,
);

// Without the harness there is no desktop, so exit.
process.on('disconnect', () => process.exit(0));
