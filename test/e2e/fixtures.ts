/**
 * Fixtures of end-to-end tests: the app, a real service, a chaos proxy between them, a keyring, a folder. Each starts only for
 * a test that asks for it. Afterwards the app ends first and the others in reverse order of their start, so that no host loses
 * its server before it ends.
 */
import { test as base, type Page } from 'playwright/test';
import { startChaos, type Chaos } from '../support/chaos.ts';
import { keyringMissing } from '../support/keyring.ts';
import { startKeyringSession, type KeyringSession } from '../support/keyring-session.ts';
import { startServer, startServerHere, type Server } from '../support/server.ts';
import { type Client, clientOf, tempDir } from '../support/service.ts';
import { type App, createApp, type OpenOptions, sharedBrowser, type ShellOption } from './app.ts';
import { connectByNumbers, connectToServer, signIn } from './steps.ts';

/** The connected app: in the demo's first project, through `chaos`. */
export interface World {
  /** Opens the app for the first time and connects, up to the list of near misses. */
  open(options?: OpenOptions): Promise<Page>;
  /** Opens the app again and signs in again, because the ended host kept its token in memory only. */
  reopen(): Promise<Page>;
  offline(): void;
  online(): void;
}

export interface Fixtures {
  /** Further options of `server`; set by `test.use`. */
  readonly serverArgs: readonly string[];
  /** Runs `server` as a child process, for tests that kill it or write to its database. Set by `test.use`. */
  readonly serverProcess: boolean;
  /** False: the app shares what it can with the worker's other tests (app.ts). Set by `test.use`. */
  readonly apart: boolean;
  /** Not open at first; a test opens it as often as it needs. */
  readonly app: App;
  readonly server: Server;
  /** The proxy before `server`; it breaks nothing without a plan. (`proxy` is an option of Playwright.) */
  readonly chaos: Chaos;
  /** Another user of the same project, connected directly to `server`. */
  readonly client: Client;
  readonly world: World;
  /** A real keyring, so that a restarted host finds its token. Without one the test is skipped. */
  readonly keyring: KeyringSession;
  /** A folder for the test's files. */
  readonly folder: string;
  /**
   * Registers cleanup that runs after the app has ended. Playwright alone would end fixtures in the order a test names them.
   */
  readonly afterApp: (end: () => Promise<void> | void) => void;
}

/** `shell` comes from the Playwright project. */
export const test = base.extend<Fixtures, ShellOption & { readonly chromium: void }>({
  shell: ['browser', { option: true, scope: 'worker' }],
  chromium: [
    async ({}, use) => {
      await use();
      await sharedBrowser.close();
    },
    { scope: 'worker', auto: true },
  ],
  serverArgs: [[], { option: true }],
  serverProcess: [false, { option: true }],
  apart: [true, { option: true }],
  afterApp: async ({}, use) => {
    const ends: (() => Promise<void> | void)[] = [];
    await use((end) => void ends.unshift(end));
    for (const end of ends) await end();
  },
  app: async ({ shell, apart, afterApp: _afterApp }, use, info) => {
    const folder = tempDir('e2e');
    const { app, end } = createApp(shell, folder.path, apart);
    await use(app);
    await end();
    if (info.status !== info.expectedStatus)
      await info.attach('host.log', { body: app.output, contentType: 'text/plain' });
    folder.remove();
  },
  server: async ({ serverArgs, serverProcess, afterApp }, use) => {
    const server = await (serverProcess ? startServer : startServerHere)(serverArgs);
    afterApp(() => server.remove());
    await use(server);
  },
  chaos: async ({ server, afterApp }, use) => {
    const chaos = await startChaos(server.url);
    afterApp(() => chaos.close());
    await use(chaos);
  },
  client: async ({ server, serverArgs }, use) => {
    await use(clientOf(server.url, server.first, serverArgs.includes('--plain')));
  },
  world: async ({ app, server, serverArgs, chaos }, use) => {
    const opened = async (options?: OpenOptions): Promise<Page> => {
      const page = await app.open(options);
      page.setDefaultTimeout(60_000);
      return page;
    };
    await use({
      async open(options) {
        const page = await opened(options);
        const reached = { first: server.first, url: chaos.url };
        if (serverArgs.includes('--plain')) await connectByNumbers(page, reached);
        else await connectToServer(page, reached, 'Harbour Bridge East');
        return page;
      },
      async reopen() {
        const page = await opened();
        await signIn(page, server);
        return page;
      },
      offline: () => void (chaos.target = null),
      online: () => void (chaos.target = server.url),
    });
  },
  keyring: async ({ afterApp }, use, info) => {
    const missing = keyringMissing();
    info.skip(missing !== null, `a token that outlives SIGKILL ${missing ?? ''}`);
    const keyring = await startKeyringSession();
    afterApp(() => keyring.end());
    await use(keyring);
  },
  folder: async ({ afterApp }, use) => {
    const folder = tempDir('e2e-files');
    afterApp(() => folder.remove());
    await use(folder.path);
  },
});

export { expect } from 'playwright/test';
