/**
 * Someone else changes a record while this laptop edits it offline: nobody's words are lost, both are shown, and the
 * user chooses for each field (outbox promise 5, failures A26).
 */
import { expect, test } from './fixtures.ts';
import { drained, report, waitingCount } from './steps.ts';

test.use({ apart: false });

interface Shown {
  readonly id: number;
  readonly description_plain_text: string;
  readonly harm_source: { readonly id: number } | null;
}

test('outbox promise 5: edited here offline and meanwhile there: both values shown, the server keeps what is chosen', async ({
  client,
  world,
}) => {
  const page = await world.open();
  await report(page, { text: 'Hoist hook bent', photos: [] });
  await expect(page.getByText('report accepted by the server')).toBeVisible();
  const find = async (): Promise<Shown> => {
    const found = await client.get('~/incidents/near_misses?filters[query]=Hoist');
    const [first] = found.json as Shown[];
    if (first === undefined) throw new Error('the record is not on the server');
    return first;
  };
  const catalog = (await client.get('~/catalog')).json as {
    harm_sources: { id: number; name: string; active: boolean }[];
  };
  const [mine, theirs] = catalog.harm_sources.filter((source) => source.active);
  if (!mine || !theirs) throw new Error('the demo has two harm sources');

  world.offline();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByLabel('What happened?').fill('Hoist hook bent, as seen here');
  await page.getByRole('combobox', { name: /^Harm source/ }).click();
  await page.getByRole('option', { name: mine.name }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Changes saved on this laptop.')).toBeVisible();
  await expect.poll(() => waitingCount(page)).toBe(1);

  const { id } = await find();
  const changed = await client.patch(`~/incidents/near_misses/${id}`, {
    near_miss: {
      description: '<p>Hoist hook bent, as seen there</p>',
      harm_source_id: theirs.id,
    },
  });
  expect(changed.status).toBe(200);

  world.online();
  await page.getByRole('link', { name: /^Waiting/ }).click();
  await expect(page.getByRole('button', { name: 'Compare' })).toBeVisible({ timeout: 120_000 });
  await page.getByRole('button', { name: 'Compare' }).click();
  const dialog = page.getByRole('dialog', { name: 'Changed by two people' });
  const choice = (field: string) => dialog.getByRole('group', { name: field });
  for (const [field, here, there] of [
    ['What happened?', 'Hoist hook bent, as seen here', 'Hoist hook bent, as seen there'],
    ['Harm source', mine.name, theirs.name],
  ] as const) {
    await expect(choice(field).getByText(here)).toBeVisible();
    await expect(choice(field).getByText(there)).toBeVisible();
  }
  // Nothing is decided by looking: put aside and opened again, both are still there.
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect((await find()).description_plain_text).toBe('Hoist hook bent, as seen there');
  await page.getByRole('button', { name: 'Compare' }).click();
  // Nothing is chosen beforehand: pressing on overwrites nobody.
  await expect(dialog.getByRole('button', { name: 'Use these' })).toBeDisabled();
  await choice('Harm source').getByText(theirs.name).click();
  await expect(choice('Harm source').getByText(mine.name)).toBeVisible();
  await expect(dialog.getByText('1 field left to choose.')).toBeVisible();
  await choice('What happened?').getByText('Hoist hook bent, as seen here').click();
  await dialog.getByRole('button', { name: 'Use these' }).click();

  await drained(page, { timeout: 60_000 });
  const kept = await find();
  expect(kept.description_plain_text).toBe('Hoist hook bent, as seen here');
  expect(kept.harm_source?.id).toBe(theirs.id);
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  await expect(page.locator('.scroller li').first()).toContainText('Hoist hook bent, as seen here');
  await expect(page.locator('.scroller li').first()).toContainText(theirs.name);
});
