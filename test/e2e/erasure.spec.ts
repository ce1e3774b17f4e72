/**
 * A person asks what a firm keeps, and then to be erased (decisions §21, §22): an admin saves the copy, erases the name, and reads the
 * proof. Then nothing of the server has the name, and no record of a laptop.
 */
import { readFile } from 'node:fs/promises';
import { clientOf, spawnService, tempDir } from '../support/service.ts';
import { holding, holds } from '../support/holding.ts';
import { expect, test } from './fixtures.ts';
import { axe, look } from './looks.ts';
import { connectToServer, drained, report } from './steps.ts';

const NAME = 'Ottilie Quarles';
/** A word of the report, which stays. */
const SAID = 'Bowline';

test('decisions §21, §22: a person gets a copy, is erased, and is on the server and in the laptop’s records no more', async ({
  app,
  afterApp,
}) => {
  const data = tempDir('server');
  afterApp(() => data.remove());
  const service = await spawnService([
    '--demo',
    '--demo-bare',
    '--rate-limit=0',
    '--port=0',
    `--data-dir=${data.path}`,
  ]);
  afterApp(async () => void (await service.end('SIGKILL')));
  const { first } = service;
  const client = clientOf(first.url, first);
  const user = { login: 'ottilie.quarles@firm.example', name: NAME };
  const users = `/rest/v1.0/companies/${client.company_id}/users`;
  expect((await client.post(users, { user })).status).toBe(201);

  const page = await app.open();
  await connectToServer(page, { url: first.url, first }, 'Harbour Bridge East');
  await report(page, { text: `${SAID} slipped, ${NAME} ducked`, photos: [] });
  await drained(page);

  await page.evaluate(() => (location.hash = '/company-data/erasure'));
  await page.getByLabel('Name', { exact: true }).fill(NAME);
  await page.getByRole('button', { name: 'Make a copy…' }).click();
  const saving = page.waitForEvent('download');
  await page.getByRole('dialog').getByRole('button', { name: 'Make and save' }).click();
  const copy = await readFile(await (await saving).path());
  expect(await holds(copy, NAME)).toBe(true);
  expect(await holds(copy, SAID)).toBe(true);

  await page.getByRole('button', { name: 'Look for the name' }).click();
  await page.getByRole('button', { name: 'Erase…' }).click();
  await axe(page, 'erase a person');
  await page.getByRole('dialog').getByRole('button', { name: 'Erase for good' }).click();
  const proof = page.getByRole('heading', { name: 'Proof of erasure' });
  await expect(proof).toBeVisible();
  await expect(page.getByText('No place that was found holds the name any more.')).toBeVisible();
  await look(page, 'erasure-proof');

  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  const [near_miss] = (await client.get(`~/incidents/near_misses?filters[query]=${SAID}`)).json as {
    description_plain_text: string;
  }[];
  expect(near_miss?.description_plain_text).toMatch(
    /^Bowline slipped, Person [2-9A-HJ-NP-Z]{4} ducked$/,
  );
  const pseudonym = near_miss?.description_plain_text ?? '';
  await expect(page.getByText(pseudonym).first()).toBeVisible();
  expect(await page.getByText('Ottilie').count()).toBe(0);
  // The next start rewrites the journal without what was delivered.
  await app.close();
  await app.open();
  await app.close();
  await service.end('SIGTERM');

  for (const part of NAME.split(' ')) {
    expect(await holding(data.path, part), `${part} on the server`).toEqual([]);
    for (const [place, text] of [
      ['the service', service.stdout() + service.stderr()],
      ['the app', app.output],
    ] as const)
      expect(await holds(Buffer.from(text), part), `${part} in what ${place} says`).toBe(false);
  }
  expect(await holding(data.path, SAID)).not.toEqual([]);
  // The browser's database overwrites what was deleted when it tidies up.
  for (const part of NAME.split(' '))
    expect(
      (await holding(app.data_dir, part)).filter((file) => !file.includes('indexeddb.leveldb')),
      `${part} on the laptop`,
    ).toEqual([]);
});
