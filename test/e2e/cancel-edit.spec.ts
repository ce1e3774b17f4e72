/** Leaving the form of a near miss without saving. */
import { expect, test } from './fixtures.ts';
import { report } from './steps.ts';

test.use({ apart: false });

test('Cancel pressed twice goes back once: to the near miss, not to where one was before it', async ({
  world,
}) => {
  const page = await world.open();
  page.setDefaultTimeout(60_000);
  await report(page, { text: 'Hoist hook bent', photos: [] });
  const record = page.url();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByLabel('What happened?').fill('Not to be kept');
  await page.getByRole('button', { name: 'Cancel', exact: true }).dblclick();
  await expect(page.getByRole('heading', { level: 1, name: 'Hoist hook bent' })).toBeVisible();
  // A second step back would come after the first.
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await expect(page.getByLabel('What happened?')).toHaveValue('Hoist hook bent');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(page).toHaveURL(record);
});
