/** What the tests of insurances, members and webhooks share: a service behind a breaking proxy, and the ways to their screens. */
import { test as base, type Page } from 'playwright/test';
import { startChaos, type Chaos } from '../support/chaos.ts';
import { startServer, type Server } from '../support/server.ts';
import { type Client, clientOf, tempDir } from '../support/service.ts';
import type { App } from './app.ts';
import { connectToServer } from './steps.ts';

export interface CompanyWorld {
  readonly server: Server;
  readonly proxy: Chaos;
  /** Files of the test. */
  readonly folder: string;
  /** Somebody else who works on the same project. */
  readonly client: Client;
  open(app: App): Promise<Page>;
  /** The same after the host was killed: its token went with it. */
  reopen(app: App): Promise<Page>;
  offline(): void;
  online(): void;
}

/** To be called once in a file: gives every test a world of its own. @param argv more options of the service */
export const companyWorld = (argv: readonly string[] = []): CompanyWorld => {
  let server: Server;
  let proxy: Chaos;
  let folder: ReturnType<typeof tempDir>;
  base.beforeEach(async () => {
    folder = tempDir('company');
    server = await startServer(argv);
    proxy = await startChaos(server.url);
  });
  base.afterEach(async () => {
    await proxy.close();
    await server.remove();
    folder.remove();
  });
  return {
    get server() {
      return server;
    },
    get proxy() {
      return proxy;
    },
    get folder() {
      return folder.path;
    },
    get client() {
      return clientOf(server.url, server.first);
    },
    async open(app) {
      const page = await app.open();
      page.setDefaultTimeout(20_000);
      await connectToServer(page, { url: proxy.url, first: server.first }, 'Harbour Bridge East');
      return page;
    },
    async reopen(app) {
      const page = await app.open();
      page.setDefaultTimeout(20_000);
      await page.getByRole('link', { name: 'Sign in', exact: true }).click();
      await page.getByLabel('Access token').fill(server.first.token);
      await page.getByRole('button', { name: 'Check and go on' }).click();
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      return page;
    },
    offline: () => void (proxy.target = null),
    online: () => void (proxy.target = server.url),
  };
};

/** To a place of the rail's company group. */
export const toCompany = async (page: Page, place: string): Promise<void> => {
  const rail = page.getByRole('navigation', { name: 'Main' });
  if (!(await rail.getByRole('link', { name: place }).isVisible()))
    await rail.getByRole('button', { name: 'Company' }).click();
  await rail.getByRole('link', { name: place }).click();
};

/** What waits, as its screen tells it. */
export const toWaiting = async (page: Page) => {
  await page
    .getByRole('link', { name: /^Waiting/ })
    .first()
    .click();
  return page.getByRole('region', { name: 'Waiting' }).getByRole('listitem').first();
};
