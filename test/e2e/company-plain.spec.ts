/**
 * Insurances, members and webhooks on a server with only the reference API (`--plain`). The window says what the server does
 * not offer, everything else works, and a lost answer creates no duplicate although the server keeps no idempotency keys
 * (outbox promise 2).
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

  // Loses the answer to the first request of each kind of write, after the server executed it.
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
  const policies = async () => (await client.get('~/vendors/1/insurances')).json as unknown[];
  await expect.poll(policies).toHaveLength(1);
  await drained(page);
  expect(await policies()).toHaveLength(1);

  await toCompany(page, 'Members');
  const members = async () => (await client.get('~/project_memberships')).json as unknown[];
  const before = (await members()).length;
  await page.getByRole('button', { name: 'Add members' }).click();
  await page.getByRole('dialog').getByLabel('Numbers of the people').fill('no');
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByText('Only numbers, separated by')).toBeVisible();
  await page.getByRole('dialog').getByLabel('Numbers of the people').fill('1');
  await page.getByRole('dialog').getByRole('button', { name: 'Add 1 person' }).click();
  await expect.poll(members).toHaveLength(before + 1);
  await drained(page);
  expect(await members()).toHaveLength(before + 1);

  await toCompany(page, 'Webhooks');
  await page.getByRole('button', { name: 'New webhook' }).click();
  await page.getByRole('dialog').getByLabel('Address').fill('http://127.0.0.1:48080/hook');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  const hooks = async () =>
    (await client.get(`/rest/v1.0/webhooks/hooks?project_id=${client.project_id}`))
      .json as unknown[];
  await expect.poll(hooks).toHaveLength(1);
  await drained(page);
  expect(await hooks()).toHaveLength(1);
  expect([...lost].sort()).toEqual(['hooks', 'insurances', 'project_memberships']);
  const secret = page.getByRole('region', { name: 'Signing secret' });
  await secret.getByRole('button', { name: 'New secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await expect(secret.getByText('This server does not sign notifications')).toBeVisible();
});
