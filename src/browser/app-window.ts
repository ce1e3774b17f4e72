/**
 * Opens the window in Chromium's app mode, with a separate profile under the data folder. The entry code goes into the
 * browser's cookie jar over its debugging pipe (file descriptors 3 and 4), so no command line and no file contains it. A
 * browser ends when its pipe breaks, so it never outlives this program.
 *
 * The browser reaches only one origin. Its proxy for every other address is that same origin, which forwards nothing, so pages
 * and popups cannot reach anything else on this machine or outside it.
 */
import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Cookie } from './guard.ts';

export interface AppWindowOptions {
  /** Path of a Chromium-family browser. */
  readonly chromium: string;
  readonly flags: readonly string[];
  /** The browser's profile. It holds IndexedDB, so it must be the same at every start. */
  readonly profile: string;
  readonly origin: string;
  /** Path of the first page. */
  readonly first: string;
  /** The cookie with the entry code for the first page. */
  readonly entry: Cookie;
  /** Time limit for the first reply over the browser's pipe, in milliseconds. */
  readonly patience_ms?: number;
}

/** Long enough for a cold start on an old laptop. */
const PATIENCE_MS = 30_000;

const SILENT =
  'The browser started but takes no word from Spotter. A policy of this computer may forbid it: RemoteDebuggingAllowed, for Chrome and Edge. Whoever manages the computer can allow it.';

export interface AppWindow {
  readonly pid: number;
  /** Resolves when the window is closed and the browser has ended. */
  readonly closed: Promise<void>;
  /** Brings the window to the front, even when minimised. False when there is no window. */
  raise(): Promise<boolean>;
  close(): Promise<void>;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly targetInfos?: unknown };
  readonly result?: {
    readonly targetInfos?: readonly { readonly type: string; readonly targetId: string }[];
    readonly windowId?: number;
    readonly bounds?: { readonly windowState?: string };
  };
  readonly error?: { readonly message: string };
}

/** The DevTools protocol over a pipe: JSON messages separated by a zero byte. */
const devtools = (out: Writable, into: Readable, hear: (method: string) => void) => {
  const waiting = new Map<number, (message: Message) => void>();
  let last = 0;
  let rest = Buffer.alloc(0);
  // A browser that ends breaks its pipe, which is not an error.
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

/** Without `<-loopback>` Chromium bypasses the proxy for this machine's own addresses. */
const onlyHere = (origin: string): string[] => [
  `--proxy-server=${origin}`,
  `--proxy-bypass-list=<-loopback>;${new URL(origin).host}`,
];

/** @throws {Error} with a sentence for a person: no browser was found, it ended at once, or its pipe stayed silent */
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
  // Awaited below. This handler avoids an unhandled rejection until then.
  ended.catch(() => undefined);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', () => resolve());
    child.once('error', reject);
  });

  // On macOS a browser keeps running without a window, so close it then.
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

  const raise = async (): Promise<boolean> => {
    const { result } = await ask('Target.getTargets');
    const page = result?.targetInfos?.find((target) => target.type === 'page');
    if (page === undefined) return false;
    const { targetId } = page;
    const { result: found } = await ask('Browser.getWindowForTarget', { targetId });
    if (found?.windowId !== undefined && found.bounds?.windowState === 'minimized')
      await ask('Browser.setWindowBounds', {
        windowId: found.windowId,
        bounds: { windowState: 'normal' },
      });
    const { error } = await ask('Target.activateTarget', { targetId });
    return error === undefined;
  };

  return {
    pid: child.pid ?? 0,
    closed: ended,
    raise,
    async close() {
      void ask('Browser.close');
      const force = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(force);
    },
  };
};
