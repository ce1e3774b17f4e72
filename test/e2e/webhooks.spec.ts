/**
 * Webhooks through the real window and service, online and offline: created, changed and deleted once each; secrets are shown
 * once and stored nowhere on this laptop; deliveries with their responses.
 */
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import type { Client } from '../support/service.ts';
import { toCompany, toWaiting } from './company-steps.ts';
import { drained } from './steps.ts';
import { expect, test as base } from './fixtures.ts';
import { look } from './looks.ts';

/** A receiving system that refuses the first notification and accepts all others. */
interface Receiver {
  readonly address: string;
  readonly heard: readonly { readonly authorization: string | undefined }[];
}
const test = base.extend<{ receiver: Receiver }>({
  receiver: async ({}, use) => {
    const heard: { authorization: string | undefined }[] = [];
    const http = createServer((request, response) => {
      heard.push({ authorization: request.headers.authorization });
      request.resume();
      response.writeHead(heard.length === 1 ? 503 : 200, { 'x-from': 'receiver' });
      response.end(heard.length === 1 ? '<b>not now</b>' : 'taken');
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    await use({ address: `http://127.0.0.1:${(http.address() as AddressInfo).port}/hook`, heard });
    http.closeAllConnections();
    http.close();
  },
});
test.use({ serverArgs: ['--allow-private-webhooks', '--webhook-first-retry=200ms'] });

interface Hook {
  readonly id: number;
  readonly destination_url: string;
  readonly destination_headers: Readonly<Record<string, string>>;
}
const hooks = async (client: Client, namespace = 'core'): Promise<Hook[]> =>
  (
    await client.get(
      `/rest/v1.0/webhooks/hooks?project_id=${client.project_id}&namespace=${namespace}`,
    )
  ).json as Hook[];
const triggers = async (client: Client, { id }: Hook, namespace = 'core'): Promise<string[]> =>
  (
    (await client.get(`/rest/v1.0/webhooks/hooks/${id}/triggers?namespace=${namespace}`)).json as {
      resource_name: string;
      event_type: string;
    }[]
  ).map((one) => `${one.resource_name} ${one.event_type}`);
const dialog = (page: Page) => page.getByRole('dialog');
/** Files below `folder` that contain the text. */
const holding = async (folder: string, text: string): Promise<string[]> => {
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const file of all) {
    if (!file.isFile()) continue;
    const path = join(file.parentPath, file.name);
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    if (bytes.includes(text) || bytes.includes(Buffer.from(text, 'utf16le'))) found.push(path);
  }
  return found;
};

test('decisions §9: a hook and its triggers made offline, host killed, online: there once, secret unseen; changed, deleted', async ({
  app,
  client,
  world,
}) => {
  let page = await world.open();
  await toCompany(page, 'Webhooks');
  world.offline();
  await page.getByRole('button', { name: 'New webhook' }).click();
  await dialog(page).getByLabel('Address').fill('ftp://example.com');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('A web address that starts with')).toBeVisible();
  await dialog(page).getByLabel('Address').fill('https://hooks.example.com/one');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'hooks.example.com' })).toBeVisible();
  await page.getByLabel('Near Misses: Created').check();
  await page.getByLabel('Jobs and areas: Updated').check();
  await page.getByLabel('Jobs and areas: Created').check();
  await page.getByLabel('Jobs and areas: Created').uncheck();
  // Jobs and areas cannot be deleted, so that event is not offered, not even offline (decisions §9.3).
  await expect(page.getByLabel('Jobs and areas: Deleted')).toHaveCount(0);
  // Waits until everything is on disk.
  await expect(page.getByRole('region', { name: 'Events' })).toHaveAttribute('aria-busy', 'false');
  expect(await hooks(client)).toEqual([]);

  await app.kill();
  page = await app.open();
  const item = await toWaiting(page);
  await expect(item).toContainText('Webhook hooks.example.com');
  await expect(item).toContainText('New webhook · Webhook event added (2)');
  await app.close();
  world.online();
  page = await world.reopen();
  await drained(page);
  const [made, ...others] = await hooks(client);
  expect(others).toEqual([]);
  if (!made) throw new Error('no hook');
  expect((await triggers(client, made)).sort()).toEqual(['Incidents update', 'Near Misses create']);

  await toCompany(page, 'Webhooks');
  await page.getByRole('link', { name: /hooks\.example\.com/ }).click();
  await expect(page.getByLabel('Near Misses: Created')).toBeChecked();
  world.offline();
  await page.getByLabel('Near Misses: Created').uncheck();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await dialog(page).getByLabel('Address').fill('https://hooks.example.com/two');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('https://hooks.example.com/two')).toBeVisible();
  world.online();
  await page.reload();
  await drained(page);
  expect((await hooks(client))[0]?.destination_url).toBe('https://hooks.example.com/two');
  expect(await triggers(client, made)).toEqual(['Incidents update']);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('No webhooks yet')).toBeVisible();
  await drained(page);
  expect(await hooks(client)).toEqual([]);
});

