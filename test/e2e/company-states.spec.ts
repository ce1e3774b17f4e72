/**
 * Insurances, members, webhooks and time-and-material files when they cannot show all they should: while they are asked for, after
 * an error, with no connection, without the right. A real service behind a breaking proxy; the right is taken away in its database.
 */
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import type { Locator, Page } from 'playwright/test';
import type { Server } from '../support/server.ts';
import type { Client } from '../support/service.ts';
import { toCompany } from './company-steps.ts';
import { expect as plainExpect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { drained, photoFile } from './steps.ts';

/** One walk through many screens: a slow machine is no finding. */
const expect = plainExpect.configure({ timeout: 60_000 });
test.use({ apart: false, serverArgs: ['--allow-private-webhooks'], serverProcess: true });
const VENDOR = 'Coastal Crane Hire';
const ENTRY = 'T&M 001: extra shoring, pier 3';

interface Named {
  readonly id: number;
  readonly name: string;
  readonly reference_user?: boolean;
}
const catalog = async (client: Client): Promise<Readonly<Record<string, Named[]>>> =>
  (await client.get('~/catalog')).json as Readonly<Record<string, Named[]>>;
const idOf = async (client: Client, list: string, name: string): Promise<number> =>
  (await catalog(client))[list]?.find((one) => one.name === name)?.id ?? 0;

const content = (page: Page): Locator => page.locator('#content');
const place = async (page: Page, path: string): Promise<void> => {
  await page.evaluate((to) => (location.hash = to), path);
  await page.locator(`#content[data-path="${path}"]`).waitFor();
};

interface Screen {
  readonly path: (client: Client) => Promise<string>;
  /** What its list is asked for by. */
  readonly asks: RegExp;
  /** Said where the server has nothing. */
  readonly empty: string;
  readonly offline: string;
  readonly who: string;
}
const screens: readonly Screen[] = [
  {
    path: async (client) => `/insurances/${await idOf(client, 'vendors', VENDOR)}`,
    asks: /\/vendors\/\d+\/insurances/,
    empty: 'This vendor has no policies yet',
    offline: 'This vendor’s policies will download when you’re online.',
    who: 'Ask your project admin for access to this vendor.',
  },
  {
    path: async () => '/members',
    asks: /\/project_memberships/,
    empty: 'This project has no members yet',
    offline: 'The members will download when you’re online.',
    who: 'Ask your project admin for access to the members.',
  },
  {
    path: async () => '/webhooks',
    asks: /\/webhooks\/hooks\?/,
    empty: 'No webhooks in this namespace',
    offline: 'The webhooks will download when you’re online.',
    who: 'Ask your company admin for access to webhooks.',
  },
  {
    path: async (client) =>
      `/time-and-material/${await idOf(client, 'time_and_material_entries', ENTRY)}`,
    asks: /\/time_and_material_entry_attachments/,
    empty: 'No files on this entry yet',
    offline: 'The files on the server will download when you’re online.',
    who: 'Ask your project admin for access to time and materials.',
  },
];

/** Nobody of the company any more; the answered function puts everybody back. */
const loseRight = (server: Server): (() => void) => {
  const open = (): SQLite.Database => new SQLite(join(server.data_dir, 'spotter.db'));
  const { company_id } = server.first;
  const db = open();
  const had = db.prepare('select user_id from company_users where company_id = ?').all(company_id);
  db.prepare('delete from company_users where company_id = ?').run(company_id);
  db.close();
  return () => {
    const again = open();
    const put = again.prepare('insert into company_users (company_id, user_id) values (?, ?)');
    for (const { user_id } of had as { user_id: number }[]) put.run(company_id, user_id);
    again.close();
  };
};

/** Every text that was on the page, however short a time. */
const watch = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen_texts: seen });
    const note = () => seen.push(document.querySelector('#content')?.textContent ?? '');
    new MutationObserver(note).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
const wasSeen = (page: Page, text: string): Promise<boolean> =>
  page.evaluate(
    (wanted) =>
      ((globalThis as { seen_texts?: string[] }).seen_texts ?? []).some((one) =>
        one.includes(wanted),
      ),
    text,
  );

