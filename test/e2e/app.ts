/**
 * The app as a user has it, on a data folder per test: opened, closed, killed and reopened on the same folder and browser
 * profile, in either shell. It waits for conditions only; the app picks every port.
 *
 * In the browser shell a test gets what `npm start` starts: a host process and a Chromium with its profile on disk. A test with
 * `test.use({ apart: false })` opens the app once and looks only at its window: the host runs in the test's process, and the
 * window in the worker's shared Chromium with a profile in memory.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { _electron, type Browser, chromium, type Page } from 'playwright/test';
import { startShell } from '../../src/browser/start-shell.ts';
import { chromiumFlags, findChromium } from '../../src/setup/chromium.ts';
import { launch, type StandIn } from '../electron/harness.ts';

export interface ShellOption {
  /** Which shell runs the app. `stand-in`: the built Electron shell, with test/electron in Electron's place. */
  readonly shell: 'browser' | 'electron' | 'stand-in';
}

export interface OpenOptions {
  /**
   * In a file that shares: this test closes or kills the app, or looks at its process or profile. `env` and `cameras` imply it.
   */
  readonly apart?: boolean;
  /** As `npm start -- --server URL`. */
  readonly server?: string;
  /** Added to the host's environment, such as a keyring's address. */
  readonly env?: Readonly<Record<string, string>>;
  /** Number of cameras: Chromium's fake ones, which show a moving test picture. Default: none. */
  readonly cameras?: number;
  /** The language that the browser reports; default: English. */
  readonly reads?: string;
  /** Further arguments of the app. */
  readonly args?: readonly string[];
  /** Stand-in only: another app folder, such as an unpacked package. */
  readonly root?: string;
  /** The shell is expected not to open a window. */
  readonly windowless?: boolean;
}

/** One running app: the host's process and its window. */
interface Running {
  readonly page: Page;
  /** Null if the host runs in this process. */
  readonly host: ChildProcess | null;
  readonly electron?: StandIn;
  closeWindow(): Promise<void>;
  /** Ends a host that runs in this process. */
  endHost?(): Promise<void>;
}

export interface App {
  /** Holds queue, photos, settings, and the browser's profile in `browser/`. The same for every `open` of a test. */
  readonly data_dir: string;
  /** The browser's profile, which contains `IndexedDB/`. */
  readonly profile_dir: string;
  readonly window: Page;
  /** The stand-in of Electron, through which a test acts as user and system. */
  readonly electron: StandIn;
  readonly pid: number;
  /** All output of the host so far, both streams. */
  readonly output: string;
  open(options?: OpenOptions): Promise<Page>;
  /** Closes the window; the host keeps running. */
  closeWindow(): Promise<void>;
  /** Closes the window and ends the host as a user would. */
  close(): Promise<void>;
  /** Browser shell only: presses Enter in the host's terminal, for an address that admits another window. */
  nextAddress(): Promise<string>;
  /** Sends SIGKILL to the host while the window is open, then closes the window. */
  kill(): Promise<void>;
}

const root = join(import.meta.dirname, '../..');

const environment = (options: OpenOptions): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  ),
  ...options.env,
});

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
};

const listenTo = (child: ChildProcess, hear: (line: string) => void): void => {
  for (const stream of [child.stdout, child.stderr])
    if (stream) createInterface({ input: stream }).on('line', hear);
};

/** The one-time address that the host prints when it opens no browser. */
const printedAddress = (child: ChildProcess, hear: (line: string) => void): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = '';
    listenTo(child, (line) => {
      said += `${line}\n`;
      hear(line);
      const address = /http:\/\/127\.0\.0\.1:\d+\/enter#\S+/.exec(line)?.[0];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', () =>
      reject(new Error(`the host ended before it printed an address\n${said}`)),
    );
  });

/** Chromium's switches for fake cameras. */
const cameraFlags = ({ cameras }: OpenOptions): string[] =>
  cameras === undefined ? [] : [`--use-fake-device-for-media-stream=device-count=${cameras}`];

/**
 * Chromium features to disable. Chromium loads the first two, pages of its address bar, for every window, which costs a second
 * of CPU per start; Spotter's window has no address bar. The others are Playwright's defaults, which this list replaces.
 */
const LEFT_OUT = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AimEnabled',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'PreconnectToSearch',
];

const chromiumOptions = (options: OpenOptions) => ({
  executablePath: findChromium(),
  args: [...chromiumFlags(), ...cameraFlags(options), `--disable-features=${LEFT_OUT.join(',')}`],
  headless: true,
  chromiumSandbox: process.getuid?.() !== 0,
  viewport: { width: 1280, height: 860 },
  locale: options.reads ?? 'en-GB',
});

/** Permissions that a user would grant, or that a page has after a press. Playwright denies all others. */
const permissions = ['camera', 'clipboard-write'];

/** Opens a window of the browser shell with a one-time address. */
const enter = async (page: Page, address: string): Promise<void> => {
  await page.goto(address);
  await page.waitForURL((url) => url.pathname === '/');
};

/** One Chromium per worker, started for the first test that shares it. */
const createBrowser = () => {
  let begun: Promise<Browser> | undefined;
  return {
    get: (): Promise<Browser> => (begun ??= chromium.launch(chromiumOptions({}))),
    close: async (): Promise<void> => void (await (await begun)?.close()),
  };
};
export const sharedBrowser = createBrowser();

const openBesideOthers = async (
  folder: string,
  options: OpenOptions,
  hear: (line: string) => void,
): Promise<Running> => {
  const started = await startShell({
    data_dir: folder,
    port: 0,
    server: options.server,
    say: hear,
    log: hear,
    lost: hear,
  });
  if (!started.ok) throw new Error(started.problem.detail);
  const { server, stop } = started.value;
  const browser = await sharedBrowser.get();
  const { viewport, locale } = chromiumOptions(options);
  const context = await browser.newContext({ viewport, locale, permissions });
  const page = await context.newPage();
  await enter(page, server.address());
  return { page, host: null, closeWindow: () => context.close(), endHost: stop };
};

