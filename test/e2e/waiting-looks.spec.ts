/** Every state of the waiting screen and its dialogs, in both themes and narrow: axe finds nothing, nothing is cut off. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { photoFile, pressMore, report } from './steps.ts';

test.use({ apart: false });

test('A10, A25, outbox promise 5: the waiting screen in every state: axe in both themes, 200 % zoom', async ({
  chaos,
  client,
  world,
  folder,
}) => {
  test.setTimeout(600_000);
  const page = await world.open();
  await report(page, {
    text: 'Hoist hook bent',
    photos: [await photoFile(folder, 1, 60_000)],
  });
  await expect(page.getByText('Delivered and checked')).toBeVisible();
  await page.getByRole('button', { name: 'Open IMG_1001.jpg' }).click();
  await page.getByRole('button', { name: 'Remove photo' }).click();
  await look(page, 'take-off');
  await page.keyboard.press('Escape');
  const found = await client.get('~/incidents/near_misses?filters[query]=Hoist');
  const id = (found.json as { id: number }[])[0]?.id ?? 0;
  world.offline();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByLabel('What happened?').fill('Hoist hook bent, as seen here');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Changes saved on this laptop.')).toBeVisible();
  await client.patch(`~/incidents/near_misses/${id}`, {
    near_miss: { description: '<p>Hoist hook bent,</p><ul><li>as seen there</li></ul>' },
  });
  let first = true;
  chaos.plan = ({ method, path }) => {
    if (path.includes('/uploads')) return { kind: 'answer', status: 500, body: '{}' };
    if (method !== 'POST' || !path.includes('/incidents/near_misses') || !first) return null;
    first = false;
    return {
      kind: 'answer',
      status: 422,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ errors: { 'near_miss.work_activity_id': ['is no longer in use'] } }),
    };
  };
  world.online();
  await page
    .getByRole('link', { name: /^Waiting/ })
    .first()
    .click();
  // The open report offers Compare too.
  await expect(page.getByRole('heading', { name: 'Waiting', level: 1 })).toBeAttached();
  await expect(page.getByRole('button', { name: 'Compare' })).toBeVisible({ timeout: 120_000 });
  await report(page, { text: 'Live cable found in trench 4', photos: [] });
  const photo = await photoFile(folder, 2, 90_000);
  await report(page, { text: 'Rebar caps missing at pier 5', photos: [photo] });
  await page
    .getByRole('link', { name: /^Waiting/ })
    .first()
    .click();
  await expect(page.getByRole('link', { name: 'Fix' })).toBeVisible();
  // The heading may say the same once nothing else is in flight.
  const waiting = page.getByRole('region', { name: 'Waiting' });
  await expect(waiting.getByText('1 photo waiting')).toBeVisible();
  // By keyboard alone: steps unfold, and arrow keys make the choice.
  await page.getByRole('button', { name: 'Steps of Rebar caps missing at pier 5' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Steps of Live cable found in trench 4' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Photo 1 of 1 · IMG_1002.jpg')).toBeVisible();
  await look(page, 'waiting');
  await page.getByRole('button', { name: 'Compare' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Changed by two people' });
  await expect(dialog.getByText('as seen there')).toBeVisible();
  await look(page, 'conflict');
  await dialog.getByRole('radio').first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(dialog.getByRole('radio', { name: /^Theirs/ })).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Compare' })).toBeFocused();
  const zip = join(folder, 'bad.zip');
  await writeFile(zip, 'no zip');
  await page.locator('input[type=file]').setInputFiles(zip);
  await expect(page.getByText('This is not a readable zip file.')).toBeVisible();
  await look(page, 'import-refused');
  await page.keyboard.press('Escape');
  const download = page.waitForEvent('download');
  await pressMore(page, 'Export all', 'Import and export');
  await (await download).saveAs(zip);
  await page.locator('input[type=file]').setInputFiles(zip);
  await expect(page.getByText(/^The file contains 3 near misses/)).toBeVisible();
  await look(page, 'import');
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
  await expect(page.getByText('Everything in the file is here already.')).toBeVisible();
  await page.getByRole('button', { name: 'Compare' }).click();
  await dialog.getByRole('radio', { name: /^Theirs/ }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: /^Receipt of Hoist hook bent/ }).click();
  await page.getByText('Details', { exact: true }).click();
  await expect(page.getByText(/^sha256 [0-9a-f]{64}$/)).toBeVisible();
  await look(page, 'receipt');
});
