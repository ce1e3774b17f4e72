/**
 * Opens the window in Chromium's app mode, with a profile of its own under the data folder. The code that lets it in goes
 * into the browser's cookie jar over its debugging pipe (file descriptors 3 and 4), so it is in no command line and
 * in no file; and a browser whose pipe breaks ends, so it never outlives this program.
 *
 * This browser reaches one address: for every other one its proxy is that address again, which passes nothing on. A page that
 * is led away, and a window that is opened from it, come nowhere, whatever listens on this machine or elsewhere.
 */
import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Cookie } from './guard.ts';

export interface AppWindowOptions {
  /** Path of a Chromium-family browser. */
  readonly chromium: string;
  readonly flags: readonly string[];
  /** The browser's profile: IndexedDB lives here, so it must be the same at every start. */
  readonly profile: string;
  readonly origin: string;
  /** Path of the first page. */
  readonly first: string;
  /** A cookie that holds a code, for the first page. */
  readonly entry: Cookie;
  /** How long the browser's pipe may be silent at its start, milliseconds. */
  readonly patience_ms?: number;
}

/** A cold start on an old laptop is well within it. */
const PATIENCE_MS = 30_000;

const SILENT =
  'The browser started but takes no word from Spotter. A policy of this computer may forbid it: RemoteDebuggingAllowed, for Chrome and Edge. Whoever manages the computer can allow it.';

export interface AppWindow {
  readonly pid: number;
  /** Resolves when the window is closed and the browser has ended. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly targetInfos?: unknown };
  readonly result?: { readonly targetInfos?: readonly { readonly type: string }[] };
  readonly error?: { readonly message: string };
}

/** The DevTools protocol over a pipe: JSON messages ended by a zero byte. */
const devtools = (out: Writable, into: Readable, hear: (method: string) => void) => {
  const waiting = new Map<number, (message: Message) => void>();
  let last = 0;
  let rest = Buffer.alloc(0);
  // A browser that ends takes its pipe along: that is how it goes, not a fault.
  out.on('error', () => undefined);
  into.on('error', () => undefined);
  into.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      const message = JSON.parse(rest.subarray(0, end).toString()) as Message;
      rest = rest.subarray(end + 1);
      if (message.id !== undefined) waiting.get(message.id)?.(message);
      else if (message.method !== undefined) hear(message.method);
    }
  });
  return (method: string, params: object = {}): Promise<Message> =>
    new Promise((resolve) => {
      const id = ++last;
      waiting.set(id, (message) => {
        waiting.delete(id);
        resolve(message);
      });
      out.write(`${JSON.stringify({ id, method, params })}\0`);
    });
};

/** `<-loopback>`: without it Chromium asks no proxy for this machine's own addresses. */
const onlyHere = (origin: string): string[] => [
  `--proxy-server=${origin}`,
  `--proxy-bypass-list=<-loopback>;${new URL(origin).host}`,
];

/** @throws {Error} with a sentence for a person: no browser there, one that ended at once, one whose pipe stays silent */
export const openAppWindow = async (options: AppWindowOptions): Promise<AppWindow> => {
  const child = spawn(
    options.chromium,
    [
      ...options.flags,
      ...onlyHere(options.origin),
      `--user-data-dir=${options.profile}`,
      '--remote-debugging-pipe',
      '--disable-background-mode',
      `--app=${options.origin}${options.first}`,
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  );
  const ended = new Promise<void>((resolve, reject) => {
    child.once('exit', () => resolve());
    child.once('error', reject);
  });
  // Told below, before anybody waits for the end.
  ended.catch(() => undefined);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', () => resolve());
    child.once('error', reject);
  });

  // On macOS a browser stays when its last window is gone: ask for its end then.
  const noWindowLeft = async () => {
    const { result } = await ask('Target.getTargets');
    const pages = result?.targetInfos?.filter((target) => target.type === 'page') ?? [];
    if (pages.length === 0) await ask('Browser.close');
  };
  const ask = devtools(child.stdio[3] as Writable, child.stdio[4] as Readable, (method) => {
    if (method === 'Target.targetDestroyed') void noWindowLeft();
  });
  const failed = (message: string): Message => ({ error: { message } });
  const late = Promise.withResolvers<Message>();
  const timer = setTimeout(() => late.resolve(failed(SILENT)), options.patience_ms ?? PATIENCE_MS);
  const put = await Promise.race([
    ask('Storage.setCookies', {
      cookies: [{ ...options.entry, url: options.origin, httpOnly: true, sameSite: 'Strict' }],
    }),
    ended.then(() => failed('The browser ended at once.')),
    late.promise,
  ]);
  clearTimeout(timer);
  if (put.error !== undefined) {
    child.kill('SIGKILL');
    await ended;
    throw new Error(put.error.message);
  }
  void ask('Target.setDiscoverTargets', { discover: true });

  return {
    pid: child.pid ?? 0,
    closed: ended,
    async close() {
      void ask('Browser.close');
      const force = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(force);
    },
  };
};
