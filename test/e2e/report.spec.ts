/**
 * The main job by mouse, counted in presses, and the form in sight as a whole. test/renderer/screens/report.test.ts has the rest
 * of the quick report.
 */
import { words } from '../../src/renderer/words/en.ts';
import type { Locator, Page } from 'playwright/test';
import { makeJpeg } from '../support/jpeg.ts';
import type { Server } from '../support/server.ts';
import { words as spanish } from '../../src/renderer/words/es.ts';
import { words as polish } from '../../src/renderer/words/pl.ts';
import type { App } from './app.ts';
import { expect, test } from './fixtures.ts';
import { countPresses } from './presses.ts';
import { connectToServer, photoFile } from './steps.ts';

test.use({ apart: false });

const open = async (app: App, server: Server): Promise<Page> => {
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await connectToServer(page, server, 'Harbour Bridge East');
  return page;
};

/** Types into the form once it has the focus. */
const say = async (page: Page, text: string): Promise<void> => {
  await expect(page.getByLabel('What happened?')).toBeFocused();
  await page.keyboard.type(text);
};

test(
  'the main job by mouse, the first time too: text, how bad and three photos in four presses and the file dialog',
  { tag: '@main' },
  async ({ app, server, folder }) => {
    const page = await open(app, server);
    const presses = await countPresses(page);
    const photos = await Promise.all([1, 2, 3].map((one) => photoFile(folder, one, 40_000)));
    const chosen = page.waitForEvent('filechooser');
    await page.getByRole('link', { name: 'New near miss' }).click();
    await say(page, 'Board slid off level 3');
    // Preselects the job with the most near misses of this person or project; another job is one press away.
    const job = page.getByRole('combobox', { name: /^Job or area/ });
    await expect(job).not.toHaveValue('');
    const filed = await job.inputValue();
    await expect(page.getByRole('button', { name: 'Tower crane operations' })).toBeVisible();
    await page.getByText('Could have killed').click();
    await page.getByRole('button', { name: 'Choose files' }).click();
    await (await chosen).setFiles(photos.map(({ path }) => path));
    for (const one of [1, 2, 3])
      await expect(page.getByRole('button', { name: `More for IMG_100${one}.jpg` })).toBeVisible();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    expect(await presses()).toBe(4);
    await expect(page.getByRole('heading', { name: 'Board slid off level 3' })).toBeVisible();
    await expect(page.getByText(/3 photos/).first()).toBeVisible();
    await expect(page.getByText(filed).first()).toBeVisible();
  },
);

/** The elements of `named` that are not fully visible: outside the window, or under the form's footer. */
const outOfSight = (page: Page, named: Readonly<Record<string, Locator>>) =>
  Promise.all(
    Object.entries(named).map(async ([name, one]) => {
      const box = await one.boundingBox();
      const foot = await page.locator('footer').boundingBox();
      const size = page.viewportSize();
      if (box === null || foot === null || size === null) return [name];
      const bottom = name === 'Save' ? size.height : foot.y;
      const seen = box.y >= 0 && box.x >= 0 && box.x + box.width <= size.width;
      return seen && box.y + box.height <= bottom ? [] : [name];
    }),
  ).then((names) => names.flat());

