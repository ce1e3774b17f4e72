/**
 * Spanish from the first window on, by the computer's language or by choice. A change redraws the window and loses no draft.
 * Every screen fits the longer words at 200 % zoom.
 */
import type { Locator, Page } from 'playwright/test';
import { words as english } from '../../src/renderer/words/en.ts';
import type { Language } from '../../src/contract/languages.ts';
import { words as spanish } from '../../src/renderer/words/es.ts';
import { words as polish } from '../../src/renderer/words/pl.ts';
import { missingRoutes, screens } from '../screenshots/screens.ts';
import { expect, test } from './fixtures.ts';

test.use({ apart: false });

const speaks = async (page: Page, language: Language): Promise<void> => {
  await expect(page.locator('html')).toHaveAttribute('lang', language);
};

const others = [
  { name: 'Spanish', reads: 'es-MX', language: 'es', words: spanish },
  { name: 'Polish', reads: 'pl-PL', language: 'pl', words: polish },
] as const;

for (const { name, reads, language, words } of others)
  test(`${name} where the computer’s user reads it; another choice stays, and an unfinished near miss survives the change`, async ({
    app,
  }) => {
    const page = await app.open({ reads });
    page.setDefaultTimeout(60_000);
    await speaks(page, language);
    await page.getByRole('button', { name: words.connect.laptop_go }).click();
    await page.getByRole('link', { name: words.app.new_near_miss }).click();
    await page.getByLabel(words.capture.what).fill('Tabla suelta en el andamio');
    await page.getByRole('link', { name: words.app.settings, exact: true }).click();
    await page.getByText(words.settings.language_notes.en).click();
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

/** Texts of controls and headings that end in an ellipsis or extend beyond the window. */
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

for (const { name, reads, words } of others)
  test(`in ${name} no screen is cut off at 200 % zoom, and every route is walked`, async ({
    app,
  }) => {
    const page = await app.open({ reads });
    page.setDefaultTimeout(60_000);
    await page.getByRole('button', { name: words.connect.laptop_go }).click();
    await expect(page.getByRole('link', { name: words.pill.online_all })).toBeVisible({
      timeout: 120_000,
    });
    await page.setViewportSize({ width: 683, height: 430 });
    for (const screen of screens) {
      await screen.open(page);
      await expect.soft.poll(() => cutOff(page), screen.name).toEqual([]);
    }
    expect(await missingRoutes()).toEqual([]);
  });

/** True if the box shows the whole text. */
const fits = async (box: Locator, text: string): Promise<boolean> => {
  await box.fill(text);
  return box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth);
};

test('in Spanish a field has one name: in the form, missing, refused, in the history and a conflict; its hint fits', async ({
  chaos,
  client,
  world,
}) => {
  test.slow();
  const catalog = (await client.get('~/catalog')).json as {
    custom_field_definitions: { id: number; label: string; required: boolean }[];
  };
  const idOf = (label: string): string => {
    const { id } = catalog.custom_field_definitions.find((one) => one.label === label) ?? {};
    return `custom_field_${id}`;
  };
  const asked = catalog.custom_field_definitions.map((one) => ({
    ...one,
    required: one.label === 'Weather',
  }));
  const answer = (status: number, body: unknown) =>
    ({
      kind: 'answer',
      status,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }) as const;
  let refused = true;
  chaos.plan = ({ method, path }) => {
    if (path.endsWith('/catalog'))
      return answer(200, { ...catalog, custom_field_definitions: asked });
    if (!refused || method !== 'POST' || !path.includes('/incidents/near_misses')) return null;
    const errors = ['Location', 'Weather'].map((label) => [
      `near_miss.${idOf(label)}`,
      ['is not on the list'],
    ]);
    return answer(422, { errors: Object.fromEntries(errors) });
  };
  const page = await world.open();
  await page.getByRole('link', { name: english.app.settings, exact: true }).click();
  await page.getByText(english.settings.language_notes.es).click();
  await speaks(page, 'es');
  const save = page.getByRole('button', { name: spanish.capture.save, exact: true });
  const where = page.getByLabel('Dónde').first();

  await page.getByRole('link', { name: spanish.app.new_near_miss }).click();
  await page.getByLabel(spanish.capture.what).fill('Eslinga gastada');
  await page.getByRole('button', { name: 'Tower crane operations' }).click();
  await where.fill('Eje 4');
  await save.click();
  await expect(page.getByText(spanish.capture.required('Clima'))).toBeVisible();
  await page.getByLabel('Clima').selectOption('Fog');
  await save.click();

  await expect(
    page.getByText(/El servidor dice: .*Dónde: “is not on the list”.*Clima: “is not on/u),
  ).toBeVisible({ timeout: 60_000 });
  await page
    .getByRole('status')
    .getByRole('link', { name: spanish.waiting.fix })
    .click({ timeout: 60_000 });
  const over = page.getByRole('alert').filter({ hasText: spanish.capture.refused_title });
  for (const name of ['Dónde', 'Clima'])
    await expect(over.getByRole('listitem').filter({ hasText: `${name}: ` })).toHaveCount(1);
  refused = false;
  await save.click();
  const all = page.getByRole('link', { name: spanish.pill.online_all });
  await expect(all).toBeVisible({ timeout: 60_000 });

  world.offline();
  await page.getByRole('link', { name: spanish.detail.edit, exact: true }).click();
  await where.fill('Eje 5');
  await save.click();
  await page.getByRole('button', { name: spanish.detail.more, exact: true }).click();
  const { all: of_all, title: of_laptop } = spanish.history;
  await page.getByRole('menuitem', { name: new RegExp(`^(${of_all}|${of_laptop})$`, 'u') }).click();
  await expect(page.getByText('Dónde: Eje 4 → Eje 5')).toBeVisible();
  await page.keyboard.press('Escape');
  const found = await client.get('~/incidents/near_misses?filters[query]=Eslinga');
  const [{ id } = { id: 0 }] = found.json as { id: number }[];
  await client.patch(`~/incidents/near_misses/${id}`, {
    near_miss: { [idOf('Location')]: 'Eje 6' },
  });
  world.online();
  await page
    .getByRole('link', { name: new RegExp(`^${spanish.waiting.title}`, 'u') })
    .first()
    .click();
  // The near miss that is still shown has this button too, and its dialog closes with it.
  await expect(page.getByRole('heading', { name: spanish.waiting.title, level: 1 })).toBeVisible();
  await page.getByRole('button', { name: spanish.waiting.compare }).click({ timeout: 120_000 });
  const both = page.getByRole('dialog').getByRole('group', { name: 'Dónde' });
  await expect(both.getByText('Eje 6')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(both).toHaveCount(0);

  // The job is known by now and shown beside the box, which then has the least room.
  await page.getByRole('link', { name: spanish.app.new_near_miss }).click();
  await expect(page.getByLabel(spanish.capture.what)).toHaveValue('');
  for (const width of [1366, 1280, 1024, 820, 480]) {
    await page.setViewportSize({ width, height: 768 });
    for (const hint of [spanish.capture.where_hint, english.capture.where_hint])
      await expect.soft.poll(() => fits(where, hint), `${hint} at ${width}`).toBe(true);
  }
});
