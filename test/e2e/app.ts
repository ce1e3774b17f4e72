/**
 * The app as a user has it, on a data folder of its own: opened, closed, killed and opened again on the same folder
 * and the same browser profile, in either shell. Waits for conditions only; every port is drawn by the app.
 *
 * In the browser shell a test gets what `npm start` starts: a host in a process of its own, a Chromium of its own with its
 * profile on disk. One that says `test.use({ apart: false })` opens the app once and looks at nothing beside its window: its host
 * runs in the test's process, its window in the one Chromium of the worker, with a profile in memory.
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
  /** Where the file shares: this test closes or kills the app, or looks at its process or profile. `env` and `cameras` imply it. */
  readonly apart?: boolean;
  /** As `npm start -- --server URL`. */
  readonly server?: string;
  /** Added to the host's environment: a keyring's address, for instance. */
  readonly env?: Readonly<Record<string, string>>;
  /** Cameras this machine has: Chromium's own, which show a moving test picture. None where left out. */
  readonly cameras?: number;
  /** What this computer's user reads, as a browser tells it; left out: English. */
  readonly reads?: string;
  /** More of the app's own arguments. */
  readonly args?: readonly string[];
  /** The stand-in: another folder of the app than this one, a package taken apart for instance. */
  readonly root?: string;
  /** The shell is expected not to open a window. */
  readonly windowless?: boolean;
}

/** One running app: the host's process and its window. */
interface Running {
  readonly page: Page;
  /** Null where the host runs in this process. */
  readonly host: ChildProcess | null;
  readonly electron?: StandIn;
  closeWindow(): Promise<void>;
  /** Ends a host that runs in this process. */
  endHost?(): Promise<void>;
}

export interface App {
  /** queue, photos, settings, and the browser's profile in `browser/`. The same for every `open` of a test. */
  readonly data_dir: string;
  /** Where the window keeps its data: `IndexedDB/` is in it. */
  readonly profile_dir: string;
  /** The open window. */
  readonly window: Page;
  /** The stand-in of Electron, to be its user and its system. */
  readonly electron: StandIn;
  /** The host's process id. */
  readonly pid: number;
  /** What the host printed so far, both streams. */
  readonly output: string;
  open(options?: OpenOptions): Promise<Page>;
  /** Closes the window; the host goes on. */
  closeWindow(): Promise<void>;
  /** Closes the window and ends the host as a user would. */
  close(): Promise<void>;
  /** Browser shell: presses Enter where the host was started, for an address that lets another window in. */
  nextAddress(): Promise<string>;
  /** SIGKILL to the host while the window is open; the window is closed after that. */
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

/** The one-time address the host prints where it opens nothing. */
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

/** Chromium's own switches for the cameras a machine has. */
const cameraFlags = ({ cameras }: OpenOptions): string[] =>
  cameras === undefined ? [] : [`--use-fake-device-for-media-stream=device-count=${cameras}`];

/**
 * What Chromium leaves out. The first two are pages of its address bar, which it loads for every window and Spotter's has
 * not: a second of processor time for each start. The others are Playwright's own choice, which a list given here replaces.
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

/** What a person is asked for, and what every page may do once a button is pressed: Playwright refuses all else. */
const permissions = ['camera', 'clipboard-write'];

/** A window of the browser shell is let in by an address that works once. */
const enter = async (page: Page, address: string): Promise<void> => {
  await page.goto(address);
  await page.waitForURL((url) => url.pathname === '/');
};

/** One Chromium for a worker: begun for the first test that shares it. */
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

/** What the specs rely on, given to real Electron in its own words. */
const openElectron = async (
  folder: string,
  options: OpenOptions,
  hear: (line: string) => void,
): Promise<Running> => {
  const reads = options.reads ?? 'en-GB';
  // A package's program knows its app; Electron's own is told the folder.
  const packaged = process.env['SPOTTER_PACKAGED'];
  const app = await _electron.launch({
    ...(packaged === undefined ? {} : { executablePath: packaged }),
    // Chromium's switches stand before the app's folder, the app's own after it.
    args: [
      ...cameraFlags(options),
      `--lang=${reads}`,
      ...(packaged === undefined ? [root] : []),
      ...shellArguments(folder, options),
    ],
    env: { ...environment(options), LANGUAGE: reads.replace('-', '_') },
    // Playwright keeps no downloads of Electron unless told to, and takes its sandbox away on Linux.
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

/** An app, not open yet, on a folder that the caller removes; fixtures.ts gives every test one of its own. */
export const createApp = (shell: ShellOption['shell'], data_dir: string, alone = true) => {
  let running: Running | undefined;
  let output = '';
  let apart = alone;
  const now = (): Running => {
    if (running === undefined) throw new Error('the app is not open: await app.open() first');
    return running;
  };
  /** Its process, of which a test that shares its own has none. */
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
      // What it keeps on disk is found again there only.
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
      // In Electron the window is gone with its process.
      await closeWindow().catch(() => undefined);
    },
  };
  return {
    app,
    isOpen: () => running !== undefined,
    /** After a test, however it went. */
    async end() {
      if (running === undefined) return;
      await (running.host === null ? end(running) : app.kill());
    },
  };
};
