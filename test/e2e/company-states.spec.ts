/**
 * Insurances, members, webhooks and time-and-material files without permission: a chaos proxy before the service refuses them.
 * Loading, errors and offline are in test/renderer/screens/company-states.test.ts.
 */
import type { Chaos } from '../support/chaos.ts';
import type { Locator, Page } from 'playwright/test';
import type { Client } from '../support/service.ts';
import { toCompany } from './company-steps.ts';
import { expect as plainExpect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { drained, photoFile } from './steps.ts';

/** One walk visits many screens, so a slow machine must not fail it. */
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
  readonly who: string;
}
const screens: readonly Screen[] = [
  {
    path: async (client) => `/insurances/${await idOf(client, 'vendors', VENDOR)}`,
    who: 'Ask your project admin for access to this vendor.',
  },
  {
    path: async () => '/members',
    who: 'Ask your project admin for access to the members.',
  },
  {
    path: async () => '/webhooks',
    who: 'Ask your company admin for access to webhooks.',
  },
  {
    path: async (client) =>
      `/time-and-material/${await idOf(client, 'time_and_material_entries', ENTRY)}`,
    who: 'Ask your project admin for access to time and materials.',
  },
];

/**
 * The server refuses all company records but still answers who the user is. If it refused that too, the queue would pause until
 * access returned. The returned function restores the permission.
 */
const loseRight = (chaos: Chaos): (() => void) => {
  chaos.plan = ({ path }) =>
    /insurances|project_memberships|webhooks|time_and_material|attachments/.test(path)
      ? {
          kind: 'answer',
          status: 403,
          headers: { 'content-type': 'application/json' },
          body: '{"errors":["You may not do this in this project."]}',
        }
      : null;
  return () => {
    chaos.plan = () => null;
  };
};

test('failures A10: without the right (403) each screen says who gives it; a refused delete is brought back or tried again', async ({
  chaos,
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
  // Wait for the row first: the queue is also empty while the file is still being read.
  await expect(page.getByRole('button', { name: 'Delete IMG_1001.jpg' })).toBeVisible();
  await drained(page);
  await toCompany(page, 'Members');
  await expect(page.getByText(one.name, { exact: true })).toBeVisible();
  await place(page, '/webhooks');
  await page.getByRole('link', { name: /hooks\.example\.com/ }).click();
  await expect(page.getByRole('heading', { name: 'hooks.example.com' })).toBeVisible();
  await place(page, `/insurances/${vendor}`);
  await expect(page.getByRole('button', { name: 'Open Zurich' })).toBeVisible();

  // Read while the permission is still there.
  const here = new Map<Screen['path'], string>();
  for (const { path } of screens) here.set(path, await path(client));
  const giveBack = loseRight(chaos);
  for (const { path, who } of screens) {
    await place(page, '/settings');
    await place(page, here.get(path) ?? '');
    await expect(content(page).getByText(who).first()).toBeVisible();
    await expect(content(page).getByText('You do not have permission to see this')).toBeVisible();
    await expect(content(page).getByRole('button', { name: 'Try again' })).toBeVisible();
  }

  // Deleted here and refused by the server: one policy, several at once, a webhook, a file.
  const confirm = (title: string, name: string) =>
    page.getByRole('dialog', { name: title }).getByRole('button', { name, exact: true }).click();
  await place(page, `/insurances/${vendor}`);
  await page.getByRole('button', { name: 'Open Zurich' }).click();
  await confirm('Edit policy', 'Delete');
  await confirm('Delete this policy?', 'Delete');
  const row = page.getByRole('listitem').filter({ hasText: 'Zurich' });
  await expect(row.getByText('Could not be deleted')).toBeVisible();
  await expect(row).toContainText('Needs attention');
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
  await expect(refused).toContainText('Needs attention');
  await refused.click();
  await expect(page.getByText('Could not be deleted')).toBeVisible();
  await place(page, `/time-and-material/${entry}`);
  await page.getByRole('button', { name: 'Delete IMG_1001.jpg' }).click();
  await confirm('Delete this file?', 'Delete');
  await expect(page.getByText('1 file could not be deleted')).toBeVisible();
  await page.getByRole('button', { name: 'Keep IMG_1001.jpg' }).click();
  await expect(page.getByText('1 file could not be deleted')).toBeHidden();

  // With the permission back, retries succeed and restored rows are there.
  giveBack();
  await place(page, '/webhooks');
  await refused.click();
  await page.getByRole('button', { name: 'Try again: hooks.example.com' }).click();
  await expect(page.getByText('No webhooks yet')).toBeVisible();
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