test('everything is in sight without scrolling, few keys away; a photo’s time stands with Undo; what was saved is no draft', async ({
  app,
  server,
}) => {
  const page = await open(app, server);
  const named = {
    what: page.getByLabel('What happened?'),
    severity: page.getByText('Could have killed', { exact: true }),
    where: page.getByLabel('Where'),
    when: page.getByRole('textbox', { name: 'When' }),
    job: page.getByRole('combobox', { name: 'Job or area' }),
    action: page.getByLabel('Immediate action'),
    take: page.getByRole('button', { name: 'Take a photo' }),
    photos: page.getByRole('button', { name: 'Choose files' }),
    Save: page.getByRole('button', { name: 'Save', exact: true }),
  };
  /** Elements of the job line beyond its column, and texts of its boxes that are cut off. */
  const lineFits = (stage: string) => {
    const out = () =>
      page.locator('.incident').evaluate((job) => {
        const { right } = job.getBoundingClientRect();
        const wide = [...job.children].filter((one) => one.getBoundingClientRect().right > right);
        const cut = [...(job.closest('.line') ?? job).querySelectorAll('input')].filter(
          (one) => one.scrollWidth > one.clientWidth,
        );
        return [...wide.map((one) => one.className), ...cut.map((one) => one.value)];
      });
    return expect.poll(out, stage).toEqual([]);
  };
  const fits = async (stage: string) => {
    await page.setViewportSize({ width: 1366, height: 768 });
    await expect.poll(() => outOfSight(page, named), `${stage}, 1366`).toEqual([]);
    await lineFits(`${stage}, 1366`);
    await page.setViewportSize({ width: 1024, height: 640 });
    await lineFits(`${stage}, 1024`);
    const { what, severity, take, photos, Save } = named;
    const small = { what, severity, take, photos, Save };
    await expect.poll(() => outOfSight(page, small), `${stage}, 1024`).toEqual([]);
    await page.setViewportSize({ width: 1366, height: 768 });
  };
  const taken = new Date(Date.now() - 3 * 3_600_000);
  const { format } = words;
  const local = new Date(taken.getTime() - taken.getTimezoneOffset() * 60_000).toISOString();
  const jpeg = await makeJpeg({ seed: 1, bytes: 60_000, taken: local.slice(0, 19) });

  // First use: no job is known yet.
  await page.getByRole('link', { name: 'New near miss' }).click();
  await expect(named.what).toBeFocused();
  await fits('first');
  await page.keyboard.type('Board slid off the scaffold');
  for (let key = 0; key < 2; key += 1) await page.keyboard.press('Tab');
  await expect(named.photos, 'two keys to the photos').toBeFocused();
  const clock = await named.when.inputValue();
  await page
    .locator('input[type=file]')
    .setInputFiles([{ name: 'now.jpg', mimeType: 'image/jpeg', buffer: jpeg }]);
  await expect(named.when).toHaveValue(format.moment(taken.getTime()));
  const told = page.getByRole('region', { name: 'Time from the photo' });
  await page.getByRole('button', { name: 'Undo: Time from the photo' }).click();
  await expect(named.when).toHaveValue(clock);
  await told.getByRole('button', { name: 'Use as time' }).click();
  await expect(named.when).toHaveValue(format.moment(taken.getTime()));
  await named.job.click();
  await page.getByRole('option', { name: 'Pier 3 excavation' }).click();
  await named.Save.click();
  await expect(page.getByRole('heading', { name: 'Board slid off the scaffold' })).toBeVisible();

  // Later the job is known, the draft is offered, and the saved report is no draft.
  await page.keyboard.press('Alt+n');
  await expect(named.job).toHaveValue('Pier 3 excavation');
  await expect(page.getByRole('region', { name: 'Draft' })).toBeHidden();
  await say(page, 'Begun');
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  await page.keyboard.press('Alt+n');
  await expect(page.getByRole('button', { name: 'Continue Begun' })).toBeVisible();
  await named.job.click();
  await page.getByRole('option', { name: 'Pier 3 excavation' }).click();
  await fits('with a draft');
  await named.what.focus();
  const low = (await named.what.boundingBox())?.height ?? 0;
  await say(page, 'One more line.\n'.repeat(9));
  await expect
    .poll(async () => ((await named.what.boundingBox())?.height ?? 0) > low + 60)
    .toBe(true);

  // The same line in the other languages.
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  for (const { language, other } of [
    { language: 'Español', other: spanish },
    { language: 'Polski', other: polish },
  ]) {
    await page.getByText(language, { exact: true }).click();
    await page.getByRole('link', { name: other.app.new_near_miss }).click();
    await page.getByRole('combobox', { name: other.capture.incident }).click();
    await page.getByRole('option', { name: 'Pier 3 excavation' }).click();
    await page.setViewportSize({ width: 1366, height: 768 });
    await lineFits(`${language}, 1366`);
    await page.setViewportSize({ width: 1024, height: 640 });
    await lineFits(`${language}, 1024`);
    await page.getByRole('link', { name: other.app.settings, exact: true }).click();
  }
});
