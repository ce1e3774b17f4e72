/** A second laptop is set up by a code of the first, and reports in the name of its user (decisions §12.5). */
import { expect, test } from './fixtures.ts';
import { createApp } from './app.ts';
import { report } from './steps.ts';
import { tempDir } from '../support/service.ts';

test('decisions §12.5: an admin makes a code, another laptop connects with it and files a near miss as that user', async ({
  client,
  server,
  shell,
  world,
  afterApp,
}) => {
  const page = await world.open();
  await page.evaluate(() => (location.hash = '/users'));
  await page.getByRole('button', { name: 'Add a user' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a user' });
  await dialog.getByLabel('Sign-in name').fill('crew@example.com');
  await dialog.getByLabel('Name', { exact: true }).fill('Crew of pier 3');
  await dialog.getByText('Only these').click();
  await dialog.getByLabel('Harbour Bridge East').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Crew of pier 3' })).toBeVisible();
  await page.getByRole('button', { name: 'Make a code' }).click();
  const code = await page.locator('code').textContent();

  const elsewhere = tempDir('e2e');
  const { app: other, end } = createApp(shell, elsewhere.path);
  afterApp(async () => {
    await end();
    elsewhere.remove();
  });
  const there = await other.open();
  there.setDefaultTimeout(60_000);
  await there.getByRole('button', { name: 'Connect to a server' }).click();
  await there.getByLabel('Server address').fill(server.url);
  await there.getByLabel('One-time code').fill(code?.toLowerCase() ?? '');
  await there.getByRole('button', { name: 'Continue' }).click();
  await expect(there.getByText('Signed in as Crew of pier 3.')).toBeVisible();
  await there.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(there.getByText(/^Updated/)).toBeVisible({ timeout: 60_000 });
  await report(there, { text: 'Trestle loose on pier 3', photos: [] });
  await expect(there.getByText('report accepted by the server')).toBeVisible();
  const found = await client.get('~/incidents/near_misses?filters[query]=Trestle');
  expect(found.json).toMatchObject([{ created_by: { login: 'crew@example.com' } }]);

  // The laptop has its own token, which the admin sees used.
  await page.evaluate(() => (location.hash = '/users'));
  await expect(page.getByText('Choose a user')).toBeVisible();
  await page.getByRole('link', { name: /^Crew of pier 3/ }).click();
  const tokens = page.getByRole('region', { name: 'Laptops and tokens' });
  await expect(tokens.getByRole('button', { name: /^Revoke/ })).toHaveCount(1);
});
