/**
 * Spanish from the first window on: as the computer's user reads, or as chosen; a change draws the window anew and loses no
 * draft; every screen fits its longer words at 200 % zoom.
 */
import type { Page } from 'playwright/test';
import { words as english } from '../../src/renderer/words/en.ts';
import { words as spanish } from '../../src/renderer/words/es.ts';
import { missingRoutes, screens } from '../screenshots/screens.ts';
import { expect, test } from './fixtures.ts';

test.use({ apart: false });

const speaks = async (page: Page, language: 'en' | 'es'): Promise<void> => {
  await expect(page.locator('html')).toHaveAttribute('lang', language);
};

test('Spanish where the computer’s user reads it; another choice stays, and an unfinished near miss survives the change', async ({
  app,
}) => {
  const page = await app.open({ reads: 'es-MX' });
  page.setDefaultTimeout(60_000);
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
  const go_on = english.capture.drafts.go_on_with('Tabla suelta en el andamio');
  await page.getByRole('button', { name: go_on }).click();
  await expect(page.getByLabel(english.capture.what)).toHaveValue('Tabla suelta en el andamio');
  await page.reload();
  await speaks(page, 'en');
});

/** What a control or a heading says is all to be seen: nothing ends in dots, nothing reaches beyond the window. */
const cutOff = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const said = [...document.querySelectorAll('h1, h2, h3, label, legend, button, a, dt, th')]
      .filter((element) => element.checkVisibility() && !element.closest('.sr, .skip, .record'))
      .filter((element) => {
        const { overflowX } = getComputedStyle(element);
        const box = element.getBoundingClientRect();
        return (
          (overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1) ||
          (box.width > 0 && box.right > innerWidth + 1)
        );
      })
      .map((element) => element.outerHTML.slice(0, 120));
    return scrollWidth > clientWidth ? [`sideways: ${scrollWidth}`, ...said] : said;
  });

test('in Spanish no screen is cut off at 200 % zoom, and every route is walked', async ({
  app,
}) => {
  const page = await app.open({ reads: 'es-MX' });
  page.setDefaultTimeout(60_000);
  await page.getByRole('button', { name: spanish.connect.laptop_go }).click();
  await expect(page.getByRole('link', { name: /^En línea/u })).toBeVisible({ timeout: 120_000 });
  await page.setViewportSize({ width: 683, height: 430 });
  for (const screen of screens) {
    await screen.open(page);
    expect.soft(await cutOff(page), screen.name).toEqual([]);
  }
  expect(await missingRoutes()).toEqual([]);
});
