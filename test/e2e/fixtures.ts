/**
 * What an end-to-end test is given: the app, a real service, a proxy between them that breaks what it is told to, a keyring, a
 * folder. Each is begun only for a test that asks for it, and ended after it however that went: the app first, then the
 * others, last begun first, so that no host loses its server before it ends itself.
 */
import { test as base, type Page } from 'playwright/test';
import { startChaos, type Chaos } from '../support/chaos.ts';
import { keyringMissing } from '../support/keyring.ts';
import { startKeyringSession, type KeyringSession } from '../support/keyring-session.ts';
import { startServer, startServerHere, type Server } from '../support/server.ts';
import { type Client, clientOf, tempDir } from '../support/service.ts';
import { type App, createApp, type OpenOptions, sharedBrowser, type ShellOption } from './app.ts';
import { connectByNumbers, connectToServer, signIn } from './steps.ts';

/** The app where it is used: connected to the demo's first project through `chaos`. */
export interface World {
  /** From the first start to the list of near misses. */
  open(options?: OpenOptions): Promise<Page>;
  /** Once more after the host ended, which kept its token in memory only: signs in again. */
  reopen(): Promise<Page>;
  offline(): void;
  online(): void;
}

export interface Fixtures {
  /** More options of `server`; set by `test.use`. */
  readonly serverArgs: readonly string[];
  /** Where a test kills `server` or writes to its database beside it: a process of its own. Set by `test.use`. */
  readonly serverProcess: boolean;
  /** False: the app shares what it can with the worker's other tests (app.ts). Set by `test.use`. */
  readonly apart: boolean;
  /** Not open yet; a test opens it as often as it needs. */
  readonly app: App;
  readonly server: Server;
  /** The proxy before `server`, which breaks nothing until it gets a plan. (`proxy` is an option of Playwright.) */
  readonly chaos: Chaos;
  /** Somebody else who works on the same project, straight on `server`. */
  readonly client: Client;
  readonly world: World;
  /** A real keyring, so that a killed host finds its token again. Where there is none the test is skipped. */
  readonly keyring: KeyringSession;
  /** A folder for files of the test. */
  readonly folder: string;
  /** Playwright ends fixtures in the order a test happens to name them: what this is told ends after the app. */
  readonly afterApp: (end: () => Promise<void> | void) => void;
}

/** `shell` is the Playwright project's. */
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
