/**
 * Real work on a laptop without a server. The first minute asks for three names, then near misses are reported and company data
 * is added. The sample data is separate and never mixed in.
 */
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { drained } from './steps.ts';

test('a firm starts empty on this laptop, reports, and goes to the sample data and back: nothing of one is in the other', async ({
  app,
}) => {
  test.setTimeout(300_000);
  let page = await app.open();
  page.setDefaultTimeout(60_000);
  await expect(page.getByRole('button', { name: 'Start on this laptop' })).toBeVisible();
  await look(page, 'connect, three ways');
  await page.getByRole('button', { name: 'Start on this laptop' }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.getByText('Enter a name.')).toHaveCount(3);
  await look(page, 'first minute');
  await page.getByLabel('Your company').fill('Rita and Sons');
  await page.getByLabel('Your project or site').fill('Mill Lane');
  await page.getByLabel('Your name').fill('Rita');
  await page.getByLabel('First job or area').fill('Roof, east side');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^Updated/)).toBeVisible({ timeout: 120_000 });
  await expect(page.getByText('Rita and Sons')).toBeVisible();
  await expect(page.getByRole('complementary', { name: /sample/i })).toHaveCount(0);

  // One way to begin, and no zeros next to it.
  await expect(page.getByText('No near misses yet')).toBeVisible();
  await expect(page.getByRole('region', { name: /yesterday/i })).toHaveCount(0);
  await expect(page.getByText('Nothing selected')).toHaveCount(0);

  await page.getByRole('link', { name: 'New near miss' }).first().click();
  await page.getByLabel('What happened?').fill('Tile slid off the roof');
  const job = page.getByRole('combobox', { name: /^Job or area/ });
  if ((await job.inputValue()) !== 'Roof, east side') {
    await job.click();
    await page.getByRole('option', { name: 'Roof, east side' }).click();
  }
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { name: 'Tile slid off the roof' })).toBeVisible();
  await drained(page);
  // There is no server here, so no text mentions one.
  await expect(page.getByText(/delivered|server|online|sent/i)).toHaveCount(0);
  await expect(page.getByText('nobody else has this report yet.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Waiting', exact: true })).toHaveCount(0);
  await look(page, 'own firm, a report');
  await page.getByRole('link', { name: 'Saved on this laptop' }).click();
  await expect(page.getByRole('heading', { name: 'Daily backups' })).toBeVisible();

  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Daily backups' })).toBeVisible();
  await page.getByRole('link', { name: 'Change connection' }).click();
  await page.getByRole('button', { name: 'Try it with sample data' }).click();
  await expect(page.getByRole('button', { name: 'All 250' })).toBeVisible({ timeout: 120_000 });
  await expect(page.getByText('Tile slid off the roof')).toHaveCount(0);
  await page.getByRole('link', { name: 'Start for real' }).click();
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.getByRole('button', { name: 'All 1', exact: true })).toBeVisible({
    timeout: 120_000,
  });

  await app.close();
  page = await app.open();
  const listed = page.locator('.scroller').getByText('Tile slid off the roof');
  await expect(listed).toBeVisible({ timeout: 120_000 });
  await expect(page.getByText('Rita and Sons')).toBeVisible();
});
