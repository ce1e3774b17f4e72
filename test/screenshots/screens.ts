/**
 * Every screen of the window, and how to open it without relying on a language, for screenshots and tests that walk through all
 * of them. `missingRoutes` reports a route of routes.ts that is not here.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright/test';

export interface Screen {
  readonly name: string;
  /** The route in routes.ts. */
  readonly route: string;
  /** Opens the screen from anywhere in the window. */
  readonly open: (page: Page) => Promise<void>;
}

/** Thumbnails load when they first become visible; they count as settled after this time without a new one, milliseconds. */
const NO_MORE = 600;

/** Waits until the screen and its pictures have loaded. */
const settled = async (page: Page): Promise<void> => {
  await page.waitForFunction(
    () =>
      document.querySelector('#content .spinner') === null &&
      [...document.images].every((image) => image.complete) &&
      document.getAnimations().every((animation) => animation.playState !== 'running'),
  );
  const seen = { count: -1, since: 0 };
  await page.waitForFunction(
    ([last, still]) => {
      const { length } = document.images;
      if (length !== last.count) Object.assign(last, { count: length, since: performance.now() });
      return performance.now() - last.since > still;
    },
    [seen, NO_MORE] as const,
  );
};

const go = async (page: Page, path: string): Promise<void> => {
  await page.evaluate((to) => (location.hash = to), path);
  await page.locator(`#content[data-path="${path}"]`).waitFor();
  await settled(page);
};

const at = (name: string, route: string, path = route): Screen => ({
  name, route,
  open: (page) => go(page, path),
});

/** The first link on `list` that leads to `prefix`; without one, an address that does not exist. */
const first = async (page: Page, list: string, prefix: string): Promise<string> => {
  await go(page, list);
  const link = page.locator(`#content a[href*="#${prefix}"]`).first();
  await link.waitFor({ timeout: 5_000 }).catch(() => undefined);
  const address = (await link.count()) > 0 ? await link.getAttribute('href') : null;
  return address?.slice(address.indexOf('#') + 1) ?? `${prefix}1`;
};

const firstOf = (name: string, route: string, list: string, prefix = `${list}/`): Screen => ({
  name, route,
  open: async (page) => go(page, await first(page, list, prefix)),
});

export const screens: readonly Screen[] = [
  at('list', '/near-misses'),
  firstOf('detail', '/near-misses/:key', '/near-misses'),
  {
    name: 'edit', route: '/near-misses/:key/edit',
    open: async (page) => go(page, `${await first(page, '/near-misses', '/near-misses/')}/edit`),
  },
  {
    name: 'reportable', route: '/near-misses/:key/reportable',
    open: async (page) =>
      go(page, `${await first(page, '/near-misses', '/near-misses/')}/reportable`),
  },
  at('report', '/new'),
  at('report-continued', '/new/:draft', '/new/1'),
  at('waiting', '/waiting'),
  at('photos', '/photos'),
  at('box', '/box'),
  at('recycle-bin', '/recycle-bin'),
  at('follow-ups', '/follow-ups'),
  at('insights', '/insights'),
  at('week', '/insights/week'),
  at('said', '/insights/said'),
  at('time-and-material', '/time-and-material'),
  firstOf('time-and-material-entry', '/time-and-material/:entry', '/time-and-material'),
  at('insurances', '/insurances'),
  firstOf('insurances-vendor', '/insurances/:vendor', '/insurances'),
  {
    name: 'insurances-csv', route: '/insurances/:vendor/:part',
    open: async (page) => go(page, `${await first(page, '/insurances', '/insurances/')}/csv`),
  },
  at('plans', '/plans'),
  firstOf('plan', '/plans/:plan', '/plans'),
  at('members', '/members'),
  at('webhooks', '/webhooks'),
  firstOf('webhook', '/webhooks/:hook', '/webhooks'),
  at('users', '/users'),
  firstOf('user', '/users/:user', '/users'),
  at('company-data', '/company-data'),
  at('company-data-kind', '/company-data/:kind', '/company-data/vendors'),
  at('company-data-import', '/company-data/:kind/:part', '/company-data/vendors/import'),
  at('settings', '/settings'),
  at('settings-storage', '/settings/:section', '/settings/storage'),
  at('help', '/help'),
  at('help-keys', '/help/:tab', '/help/keys'),
  at('tour', '/tour'),
  at('connect', '/connect'),
];

/** Routes without a screen. */
const others = new Set(['/', '*']);

/** Routes that no screen of the list shows, and screens with a missing route. */
export const missingRoutes = async (): Promise<readonly string[]> => {
  const places = join(import.meta.dirname, '../../src/renderer/routes.ts');
  const source = await readFile(places, 'utf8');
  const routes = [...source.matchAll(/^ {2}'([^']+)': \{/gmu)].map((found) => found[1] ?? '');
  const shown = screens.map(({ route }) => route);
  return [
    ...routes.filter((route) => !shown.includes(route) && !others.has(route)),
    ...shown.filter((route) => !routes.includes(route)),
  ];
};
