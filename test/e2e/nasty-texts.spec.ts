/**
 * What users write, at its worst, in every place that shows it, on every screen and in three sizes: nothing is pushed off or cut
 * off, and nothing scrolls sideways. A screen of places.ts that is not walked fails spanish.spec.ts (`missingRoutes`).
 */
import type { Page } from 'playwright/test';
import { screens } from '../screenshots/screens.ts';
import { makeJpeg } from '../support/jpeg.ts';
import { expect, test } from './fixtures.ts';

const SIZES = [
  { width: 1366, height: 768 },
  { width: 1024, height: 640 },
  { width: 480, height: 800 },
] as const;

/** 300 characters each: one word; words; right to left with marks above and an emoji of several parts; what looks like markup. */
const NASTY: Readonly<Record<string, string>> = {
  unbroken: 'Gerüstbodenbelagsbefestigung'.repeat(11).slice(0, 300),
  spaced: 'North stair level 3 scaffold board after the fall '.repeat(6).slice(0, 300),
  right_to_left: 'السقالة انزلقت من المستوى é́́́́ 👷🏽‍♀️ '.repeat(12).slice(0, 300),
  markup: '<b>&amp;"\'{{x}}%s\\/'.repeat(20).slice(0, 300).replaceAll('/', '|'),
};

/**
 * Controls that stand outside the window or are cut off sideways by what they are in, texts wider than what they are in, and what
 * scrolls sideways. A text of one line that ends in "…" is shortened on purpose: its whole stands in the detail.
 */
const outOfPlace = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const visible = (element: Element) =>
      element.checkVisibility() && !element.closest('.sr, .skip, [hidden]');
    const name = (element: Element) => element.outerHTML.slice(0, 140);
    const clips = (element: Element) => getComputedStyle(element).overflowX !== 'visible';
    const parents = (element: Element): Element[] =>
      element.parentElement ? [element.parentElement, ...parents(element.parentElement)] : [];
    const shortened = (element: Element) =>
      [element, ...parents(element)].some(
        (one) =>
          getComputedStyle(one).textOverflow === 'ellipsis' ||
          getComputedStyle(one).webkitLineClamp !== 'none',
      );
    const all = [...document.querySelectorAll('body *')].filter(visible);
    const cut = all
      .filter((element) => element.matches('button, a[href], input, select, textarea'))
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        if (width === 0) return false;
        return [document.body, ...parents(element).filter(clips)].some((frame) => {
          const box = frame.getBoundingClientRect();
          return right > box.right + 1 || left < box.left - 1;
        });
      });
    const wide = all
      .filter((element) => !element.matches('input, textarea, svg, svg *') && !shortened(element))
      .filter((element) => element.scrollWidth > element.clientWidth + 1 && clips(element));
    const { scrollWidth, clientWidth } = document.documentElement;
    return [
      ...(scrollWidth > clientWidth ? [`the page scrolls sideways: ${scrollWidth}`] : []),
      ...cut.map((element) => `cut off: ${name(element)}`),
      ...wide.map((element) => `wider than its frame: ${name(element)}`),
    ];
  });

const inPlace = async (page: Page, where: string): Promise<void> => {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await expect.soft.poll(() => outOfPlace(page), `${where}, ${size.width}`).toEqual([]);
    const shots = process.env['SPOTTER_LOOKS'];
    if (shots) await page.screenshot({ path: `${shots}/nasty-${where}-${size.width}.png` });
  }
  await page.setViewportSize(SIZES[0]);
};

const file = async (text: string, seed: number) => ({
  name: `${text}.jpg`,
  mimeType: 'image/jpeg',
  buffer: Buffer.from(await makeJpeg({ seed, bytes: 40_000 })),
});

/** A report with the text wherever one can be typed, and a photo called by it. */
const reportOf = async (page: Page, text: string, seed: number): Promise<void> => {
  await page.getByRole('link', { name: 'New near miss' }).click();
  await expect(page.getByLabel('What happened?')).toHaveValue('');
  await page.getByLabel('What happened?').fill(`${text}\n\n${text}`);
  await page.getByLabel('Where', { exact: false }).first().fill(text.slice(0, 200));
  await page.locator('input[type=file]').setInputFiles(await file(text, seed));
  await expect(page.getByRole('button', { name: /^Remove / })).toBeVisible();
  await page.getByLabel(/^Caption of /).fill(text.slice(0, 200));
};
const save = async (page: Page): Promise<void> => {
  // The incident of the report before is in the form already.
  const chip = page.getByRole('button', { name: 'Tower crane operations' });
  if (await chip.isVisible()) await chip.click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL(/#\/near-misses\//u);
};

test('texts of users at their worst move nothing, on every screen, at three sizes', async ({
  world,
}) => {
  test.setTimeout(600_000);
  const page = await world.open();
  await page.setViewportSize(SIZES[0]);
  let seed = 1;
  for (const [kind, text] of Object.entries(NASTY)) {
    await reportOf(page, text, seed++);
    await save(page);
    await expect(page.getByText(/^Delivered and checked/u)).toBeVisible({ timeout: 120_000 });
    await inPlace(page, `detail-${kind}`);
  }
  // What waits, what is begun, what is searched for.
  world.offline();
  for (const text of [NASTY['unbroken'] ?? '', NASTY['right_to_left'] ?? '']) {
    await reportOf(page, text, seed++);
    await save(page);
    await reportOf(page, text, seed++);
  }
  await inPlace(page, 'form');
  for (const screen of screens) {
    await page.setViewportSize(SIZES[0]);
    await screen.open(page);
    await inPlace(page, screen.name);
  }
  await page.evaluate(() => (location.hash = '/near-misses'));
  await page.setViewportSize(SIZES[0]);
  await page
    .getByRole('searchbox')
    .first()
    .fill(NASTY['unbroken'] ?? '');
  await expect(page.getByRole('button', { name: /^Remove filter/u })).toBeVisible();
  await inPlace(page, 'search');
});
