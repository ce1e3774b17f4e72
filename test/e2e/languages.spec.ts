/**
 * Spanish from the first window on: as the computer's user reads, or as chosen; a change draws the window anew and loses no
 * draft; every screen fits its longer words at 200 % zoom.
 */
import type { Page } from 'playwright/test';
import { words as english } from '../../src/renderer/words/en.ts';
import { words as spanish } from '../../src/renderer/words/es.ts';
import { expect, test } from './fixtures.ts';

const speaks = async (page: Page, language: 'en' | 'es'): Promise<void> => {
  await expect(page.locator('html')).toHaveAttribute('lang', language);
};

test('design §5, words: Spanish where the computer’s user reads it; chosen otherwise it stays so, and an unfinished near miss survives the change', async ({
  app,
}) => {
  const page = await app.open({ reads: 'es-MX' });
  page.setDefaultTimeout(15_000);
  await speaks(page, 'es');
  await page.getByRole('button', { name: spanish.connect.laptop_go }).click();
  await page.getByRole('link', { name: spanish.app.new_near_miss }).click();
  await page.getByLabel(spanish.capture.what).fill('Tabla suelta en el andamio');
  await page.getByRole('link', { name: spanish.app.settings, exact: true }).click();
  await page.getByText(spanish.settings.language_notes.en).click();
  await speaks(page, 'en');
  await expect(page.getByRole('heading', { name: english.settings.title })).toBeVisible();
  await expect(page.getByRole('radio', { name: /^English/ })).toBeChecked();
  await page.getByRole('link', { name: english.app.new_near_miss }).click();
  await expect(page.getByLabel(english.capture.what)).toHaveValue('Tabla suelta en el andamio');
  await page.reload();
  await speaks(page, 'en');
});