test('loading is not called empty; an error says what is safe and is tried again; offline says what still works', async ({
  chaos,
  client,
  world,
}) => {
  test.slow();
  const page = await world.open();
  await watch(page);
  for (const { path, asks, empty } of screens) {
    let letGo = (): void => undefined;
    const until = new Promise<'pass'>((resolve) => (letGo = () => resolve('pass')));
    chaos.plan = ({ path: asked }) =>
      asks.test(asked) ? { kind: 'hold_reply', until: () => until } : null;
    await place(page, await path(client));
    await expect(content(page).locator('.spinner').first()).toBeVisible();
    expect(await wasSeen(page, empty)).toBe(false);
    letGo();
    chaos.plan = () => null;
    await expect(content(page).locator('.spinner')).toHaveCount(0);
    // Said if it is so, and never before something comes. Members are there: the demo company has some.
    await expect
      .poll(async () => {
        const seen = await wasSeen(page, empty);
        return seen === (await content(page).getByText(empty).isVisible());
      })
      .toBe(true);
  }

  await place(page, '/members');
  await expect(page.getByRole('list', { name: 'Project members' })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Find a member' }).fill('zzz');
  await expect(page.getByText('No matches')).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(page.getByText('No matches')).toBeHidden();

  for (const { path, asks } of screens.filter(({ asks: of }) => !of.test('/project_memberships'))) {
    chaos.plan = ({ path: asked }) =>
      asks.test(asked) ? { kind: 'answer', status: 500, body: '{}' } : null;
    await place(page, '/settings');
    await place(page, await path(client));
    await expect(content(page).getByText('The server has a problem.')).toBeVisible();
    await expect(content(page).getByText('Nothing is on this laptop yet.')).toBeVisible();
    chaos.plan = () => null;
    await content(page).getByRole('button', { name: 'Try again' }).click();
    await expect(content(page).getByText('The server has a problem.')).toBeHidden();
  }

  world.offline();
  await page.reload();
  await expect(page.getByRole('link', { name: /^Offline/ })).toBeVisible();
  for (const { path, offline } of screens) {
    const to = await path(client);
    await place(page, to);
    if (to !== '/members') await expect(content(page).getByText(offline)).toBeVisible();
    else
      await expect(
        content(page).getByText('Offline. Showing the copy on this laptop'),
      ).toBeVisible();
  }
  await look(page, 'states-offline');
});

test('deliveries of a webhook that could not be fetched are not called none', async ({
  chaos,
  client,
  world,
}) => {
  const page = await world.open();
  await client.post('/rest/v1.0/webhooks/hooks', {
    project_id: client.project_id,
    hook: { api_version: 'v1', destination_url: 'https://hooks.example.com/a' },
  });
  chaos.plan = ({ path: asked }) =>
    /\/deliveries/.test(asked) ? { kind: 'answer', status: 500, body: '{}' } : null;
  await place(page, '/webhooks');
  await content(page).getByRole('link', { name: 'hooks.example.com' }).click();
  const deliveries = page.getByRole('region', { name: 'Deliveries' });
  await expect(deliveries.getByRole('alert')).toHaveText('The server has a problem.');
  await expect(deliveries.getByText('Nothing has been sent to this address yet.')).toBeHidden();
  chaos.plan = () => null;
  await deliveries.getByRole('button', { name: 'Refresh' }).click();
  await expect(deliveries.getByText('Nothing has been sent to this address yet.')).toBeVisible();
  await expect(deliveries.getByRole('alert')).toBeHidden();
});

test('failures A10: without the right (403) each screen says who gives it; a refused delete is brought back or tried again', async ({
  server,
  client,
  world,
  folder,
}) => {
  test.slow();
  const vendor = await idOf(client, 'vendors', VENDOR);
  const entry = await idOf(client, 'time_and_material_entries', ENTRY);
  const base = `~/vendors/${vendor}/insurances`;
  for (const name of ['Zurich', 'Allianz'])
    await client.post(base, { insurance: { name, policy_number: `${name}-1` } });
  const people = ((await catalog(client))['parties'] ?? []).filter((one) => one.reference_user);
  const [one, two, three] = people;
  if (!one || !two || !three) throw new Error('three reference users');
  for (const { id } of [one, two, three])
    await client.post('~/project_memberships', { project_membership: { party_id: id } });
  const { project_id } = client;
  await client.post('/rest/v1.0/webhooks/hooks', {
    project_id,
    hook: { api_version: 'v1', destination_url: 'https://hooks.example.com/a' },
  });
  const photo = await photoFile(folder, 1, 60_000);

  const page = await world.open();
  await place(page, `/time-and-material/${entry}`);
  await content(page).locator('input[type=file]').setInputFiles(photo.path);
  // Seen before it is waited for: nothing waits, too, while the file is still being read.
  await expect(page.getByRole('button', { name: 'Delete IMG_1001.jpg' })).toBeVisible();
  await drained(page);
  await toCompany(page, 'Members');
  await expect(page.getByText(one.name, { exact: true })).toBeVisible();
  await place(page, '/webhooks');
  await page.getByRole('link', { name: /hooks\.example\.com/ }).click();
  await expect(page.getByRole('heading', { name: 'hooks.example.com' })).toBeVisible();
  await place(page, `/insurances/${vendor}`);
  await expect(page.getByRole('button', { name: 'Open Zurich' })).toBeVisible();

  // Asked while that is still allowed.
  const here = new Map<Screen['path'], string>();
  for (const { path } of screens) here.set(path, await path(client));
  const giveBack = loseRight(server);
  for (const { path, who } of screens) {
    await place(page, '/settings');
    await place(page, here.get(path) ?? '');
    await expect(content(page).getByText(who).first()).toBeVisible();
    await expect(content(page).getByText('You do not have permission to see this')).toBeVisible();
    await expect(content(page).getByRole('button', { name: 'Try again' })).toBeVisible();
  }

  // Deleted here, refused there: a single one, several at once, a webhook, a file.
  const confirm = (title: string, name: string) =>
    page.getByRole('dialog', { name: title }).getByRole('button', { name, exact: true }).click();
  await place(page, `/insurances/${vendor}`);
  await page.getByRole('button', { name: 'Open Zurich' }).click();
  await confirm('Edit policy', 'Delete');
  await confirm('Delete this policy?', 'Delete');
  const row = page.getByRole('listitem').filter({ hasText: 'Zurich' });
  await expect(row.getByText('Could not be deleted')).toBeVisible();
  await expect(row).toContainText('Needs you');
  await look(page, 'states-undeleted');
  await row.getByRole('button', { name: 'Keep Zurich' }).click();
  await expect(row.getByText('Could not be deleted')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Open Zurich' })).toBeEnabled();

  await place(page, '/members');
  for (const { name } of [one, two]) await page.getByLabel(`Select ${name}`).check();
  await page.getByRole('button', { name: 'Remove 2 members' }).click();
  await confirm('Remove 2 members from the project?', 'Remove');
  await expect(
    page.getByText('2 people could not be removed: they are still members'),
  ).toBeVisible();
  await page.getByRole('button', { name: `Remove ${three.name}` }).click();
  await confirm('Remove 1 member from the project?', 'Remove');
  const third = page.getByRole('listitem').filter({ hasText: three.name });
  await expect(third.getByText('Could not be removed: still a member')).toBeVisible();
  await look(page, 'states-members');
  await page.getByRole('button', { name: 'Keep 2 people' }).click();
  await expect(page.getByText('2 people could not be removed')).toBeHidden();

  await place(page, '/webhooks');
  await page.getByRole('link', { name: /hooks\.example\.com/ }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await confirm('Delete this webhook?', 'Delete');
  const refused = page.getByRole('link', { name: /hooks\.example\.com/ });
  await expect(refused).toContainText('Needs you');
  await refused.click();
  await expect(page.getByText('Could not be deleted')).toBeVisible();
  await place(page, `/time-and-material/${entry}`);
  await page.getByRole('button', { name: 'Delete IMG_1001.jpg' }).click();
  await confirm('Delete this file?', 'Delete');
  await expect(page.getByText('1 file could not be deleted')).toBeVisible();
  await page.getByRole('button', { name: 'Keep IMG_1001.jpg' }).click();
  await expect(page.getByText('1 file could not be deleted')).toBeHidden();

  // The right is back: what is tried again goes through, and what was brought back is there.
  giveBack();
  await place(page, '/webhooks');
  await refused.click();
  await page.getByRole('button', { name: 'Try again: hooks.example.com' }).click();
  await expect(page.getByText('No webhooks in this namespace')).toBeVisible();
  await place(page, '/members');
  await page.getByRole('button', { name: `Try again: ${three.name}` }).click();
  await expect(third).toHaveCount(0);
  await drained(page);
  expect(((await client.get(`${base}?per_page=100`)).json as unknown[]).length).toBe(2);
  const listed = (await client.get('~/project_memberships?per_page=1000')).json as {
    party_id: number;
  }[];
  const ids = listed.map(({ party_id }) => party_id);
  expect(ids).toEqual(expect.arrayContaining([one.id, two.id]));
  expect(ids).not.toContain(three.id);
});
