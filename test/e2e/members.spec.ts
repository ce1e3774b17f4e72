/**
 * Members of a project through the real window and service, online and offline: added and removed, one and many, once each;
 * skipped ones are named.
 */
import type { Locator, Page } from 'playwright/test';
import type { Client } from '../support/service.ts';
import { toCompany, toWaiting } from './company-steps.ts';
import { drained } from './steps.ts';
import { expect, test } from './fixtures.ts';

interface Party {
  readonly id: number;
  readonly name: string;
  readonly reference_user: boolean;
}
const parties = async (client: Client): Promise<Party[]> =>
  (await client.get('~/catalog')).json.parties as Party[];
const members = async (client: Client): Promise<number[]> =>
  ((await client.get('~/project_memberships?per_page=1000')).json as { party_id: number }[])
    .map((one) => one.party_id)
    .sort((a, b) => a - b);
const rows = (page: Page): Locator =>
  page.getByRole('list', { name: 'Project members' }).getByRole('listitem');
const add = async (page: Page, names: readonly string[]): Promise<void> => {
  await page.getByRole('button', { name: 'Add members' }).click();
  const dialog = page.getByRole('dialog');
  for (const name of names) await dialog.getByLabel(name, { exact: true }).check();
  await dialog.getByRole('button', { name: /^Add \d+ / }).click();
  await expect(dialog).toHaveCount(0);
  const added = names.length === 1 ? '1 person added.' : `${names.length} people added.`;
  await expect(page.locator('.toasts')).toContainText(added);
};

test('decisions §7: added one and many offline, the host killed, then online: in once; removed one and many, skipped by name', async ({
  app,
  client,
  world,
}) => {
  let page = await world.open();
  const free = (await parties(client)).filter((party) => party.reference_user);
  const before = await members(client);
  await toCompany(page, 'Members');
  await expect(rows(page)).toHaveCount(before.length);
  world.offline();
  const [first, second, third, fourth] = free;
  if (!first || !second || !third || !fourth) throw new Error('four reference users');
  await add(page, [first.name]);
  await add(page, [second.name, third.name, fourth.name]);
  await expect(rows(page).filter({ hasText: 'Being added' })).toHaveCount(4);
  expect(await members(client)).toEqual(before);

  await app.kill();
  page = await app.open();
  const item = await toWaiting(page);
  await expect(item).toContainText('Project members');
  await expect(item).toContainText('Member added · Members added');
  await item.getByRole('button', { name: /^Steps of/ }).click();
  await expect(item.getByText(`Member added: ${first.name}`)).toBeVisible();
  await app.close();
  world.online();
  page = await world.reopen();
  await toCompany(page, 'Members');
  await drained(page);
  const all = [...before, first.id, second.id, third.id, fourth.id].sort((a, b) => a - b);
  expect(await members(client)).toEqual(all);
  await expect(page.getByRole('status').filter({ hasText: '3 people added.' })).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss' }).click();

  // One pending removal is cancelled. The others go in one request, and one of them is already gone by then.
  await expect(rows(page)).toHaveCount(all.length);
  world.offline();
  await page.getByRole('searchbox', { name: 'Find a member' }).fill(first.name);
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('button', { name: `Remove ${first.name}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(rows(page)).toContainText('Being removed');
  await page.getByRole('searchbox', { name: 'Find a member' }).fill('');
  for (const { name } of [second, third, fourth]) await page.getByLabel(`Select ${name}`).check();
  await page.getByRole('button', { name: 'Remove 3 members' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(rows(page).filter({ hasText: 'Being removed' })).toHaveCount(4);
  const listed = (await client.get('~/project_memberships?per_page=1000')).json as {
    id: number;
    party_id: number;
  }[];
  const gone = listed.find((one) => one.party_id === third.id);
  await client.delete(`~/project_memberships/${gone?.id}?party_id=${third.id}`);
  world.online();
  await page.reload();
  const outcome = page.getByRole('status').filter({ hasText: third.name });
  await expect(outcome).toContainText('2 members removed.', { timeout: 120_000 });
  await drained(page);
  expect(await members(client)).toEqual(before);
  await expect(rows(page)).toHaveCount(before.length);
});
