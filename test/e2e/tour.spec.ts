/** The three cards of the first start: in nobody's way, by keyboard, once per laptop, and again from the settings. */
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { connectToServer } from './steps.ts';

test.use({ apart: false });

test('first start: three cards by keyboard, skipped for good, offered again in the settings', async ({
  app,
}) => {
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  const tour = page.getByRole('region', { name: 'How Spotter works' });
  await expect(tour.getByRole('heading')).toHaveText('Say what happened');
  await look(page, 'tour-first');
  await tour.getByRole('button', { name: 'Next' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(tour.getByRole('heading')).toHaveText('Saved here first');
  await page.keyboard.press('Enter');
  await expect(tour.getByRole('heading')).toHaveText('Delivered exactly once');
  await page.keyboard.press('ArrowLeft');
  await expect(tour.getByRole('heading')).toHaveText('Saved here first');
  await tour.getByRole('button', { name: 'Skip' }).click();
  await expect(tour).toBeHidden();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Try it with sample data' })).toBeVisible();
  await expect(tour).toBeHidden();

  await page.getByRole('button', { name: 'Try it with sample data' }).click();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('link', { name: 'Show the three cards again' }).click();
  await expect(tour).toBeVisible();
  await look(page, 'tour');
  await page.keyboard.press('Tab');
  await tour.getByRole('button', { name: 'Skip' }).press('Escape');
  await expect(page.getByRole('heading', { name: 'Choose a near miss' })).toBeVisible();
});

test('first start: with no connection the three cards are there all the same', async ({
  app,
  server,
}) => {
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await connectToServer(page, server, 'Harbour Bridge East');
  await server.stop();
  await page.reload();
  await expect(page.getByRole('link', { name: /^Offline/ })).toBeVisible();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('link', { name: 'Show the three cards again' }).click();
  const tour = page.getByRole('region', { name: 'How Spotter works' });
  await expect(tour.getByRole('heading')).toHaveText('Say what happened');
  await tour.getByRole('button', { name: 'Next' }).press('Enter');
  await tour.getByRole('button', { name: 'Next' }).press('Enter');
  await expect(tour.getByRole('heading')).toHaveText('Delivered exactly once');
  await tour.getByRole('button', { name: 'Got it' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Choose a near miss' })).toBeVisible();
});