test('decisions §9, failures: destination_headers: secrets go online only and lie nowhere on this laptop; rotated; deliveries', async ({
  app,
  client,
  world,
  folder,
  receiver,
}) => {
  const page = await world.open();
  await toCompany(page, 'Webhooks');
  await page.getByRole('button', { name: 'New webhook' }).click();
  await dialog(page).getByLabel('Address').fill(receiver.address);
  await dialog(page).getByLabel('System name').fill('acme-safety');
  await dialog(page).getByRole('button', { name: 'Add a header' }).click();
  await dialog(page).getByLabel('Name', { exact: true }).fill('Authorization');
  await dialog(page).getByLabel('Value', { exact: true }).fill('Bearer canary-of-a-secret');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  const secret = page.getByRole('region', { name: 'Signing secret' });
  await expect(secret.getByText('Shown only once')).toBeVisible();
  const first = await secret.getByRole('code').innerText();
  expect(first).toMatch(/^whsec_/);
  await secret.getByRole('button', { name: 'I have copied it' }).click();
  await expect(secret.getByRole('code')).toHaveCount(0);
  // After saving and viewing, the window no longer holds the secret.
  for (const hidden of [first, 'canary-of-a-secret'])
    expect(await page.content()).not.toContain(hidden);
  await secret.getByRole('button', { name: 'New secret' }).click();
  await dialog(page).getByRole('button', { name: 'Create' }).click();
  await expect(secret.getByText('The old secret is valid until')).toBeVisible();
  const second = await secret.getByRole('code').innerText();
  expect(second).not.toBe(first);
  await page.getByLabel('Near Misses: Created').check();
  await expect
    .poll(async () => {
      const [hook] = await hooks(client, 'acme-safety');
      return hook ? triggers(client, hook, 'acme-safety') : [];
    })
    .toEqual(['Near Misses create']);
  await drained(page);
  const incident = (await client.get('~/catalog')).json.incidents[0] as { id: number };
  await client.post('~/incidents/near_misses', {
    near_miss: { incident_id: incident.id, description: 'For the hook' },
  });
  await expect.poll(() => receiver.heard.length, { timeout: 60_000 }).toBe(2);
  expect(receiver.heard[0]?.authorization).toBe('Bearer canary-of-a-secret');
  const deliveries = page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem');
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(deliveries).toHaveCount(2, { timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  await page.getByLabel('Result').selectOption('Failing');
  await expect(deliveries).toHaveCount(1);
  await deliveries.first().getByRole('button').click();
  await expect(dialog(page)).toContainText('Answered 503');
  await expect(dialog(page)).toContainText('<b>not now</b>');
  await expect(dialog(page)).toContainText('Attempt 2');
  await look(page, 'webhooks-delivery');
  await page.keyboard.press('Escape');
  await page.getByLabel('Result').selectOption('All');
  await page.getByLabel('Event', { exact: true }).fill('nothing-like-it');
  await expect(page.getByText('No delivery matches these filters.')).toBeVisible();
  await page.getByLabel('Event', { exact: true }).fill('');
  await look(page, 'webhooks');

  // Offline, actions that need the server say so; a change with headers cannot be queued.
  world.offline();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText('Deliveries are kept on the server')).toBeVisible({
    timeout: 120_000,
  });
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect(dialog(page).getByText('Headers are secrets')).toBeVisible();
  await expect(dialog(page).getByLabel('Replace all headers')).toBeDisabled();
  await look(page, 'webhooks-form');
  // S30: its headers stay behind, and the form says so instead of sending a request that the server refuses.
  await dialog(page).getByLabel('Address').fill('https://hooks.example.com/moved');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(dialog(page).getByText('belong to the old address')).toBeVisible();
  await dialog(page).getByLabel('Address').fill(`${receiver.address}/later`);
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(`${receiver.address}/later`)).toBeVisible();
  // Copied diagnostics, an export with something pending, and the page itself contain no secret, header or token.
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByText('Show diagnostics').click();
  await expect(page.getByLabel('Diagnostics', { exact: true })).toContainText('1 records');
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export everything' }).click();
  const file = join(folder, 'everything.zip');
  await (await coming).saveAs(file);
  const exported = await readFile(file);
  expect(exported.includes('hook.update')).toBe(true);
  const { token } = client;
  for (const hidden of ['canary-of-a-secret', first, second, token]) {
    expect(await page.content()).not.toContain(hidden);
    expect(exported.includes(hidden)).toBe(false);
  }
  await app.close();
  for (const hidden of ['canary-of-a-secret', first, second])
    expect(await holding(app.data_dir, hidden)).toEqual([]);
});
