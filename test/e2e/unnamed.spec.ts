/**
 * Somebody who stays unnamed (decisions §4.12): after a name was typed, the report is saved, changed and delivered, with mail, a
 * webhook, an export, an evidence pack and a backup. No store on the laptop or the server has the name.
 */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { SMTPServer } from 'smtp-server';
import { runBackup } from '../../src/service/commands/backup.ts';
import { holding, holds } from '../support/holding.ts';
import { clientOf, spawnService, tempDir, type Client } from '../support/service.ts';
import { expect, test } from './fixtures.ts';
import { connectToServer, drained, pressMore } from './steps.ts';

const NAMES = ['Wilhelmina', 'Quist'];
/** A word of the report, which the same search must find where reports are stored. */
const SAID = 'Bowline';

/** Everything that a mail server and a webhook's receiver were sent. */
const startListeners = async () => {
  const heard = { mails: '', hooks: '' };
  const collect = (stream: NodeJS.ReadableStream, done: (text: string) => void) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => done(Buffer.concat(chunks).toString()));
  };
  const mail = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onData: (stream, _session, done) =>
      collect(stream, (text) => {
        heard.mails += text;
        done();
      }),
  });
  mail.listen(0, '127.0.0.1');
  const hook = createServer((request, response) =>
    collect(request, (text) => {
      heard.hooks += text;
      response.end('taken');
    }),
  );
  hook.listen(0, '127.0.0.1');
  await Promise.all([once(mail.server, 'listening'), once(hook, 'listening')]);
  const portOf = (address: unknown): number => (address as AddressInfo).port;
  return {
    heard,
    mail_port: portOf(mail.server.address()),
    hook_url: `http://127.0.0.1:${portOf(hook.address())}/hook`,
    close: async () => {
      hook.closeAllConnections();
      hook.close();
      await new Promise<void>((resolve) => {
        mail.close(() => resolve());
      });
    },
  };
};

const choose = (page: Page, name: string) =>
  page
    .getByRole('group', { name: /Who saw it/ })
    .getByText(name, { exact: true })
    .click();
/** Types the name under "Somebody else", waits until the draft was written, and chooses that nobody is named. */
const typeAndForget = async (page: Page): Promise<void> => {
  await choose(page, 'Somebody else');
  await page.getByLabel(/^Name/).fill(NAMES.join(' '));
  await expect(page.getByText(/^Draft saved/)).toBeVisible();
  await choose(page, 'Somebody who stays unnamed');
};

/** A hook for all changes, and a person who is written a mail. */
const prepare = async (client: Client, hook_url: string) => {
  const made = await client.post('/rest/v1.0/webhooks/hooks', {
    project_id: client.project_id,
    hook: { api_version: 'v2', destination_url: hook_url },
  });
  expect(made.status, made.text).toBe(201);
  const hook = made.json as { id: number };
  for (const event_type of ['create', 'update']) {
    const trigger = { resource_name: 'Near Misses', event_type };
    const added = await client.post(`/rest/v1.0/webhooks/hooks/${hook.id}/triggers`, {
      project_id: client.project_id,
      api_version: 'v2',
      trigger,
    });
    expect(added.status, added.text).toBe(201);
  }
  const user = { login: 'ada@firm.example', name: 'Ada Winter' };
  await client.post(`/rest/v1.0/companies/${client.company_id}/users`, { user });
  const { custom_field_definitions } = (await client.get('~/catalog')).json as {
    custom_field_definitions: { id: number; label: string }[];
  };
  const by = custom_field_definitions.find(({ label }) => label === 'Follow-up by');
  return { field: `custom_field_${by?.id}`, name: user.name };
};

