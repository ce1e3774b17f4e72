/**
 * Insurances, members and webhooks on a server with the reference alone (`--plain`): what it does not offer is said, everything else
 * works, and an answer that was lost makes nothing twice though it keeps no idempotency keys (outbox promise 2).
 */
import { toCompany } from './company-steps.ts';
import { drained } from './steps.ts';
import { expect, test } from './fixtures.ts';

test.use({ apart: false, serverArgs: ['--plain', '--allow-private-webhooks'] });

test('outbox promise 2, decisions §4.4: by numbers, once each, and no signing secret', async ({
  chaos,
  client,
  world,
}) => {
  const page = await world.open();

  // The answers to the first of each write are lost after the server has done it.
  const lost = new Set<string>();
  chaos.plan = ({ method, path }) => {
    const what = /(insurances|project_memberships|hooks)(\?|$)/.exec(path)?.[1];
    if (method !== 'POST' || what === undefined || lost.has(what)) return null;
    lost.add(what);
    return { kind: 'cut_reply', after: -1 };
  };
  await toCompany(page, 'Insurance');
  await expect(page.getByText('This server has no list of vendors')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Find a vendor' }).fill('1');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Vendor 1' })).toBeVisible();
  await page.getByRole('button', { name: 'New policy' }).click();
  await page.getByRole('dialog').getByLabel('Insurer', { exact: true }).fill('Zurich');
  await page.getByRole('dialog').getByLabel('Limit', { exact: true }).fill('5.00');
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await drained(page);
  expect((await client.get('~/vendors/1/insurances')).json).toHaveLength(1);

  await toCompany(page, 'Members');
  const before = ((await client.get('~/project_memberships')).json as unknown[]).length;
  await page.getByRole('button', { name: 'Add members' }).click();
  await page.getByRole('dialog').getByLabel('Party numbers').fill('no');
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByText('Only numbers, separated by')).toBeVisible();
  await page.getByRole('dialog').getByLabel('Party numbers').fill('1');
  await page.getByRole('dialog').getByRole('button', { name: 'Add 1 person' }).click();
  await drained(page);
  expect((await client.get('~/project_memberships')).json).toHaveLength(before + 1);

  await toCompany(page, 'Webhooks');
  await page.getByRole('button', { name: 'New webhook' }).click();
  await page.getByRole('dialog').getByLabel('Address').fill('http://127.0.0.1:48080/hook');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await drained(page);
  const hooks = `/rest/v1.0/webhooks/hooks?project_id=${client.project_id}`;
  expect((await client.get(hooks)).json).toHaveLength(1);
  expect([...lost].sort()).toEqual(['hooks', 'insurances', 'project_memberships']);
  const secret = page.getByRole('region', { name: 'Signing secret' });
  await secret.getByRole('button', { name: 'New secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await expect(secret.getByText('This server does not sign notifications')).toBeVisible();
});
