/**
 * The Chromium half of the stand-in: starts a built out/main/index.js under Node with app/module.ts in Electron's place, and
 * gives it real pages through Playwright. `app://spotter` is shown at `https://spotter`, which is also secure and standard.
 * Nothing comes from the network: the app's own protocol.handle answers each request.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, CDPSession, chromium, Frame, Page, Route } from 'playwright/test';
import { decode, encode } from './codec.ts';
import { pageScript } from './page.ts';
import { type AppOps, type Asked, type ChromiumOps, createPeer, type DialogSeen } from './peer.ts';

const ORIGIN = 'https://spotter';
const inPage = (url: string): string => url.replace(/^app:\/\/spotter(?=[/?#]|$)/, ORIGIN);
const inApp = (url: string): string =>
  url.replace(/^https:\/\/spotter(?=[/?#]|$)/, 'app://spotter');

export interface LaunchOptions {
  /** The app's folder, with package.json and out/. */
  readonly root: string;
  /** Arguments after the folder on Electron's command line. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly chromium: typeof chromium;
  readonly browser: Parameters<typeof chromium.launchPersistentContext>[1];
  readonly hear: (line: string) => void;
}

/** A running app under the stand-in, and the actions of its user, system and desktop. */
export interface StandIn {
  readonly process: ChildProcess;
  /** The newest page of the window that has been open longest. */
  page(): Page;
  firstWindow(): Promise<Page>;
  readonly ask: Asked<AppOps>;
  /** Waits for a dialog with matching text. */
  dialog(words: RegExp): Promise<DialogSeen>;
  /** Presses a dialog's button by its label. */
  press(dialog: DialogSeen, button: string | RegExp): Promise<void>;
  /** Chooses an item of the application menu by its labels. */
  choose(...path: string[]): Promise<void>;
  /** Kills the page's process, as the system's out-of-memory killer does. */
  crash(): Promise<void>;
  exited(): Promise<number | null>;
  close(): Promise<void>;
}

const lines = (child: ChildProcess, hear: (line: string) => void): void => {
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream?.on('data', (part: Buffer) => {
      const parts = (rest + part.toString()).split('\n');
      rest = parts.pop() ?? '';
      parts.forEach(hear);
    });
    stream?.on('end', () => rest !== '' && hear(rest));
  }
};

