/**
 * The loop of a report in each language: filed offline with its kind, looked up in the law, seen and answered offline, delivered whole,
 * and on the sheet for the canteen wall without a name.
 */
import type { Page } from 'playwright/test';
import type { Language } from '../../src/contract/languages.ts';
import { words as english } from '../../src/renderer/words/en.ts';
import { words as spanish } from '../../src/renderer/words/es.ts';
import { words as polish } from '../../src/renderer/words/pl.ts';
import type { Words } from '../../src/renderer/words/shape.ts';
import { clientOf } from '../support/service.ts';
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { pressMore } from './steps.ts';

test.use({ apart: false });

const languages: readonly { readonly language: Language; readonly words: Words }[] = [
  { language: 'en', words: english },
  { language: 'es', words: spanish },
  { language: 'pl', words: polish },
];

const speak = async (page: Page, language: Language): Promise<void> => {
  if (language === 'en') return;
  await page.getByRole('link', { name: english.app.settings, exact: true }).click();
  await page.getByText(english.settings.language_notes[language]).click();
  await expect(page.locator('html')).toHaveAttribute('lang', language);
};

/** Reports a scaffold near miss as a good catch, with the job that is chosen or the first. */
const file = async (page: Page, words: Words, text: string): Promise<void> => {
  await page.getByRole('link', { name: words.app.new_near_miss }).click();
  await page.getByLabel(words.capture.what).fill(text);
  const job = page.getByRole('combobox', { name: new RegExp(`^${words.capture.incident}`) });
  if ((await job.isVisible()) && (await job.inputValue()) === '') {
    await job.click();
    await page.getByRole('option').first().click();
  }
  const kind = words.capture.catalog_names['good catch'] ?? 'Good catch';
  await page.getByText(kind, { exact: true }).click();
  await page.getByRole('button', { name: words.capture.save, exact: true }).click();
  await page.waitForURL(/#\/near-misses\//);
};

for (const { language, words } of languages)
  test(`decisions §4.10, §4.11: a report is filed and answered offline, delivered, and on the wall (${language})`, async ({
    world,
    server,
  }) => {
    const page = await world.open();
    await speak(page, language);
    world.offline();
    await file(page, words, 'Scaffold board slid, Tom Brennan caught it');

    await pressMore(page, words.reportable.open, words.detail.more);
    await page.getByText(words.reportable.countries.uk, { exact: true }).click();
    await expect(page.getByText(words.reportable.pointed).first()).toBeVisible();
    await expect(page.getByText(words.reportable.hint)).toBeVisible();
    await page.goBack();

    const answer = page.getByRole('region', { name: words.answer.title });
    await answer.getByRole('button', { name: words.answer.see, exact: true }).click();
    await answer.getByRole('button', { name: words.answer.write }).click();
    await answer.getByLabel(words.answer.what).fill('Boards are tied since noon');
    await answer.getByRole('button', { name: words.capture.save, exact: true }).click();
    await expect(answer.getByText('Boards are tied since noon')).toBeVisible();

    world.online();
    await expect(page.getByRole('link', { name: words.pill.online_all })).toBeVisible({
      timeout: 120_000,
    });
    const client = clientOf(server.url, server.first);
    const stored = (await client.get('~/incidents/near_misses?filters[query]=Scaffold board slid'))
      .text;
    for (const part of ['Good catch', 'Boards are tied since noon']) expect(stored).toContain(part);

    await page.evaluate(() => (location.hash = '/insights/said'));
    await page.getByRole('button', { name: words.week.next }).click();
    const sheet = page.getByRole('article');
    await expect(sheet.getByText('Boards are tied since noon')).toBeVisible();
    await expect(sheet).not.toContainText('Brennan');
    await look(page, `said-${language}`);
  });