test('decisions §4.12: who stays unnamed is in no store, log, mail, webhook, export, pack or backup', async ({
  app,
  folder,
  afterApp,
}) => {
  const listeners = await startListeners();
  afterApp(() => listeners.close());
  const data = tempDir('server');
  afterApp(() => data.remove());
  const service = await spawnService([
    '--demo',
    '--demo-bare',
    '--rate-limit=0',
    '--port=0',
    `--data-dir=${data.path}`,
    '--allow-private-webhooks',
    `--mail-server=smtp://127.0.0.1:${listeners.mail_port}`,
    '--mail-from=Spotter <spotter@firm.example>',
    '--public-url=https://spotter.firm.example',
  ]);
  afterApp(async () => void (await service.end('SIGKILL')));
  const { first } = service;
  const client = clientOf(first.url, first);
  const assigned = await prepare(client, listeners.hook_url);

  const page = await app.open();
  await connectToServer(page, { url: first.url, first }, 'Harbour Bridge East');
  await page.getByRole('link', { name: 'New near miss' }).click();
  await page.getByLabel('What happened?').fill(`${SAID} slipped off the bollard`);
  const job = page.getByRole('combobox', { name: /^Job or area/ });
  if ((await job.inputValue()) === '') {
    await job.click();
    await page.getByRole('option').first().click();
  }
  await page.getByRole('button', { name: 'Change: Who saw it' }).click();
  await typeAndForget(page);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Code for the answer' });
  await expect(dialog.getByText(/^[A-Z]{3} [A-Z]{3}$/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await drained(page);

  // The same name is typed again while the report is changed.
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByLabel('What happened?').fill(`${SAID} slipped off the bollard twice`);
  await typeAndForget(page);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: /twice$/ })).toBeVisible();
  await drained(page);

  const near_misses = (await client.get('~/incidents/near_misses?filters[query]=bollard')).json as {
    id: number;
    custom_fields: Record<string, { value: string }>;
  }[];
  const [{ id, custom_fields } = { id: 0, custom_fields: {} }] = near_misses;
  expect(JSON.stringify(custom_fields)).toContain('Stays unnamed');
  const near_miss = { [assigned.field]: assigned.name };
  expect((await client.patch(`~/incidents/near_misses/${id}`, { near_miss })).status).toBe(200);
  await expect.poll(() => listeners.heard.mails).toContain('ada@firm.example');
  await expect.poll(() => listeners.heard.hooks.match(/"update"/g)?.length).toBeGreaterThan(1);

  const saving = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  await pressMore(page, 'Export: Table (CSV)');
  const csv = await readFile(await (await saving).path());
  const evidence = { with_names: true, language: 'en' };
  const pack = (await client.post(`~/incidents/near_misses/${id}/evidence`, { evidence })).json as {
    url: string;
  };
  // The public address in it leads nowhere here.
  const { pathname, search } = new URL(pack.url);
  const zip = Buffer.from(await (await fetch(`${first.url}${pathname}${search}`)).arrayBuffer());
  const history = (await client.get(`~/incidents/near_misses/${id}/history`)).text;
  const backup = join(folder, 'backup.tar');
  await runBackup([backup, '--data-dir', data.path], {});
  await app.close();

  const texts = {
    csv,
    zip,
    history: Buffer.from(history),
    mails: Buffer.from(listeners.heard.mails),
    hooks: Buffer.from(listeners.heard.hooks),
    service: Buffer.from(service.stdout() + service.stderr()),
    app: Buffer.from(app.output),
    backup: await readFile(backup),
  };
  for (const name of NAMES) {
    for (const [store, bytes] of Object.entries(texts))
      expect(await holds(bytes, name), `${name} in ${store}`).toBe(false);
    expect(await holding(app.data_dir, name), `${name} on the laptop`).toEqual([]);
    expect(await holding(data.path, name), `${name} on the server`).toEqual([]);
  }
  // The search finds what is stored: the text of the report.
  for (const store of ['csv', 'zip', 'history', 'backup'] as const)
    expect(await holds(texts[store], SAID), store).toBe(true);
  const laptop = (await holding(app.data_dir, SAID)).join('\n');
  expect(laptop).toContain('IndexedDB');
  expect(laptop).toContain('journal.log');
  expect(await holding(data.path, SAID)).not.toEqual([]);
});
