/** A supervisor signs in with the company's identity provider, in the system's browser (decisions §12.9). */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { startChaos } from '../support/chaos.ts';
import { browse, startIdentityProvider } from '../support/identity-provider.ts';
import { startServerHere } from '../support/server.ts';
import { clientOf } from '../support/service.ts';
import { expect, test } from './fixtures.ts';
import { report } from './steps.ts';

test('decisions §12.9: the browser signs a supervisor in; the token ends between two reports: nothing is lost or asked twice', async ({
  app,
  shell,
  folder,
  afterApp,
}) => {
  test.skip(
    process.platform !== 'linux' && shell === 'browser',
    'puts a program in the place of xdg-open',
  );
  const provider = await startIdentityProvider();
  afterApp(() => provider.close());
  provider.account.email = 'site@firm.example';
  const chaos = await startChaos(null);
  afterApp(() => chaos.close());
  const server = await startServerHere([
    `--sign-in-issuer=${provider.options['sign-in-issuer']}`,
    `--sign-in-client-id=${provider.options['sign-in-client-id']}`,
    `--public-url=${chaos.url}`,
  ]);
  afterApp(() => server.remove());
  chaos.target = server.url;
  const admin = clientOf(server.url, server.first);
  const users = `/rest/v1.0/companies/${server.first.company_id}/users`;
  const user = { login: 'site@firm.example', name: 'Site of the firm' };
  const { id } = (await admin.post(users, { user })).json as { id: number };

  // The system's browser: a program that keeps the addresses it is given.
  const programs = join(folder, 'programs');
  const kept = join(folder, 'opened.txt');
  mkdirSync(programs);
  writeFileSync(join(programs, 'xdg-open'), `#!/bin/sh\necho "$1" >> '${kept}'\n`);
  chmodSync(join(programs, 'xdg-open'), 0o755);
  const opened = async (): Promise<readonly string[]> => {
    if (shell === 'browser')
      return existsSync(kept) ? readFileSync(kept, 'utf8').trim().split('\n') : [];
    const calls = await app.electron.ask('calls', null);
    return calls
      .filter(({ name }) => name === 'shell.openExternal')
      .map(({ given }) => String(given));
  };
  const page = await app.open({ env: { PATH: `${programs}${delimiter}${process.env['PATH']}` } });
  page.setDefaultTimeout(60_000);

  await page.getByRole('button', { name: 'Connect to a server' }).click();
  await page.getByLabel('Server address').fill(chaos.url);
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: /^Sign in with/ }).click();
  await expect.poll(opened).toHaveLength(1);
  await browse((await opened())[0] ?? '');
  await expect(page.getByText('Signed in as Site of the firm.')).toBeVisible();
  await page.getByRole('combobox').click();
  await page.getByRole('option', { name: 'Harbour Bridge East' }).click();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByText(/^Updated/)).toBeVisible();
  await report(page, { text: 'First at Quayside', photos: [] });
  await expect(page.getByText('report accepted by the server')).toBeVisible();

  const tokens = `${users}/${id}/tokens`;
  const bearers = (await admin.get(tokens)).json as { id: number }[];
  expect(bearers).toHaveLength(1);
  await admin.delete(`${tokens}/${bearers[0]?.id}`);
  await report(page, { text: 'Second at Quayside', photos: [] });
  await expect(page.getByText('report accepted by the server')).toBeVisible();
  const found = await admin.get('~/incidents/near_misses?filters[query]=Quayside');
  expect(found.json).toMatchObject([
    { created_by: { login: user.login } },
    { created_by: { login: user.login } },
  ]);
  expect(await opened()).toHaveLength(1);

  await page.evaluate(() => (location.hash = '/settings'));
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await expect.poll(() => provider.asked).toContain('POST /token/revocation');
  await expect(
    page.getByText('Connect to a server').or(page.getByText('Please sign in again')),
  ).toBeVisible();
});