const openApart = async (
  folder: string,
  options: OpenOptions,
  hear: (line: string) => void,
): Promise<Running> => {
  const args = [join(root, 'src/browser/index.ts'), `--data-dir=${folder}`];
  if (options.server !== undefined) args.push(`--server=${options.server}`);
  const host = spawn(process.execPath, args, {
    env: environment(options),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const address = await printedAddress(host, hear);
  const context = await chromium.launchPersistentContext(join(folder, 'browser'), {
    ...chromiumOptions(options),
    permissions,
  });
  const page = context.pages()[0] ?? (await context.newPage());
  await enter(page, address);
  return { page, host, closeWindow: () => context.close() };
};

const openBrowserShell = (
  folder: string,
  options: OpenOptions,
  hear: (line: string) => void,
): Promise<Running> => {
  const { apart, env, cameras } = options;
  const open = apart || env || cameras !== undefined ? openApart : openBesideOthers;
  return open(folder, options, hear);
};

const shellArguments = (folder: string, { server, args = [] }: OpenOptions): string[] => [
  `--data-dir=${folder}`,
  ...(server === undefined ? [] : [`--server=${server}`]),
  ...args,
];

const openStandIn = async (
  folder: string,
  options: OpenOptions,
  hear: (line: string) => void,
): Promise<Running> => {
  const electron = await launch({
    root: options.root ?? root,
    args: shellArguments(folder, options),
    env: { ...environment(options), STAND_IN_LANGUAGES: options.reads ?? 'en-GB' },
    chromium,
    browser: chromiumOptions(options),
    hear,
  });
  const host = electron.process;
  const running = { host, electron, closeWindow: () => electron.close() };
  if (!options.windowless) await electron.firstWindow();
  return {
    ...running,
    get page() {
      return electron.page();
    },
  };
};

/** Gives real Electron the interface that the specs rely on. */
const openElectron = async (
  folder: string,
  options: OpenOptions,
  hear: (line: string) => void,
): Promise<Running> => {
  const reads = options.reads ?? 'en-GB';
  // A packaged program knows its app; Electron's own binary needs the folder.
  const packaged = process.env['SPOTTER_PACKAGED'];
  const app = await _electron.launch({
    ...(packaged === undefined ? {} : { executablePath: packaged }),
    // Chromium's switches precede the app's folder; the app's arguments follow it.
    args: [
      ...cameraFlags(options),
      `--lang=${reads}`,
      ...(packaged === undefined ? [root] : []),
      ...shellArguments(folder, options),
    ],
    env: { ...environment(options), LANGUAGE: reads.replace('-', '_') },
    // Playwright keeps no downloads of Electron by default, and disables its sandbox on Linux.
    acceptDownloads: true,
    chromiumSandbox: true,
    locale: reads,
  });
  const host = app.process();
  listenTo(host, hear);
  const page = await app.firstWindow();
  await page.setViewportSize({ width: 1280, height: 860 });
  return { page, host, closeWindow: () => app.close() };
};

const starts = { browser: openBrowserShell, electron: openElectron, 'stand-in': openStandIn };

/** An app that is not open yet, on a folder that the caller removes; fixtures.ts gives each test a folder. */
export const createApp = (shell: ShellOption['shell'], data_dir: string, alone = true) => {
  let running: Running | undefined;
  let output = '';
  let apart = alone;
  const now = (): Running => {
    if (running === undefined) throw new Error('the app is not open: await app.open() first');
    return running;
  };
  /** The host's process; a test that shares has none. */
  const processNow = (): ChildProcess => {
    const { host } = now();
    if (host === null) throw new Error('this needs app.open({ apart: true })');
    return host;
  };
  const end = async ({ closeWindow, endHost }: Running): Promise<void> => {
    running = undefined;
    await closeWindow().finally(() => endHost?.());
  };
  const app: App = {
    data_dir,
    get profile_dir() {
      if (running) processNow();
      return join(data_dir, shell === 'browser' ? 'browser/Default' : 'electron');
    },
    get window() {
      return now().page;
    },
    get electron() {
      const { electron } = now();
      if (electron === undefined) throw new Error('only the stand-in can be driven');
      return electron;
    },
    get pid() {
      return processNow().pid ?? 0;
    },
    get output() {
      return output;
    },
    async open(options = {}) {
      if (running !== undefined) throw new Error('the app is open already');
      // What it keeps on disk can only be reopened in a separate process.
      apart ||= options.apart ?? false;
      const hear = (line: string) => void (output += `${line}\n`);
      running = await starts[shell](data_dir, { ...options, apart }, hear);
      return options.windowless ? (undefined as never) : running.page;
    },
    closeWindow: () => now().closeWindow(),
    async close() {
      const host = processNow();
      await end(now());
      host.kill('SIGTERM');
      await ended(host);
    },
    async nextAddress() {
      const host = processNow();
      const next = printedAddress(host, () => undefined);
      host.stdin?.write('\n');
      return next;
    },
    async kill() {
      const host = processNow();
      const { closeWindow } = now();
      running = undefined;
      host.kill('SIGKILL');
      await ended(host);
      // In Electron the window dies with its process.
      await closeWindow().catch(() => undefined);
    },
  };
  return {
    app,
    isOpen: () => running !== undefined,
    /** Cleans up after a test, passed or failed. */
    async end() {
      if (running === undefined) return;
      await (running.host === null ? end(running) : app.kill());
    },
  };
};