const until = async <T>(look: () => Promise<T | undefined>, what: string): Promise<T> => {
  for (const end = Date.now() + 30_000; Date.now() < end;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nothing came: ${what}`);
};

export const launch = async (options: LaunchOptions): Promise<StandIn> => {
  const manifest = JSON.parse(readFileSync(join(options.root, 'package.json'), 'utf8')) as {
    main: string;
  };
  const child = fork(join(options.root, manifest.main), [...options.args], {
    execArgv: ['--import', join(import.meta.dirname, 'app/register.ts')],
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...options.env, STAND_IN_ROOT: options.root },
  });
  lines(child, options.hear);
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const pages = new Map<number, Page>();
  const shell = mkdtempSync(join(tmpdir(), 'stand-in-profile-'));
  let context: BrowserContext | undefined;
  let opening: Promise<BrowserContext> | undefined;
  const reloads = new Set<Promise<void>>();
  let tellFirst: (page: Page) => void = () => undefined;
  const first = new Promise<Page>((resolve) => (tellFirst = resolve));
  const preloads = new Map<number, string>();

  const pageOf = (window: number): Page => {
    const page = pages.get(window);
    if (page === undefined) throw new Error(`window ${window} has no page`);
    return page;
  };
  const windowOf = (page: Page): number | undefined =>
    [...pages].find(([, one]) => one === page)?.[0];

  // ---- app:// and navigation

  const answerRequest = async (route: Route): Promise<void> => {
    const request = route.request();
    const url = request.url();
    if (/^(blob|data):/.test(url)) return route.fallback();
    if (request.isNavigationRequest()) {
      const frame = request.frame();
      const window = windowOf(frame.page());
      const main = frame.parentFrame() === null;
      if (window === undefined) return route.abort('aborted');
      // ERR_ABORTED keeps the page where it is, as a prevented will-navigate does.
      if (await peer.ask('navigates', { window, url: inApp(url), main }))
        return route.abort('aborted');
    }
    if (!url.startsWith(`${ORIGIN}/`)) {
      await peer.ask('requests', { url });
      return route.abort('failed');
    }
    const answer = await peer.ask('protocol', {
      url: inApp(url),
      method: request.method(),
      headers: await request.allHeaders(),
    });
    if (answer === null) return route.abort('failed');
    await route.fulfill({
      status: answer.status,
      headers: { ...answer.headers },
      body: Buffer.from(answer.body ?? []),
    });
  };

  const openContext = async (
    userData: string,
    permissions: Readonly<Record<string, string>>,
  ): Promise<BrowserContext> => {
    mkdirSync(userData, { recursive: true });
    // docs/api/app.md, sessionData: the default session's IndexedDB is in userData itself; Chromium keeps it in `Default`.
    if (!existsSync(join(shell, 'Default'))) symlinkSync(userData, join(shell, 'Default'));
    const made = await options.chromium.launchPersistentContext(shell, options.browser);
    const cdp = await made.browser()?.newBrowserCDPSession();
    for (const [name, setting] of Object.entries(permissions))
      await cdp?.send('Browser.setPermission', {
        permission: { name },
        setting: setting as 'granted' | 'denied',
        origin: ORIGIN,
      });
    await made.route('**/*', (route) =>
      answerRequest(route).catch(() => route.abort('failed').catch(() => undefined)),
    );
    context = made;
    return made;
  };

  // ---- pages

  const senderOf = (frame: Frame) => ({
    url: inApp(frame.url()),
    parent: frame.parentFrame() === null ? null : {},
  });

  /** CDP reports a window that a page wants to open before it opens. The new page is closed unless the app allows it. */
  const watchPopups = async (window: number, page: Page): Promise<void> => {
    const cdp: CDPSession = await page.context().newCDPSession(page);
    await cdp.send('Page.enable');
    cdp.on('Page.windowOpen', ({ url }) => {
      void peer.ask('opens', { window, url: inApp(url) }).catch(() => undefined);
    });
    page.on('popup', (popup) => void popup.close().catch(() => undefined));
  };

  const wire = async (window: number, page: Page): Promise<void> => {
    pages.set(window, page);
    await page.exposeBinding('__standIn', async ({ frame }, text: string) => {
      const { channel, args } = decode(text) as { channel: string; args: unknown[] };
      try {
        const value = await peer.ask('invoke', { window, channel, args, frame: senderOf(frame) });
        return encode({ value });
      } catch (error) {
        return encode({ error: error instanceof Error ? error.message : String(error) });
      }
    });
    const preload = preloads.get(window);
    if (preload !== undefined) await page.addInitScript({ content: pageScript(ORIGIN, preload) });
    page.on('load', () => {
      const loaded = page.title().then((title) => peer.ask('loaded', { window, title }));
      loaded.catch(() => undefined);
    });
    page.on('crash', () => {
      if (pages.get(window) === page) peer.ask('gone', { window }).catch(() => undefined);
    });
    page.on('domcontentloaded', () => void peer.ask('shown', { window }).catch(() => undefined));
    await watchPopups(window, page);
  };

  const go = async (window: number, url: string): Promise<void> => {
    await peer.ask('began', { window });
    await pageOf(window).goto(inPage(url), { waitUntil: 'commit' });
  };

  /** A crashed page stays crashed in Playwright, so the window gets a new page, as a window gets a new process. */
  const reload = async (from: BrowserContext, window: number): Promise<void> => {
    const was = pageOf(window);
    const url = was.url();
    const page = await from.newPage();
    const size = was.viewportSize();
    if (size) await page.setViewportSize(size);
    await wire(window, page);
    await was.close().catch(() => undefined);
    await go(window, url.startsWith(ORIGIN) ? url : `${ORIGIN}/index.html`);
  };

  const answers: ChromiumOps = {
    async open({ window, url, user_data, preload, width, height, dark, permissions }) {
      context ??= await (opening ??= openContext(user_data, permissions));
      const taken = new Set(pages.values());
      const page = context.pages().find((one) => !taken.has(one)) ?? (await context.newPage());
      await page.setViewportSize({ width, height });
      if (dark) await page.emulateMedia({ colorScheme: 'dark' });
      if (preload !== null) preloads.set(window, readFileSync(preload, 'utf8'));
      await wire(window, page);
      await go(window, url);
      tellFirst(page);
    },
    async send({ window, channel, args }) {
      await pages
        .get(window)
        ?.evaluate(
          `globalThis.__standInHear?.(${JSON.stringify(channel)}, ${JSON.stringify(encode(args))})`,
        )
        .catch(() => undefined);
    },
    async close({ window }) {
      const page = pages.get(window);
      pages.delete(window);
      await page?.close();
    },
    async reload({ window }) {
      if (context === undefined) return;
      const running = reload(context, window);
      reloads.add(running);
      try {
        await running;
      } finally {
        reloads.delete(running);
      }
    },
    crash: ({ window }) => crashPage(pageOf(window)),
    async keys({ window, keys }) {
      await pageOf(window).keyboard.press(keys);
    },
    pdf: ({ window, paper }) => pageOf(window).pdf({ format: paper }),
    async scheme({ dark }) {
      const colorScheme = dark === null ? null : dark ? 'dark' : 'light';
      for (const page of pages.values()) await page.emulateMedia({ colorScheme });
    },
  };

  const crashPage = async (page: Page): Promise<void> => {
    const crashed = page.waitForEvent('crash');
    const cdp = await page.context().newCDPSession(page);
    // No reply comes, because the process that would reply crashes.
    void cdp.send('Page.crash').catch(() => undefined);
    await crashed;
  };

  const peer = createPeer<AppOps, ChromiumOps>(
    {
      send: (message) => void (child.connected && child.send(message, () => undefined)),
      hear: (listener) => void child.on('message', listener),
    },
    answers,
  );
  const closed = exited.then(async () => {
    peer.end('the app has ended');
    // Closing a page during its setup would break the connection to Chromium.
    await Promise.allSettled(reloads);
    context ??= await opening?.catch(() => undefined);
    await context?.close().catch(() => undefined);
    rmSync(shell, { recursive: true, force: true, maxRetries: 5 });
  });

  const dialog = (words: RegExp): Promise<DialogSeen> =>
    until(
      async () =>
        (await peer.ask('dialogs', null)).find(({ title, message, detail }) =>
          words.test(`${title}\n${message}\n${detail}`),
        ),
      `a dialog with ${String(words)}`,
    );

  return {
    process: child,
    ask: peer.ask,
    page: () => [...pages.values()][0] ?? pageOf(1),
    firstWindow: () =>
      Promise.race([
        first,
        exited.then((code) => {
          throw new Error(`the app ended before its first window (${code})`);
        }),
      ]),
    dialog,
    async press({ id, buttons }, button) {
      const at = buttons.findIndex((one) =>
        typeof button === 'string' ? one === button : button.test(one),
      );
      if (at < 0) throw new Error(`the dialog has the buttons ${buttons.join(', ')}`);
      await peer.ask('answer', { id, button: at });
    },
    choose: (...path) => peer.ask('choose', { menu: 'app', path }),
    crash: async () => {
      const [page] = pages.values();
      if (page) await crashPage(page);
    },
    exited: async () => {
      const code = await exited;
      await closed;
      return code;
    },
    /** Like Playwright's ElectronApplication.close(): app.quit(), then waits for the end. */
    async close() {
      await peer.ask('quit', null).catch(() => undefined);
      await closed;
    },
  };
};
