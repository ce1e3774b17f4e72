/**
 * An incident opened in the form offline with two near misses under it, then everything killed (failures A27): one incident
 * results, with both near misses. Also how the waiting list shows it, how it is corrected, and a server that accepts no
 * incidents.
 */
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { connectToServer, drained, waitingCount } from './steps.ts';

test('failures A27: an incident opened offline with two near misses, host killed: one incident, both on it', async ({
  app,
  server,
  client,
  keyring,
}) => {
  const page = await app.open({ env: keyring.env });
  page.setDefaultTimeout(60_000);
  await connectToServer(page, server, 'Harbour Bridge East');
  await server.stop();
  const what = page.getByLabel('What happened?');
  const saved = async (text: string) => {
    await page.keyboard.press('Control+Enter');
    await expect(page.getByRole('heading', { name: text })).toBeVisible();
  };

  await page.keyboard.press('Alt+n');
  await what.fill('Hook swung over the fence');
  await page.getByLabel('Where').fill('Gate 4');
  await page.getByRole('button', { name: 'New job or area' }).click();
  const dialog = page.getByRole('dialog', { name: 'New job or area' });
  await expect(dialog.getByLabel('Where')).toHaveValue('Gate 4');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByText('Give it a short name.')).toBeVisible();
  await look(page, 'new incident');
  await dialog.getByLabel('What is it called?').fill('Crane ouer the road');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  const incident = page.getByRole('combobox', { name: /^Job or area/ });
  await expect(incident).toHaveValue('Crane ouer the road');
  await saved('Hook swung over the fence');
  await page.keyboard.press('Alt+n');
  await what.fill('Load left hanging at lunch');
  await saved('Load left hanging at lunch');

  await page.getByRole('link', { name: /^Waiting/ }).click();
  await expect(page.getByText('waiting for its job or area “Crane ouer the road”')).toHaveCount(2);
  await expect(page.getByText('2 near misses are waiting for it.')).toBeVisible();
  await look(page, 'waiting, incident');

  await app.kill();
  const again = await app.open({ env: keyring.env });
  await expect.poll(() => waitingCount(again)).toBe(3);
  await server.start();
  await drained(again, { timeout: 60_000 });
  const incidents = (await client.get('~/incidents?per_page=1000')).json as {
    id: number;
    title: string;
    location: string;
  }[];
  const made = incidents.filter((one) => one.title === 'Crane ouer the road');
  expect(made).toMatchObject([{ location: 'Gate 4' }]);
  const list = await client.get(`~/incidents/near_misses?incident_id=${made[0]?.id ?? 0}`);
  expect(
    (list.json as { description_plain_text: string }[])
      .map((one) => one.description_plain_text)
      .sort(),
  ).toEqual(['Hook swung over the fence', 'Load left hanging at lunch']);
  // The next report starts with this incident, now with the server's number.
  await again.keyboard.press('Alt+n');
  await again.getByRole('button', { name: 'More details' }).click();
  await expect(again.getByRole('combobox', { name: /^Job or area/ })).toHaveValue(
    'Crane ouer the road',
  );
});
