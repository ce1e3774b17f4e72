/**
 * The quick report: three presses beside typing from the open window to "saved on this laptop", how bad in words and as
 * 5 x 5, nobody named unless asked for, the same again, and a Save that is always in sight.
 */
import { words } from '../../src/renderer/words/en.ts';
import type { Locator, Page } from 'playwright/test';
import { makeJpeg } from '../support/jpeg.ts';
import type { Server } from '../support/server.ts';
import type { App } from './app.ts';
import { expect, test } from './fixtures.ts';
import { axe, look } from './looks.ts';
import { countPresses } from './presses.ts';
import { connectToServer, photoFile } from './steps.ts';

test.use({ apart: false });

const open = async (app: App, server: Server): Promise<Page> => {
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await connectToServer(page, server, 'Harbour Bridge East');
  return page;
};

/** Types into the form as soon as it is ready for it. */
const say = async (page: Page, text: string): Promise<void> => {
  await expect(page.getByLabel('What happened?')).toBeFocused();
  await page.keyboard.type(text);
};

test('three presses beside typing: the first report, one with how bad, one with a photo, all offline', async ({
  app,
  server,
  folder,
}) => {
  const page = await open(app, server);
  await server.stop();
  const presses = await countPresses(page);
  const saved = async (text: string) => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(/#\/near-misses\//);
    await expect(page.getByText('Saved on this laptop.').first()).toBeVisible();
    await expect(page.getByRole('heading', { name: text })).toBeVisible();
  };

  await page.getByRole('link', { name: 'New near miss' }).click();
  await say(page, 'Board slid off level 3');
  await page.getByRole('button', { name: 'Tower crane operations' }).click();
  await saved('Board slid off level 3');
  expect(presses()).toBe(3);

  await page.getByRole('link', { name: 'New near miss' }).click();
  await say(page, 'Rail loose at the east edge');
  await page.getByText('Could have killed').click();
  await saved('Rail loose at the east edge');
  expect(presses()).toBe(3);

  const photo = await photoFile(folder, 1, 60_000);
  const chosen = page.waitForEvent('filechooser');
  await page.getByRole('link', { name: 'New near miss' }).click();
  await say(page, 'Cable across the stairs');
  await page.getByRole('button', { name: 'Choose files' }).click();
  await (await chosen).setFiles(photo.path);
  await expect(page.getByRole('button', { name: 'Remove IMG_1001.jpg' })).toBeVisible();
  await saved('Cable across the stairs');
  expect(presses()).toBe(3);

  // By keyboard none at all.
  await page.keyboard.press('Alt+n');
  await say(page, 'Ladder without a tag');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { name: 'Ladder without a tag' })).toBeVisible();
  expect(presses()).toBe(0);
});

test('the main job by mouse, the first time too: text, how bad and three photos in four presses and the file dialog', async ({
  app,
  server,
  folder,
}) => {
  const page = await open(app, server);
  const presses = await countPresses(page);
  const photos = await Promise.all([1, 2, 3].map((one) => photoFile(folder, one, 40_000)));
  const chosen = page.waitForEvent('filechooser');
  await page.getByRole('link', { name: 'New near miss' }).click();
  await say(page, 'Board slid off level 3');
  // Where most near misses of this person or project were filed; another one is a press away.
  const job = page.getByRole('combobox', { name: /^Job or area/ });
  await expect(job).not.toHaveValue('');
  const filed = await job.inputValue();
  await expect(page.getByRole('button', { name: 'Tower crane operations' })).toBeVisible();
  await page.getByText('Could have killed').click();
  await page.getByRole('button', { name: 'Choose files' }).click();
  await (await chosen).setFiles(photos.map(({ path }) => path));
  for (const one of [1, 2, 3])
    await expect(page.getByRole('button', { name: `Remove IMG_100${one}.jpg` })).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  expect(presses()).toBe(4);
  await expect(page.getByRole('heading', { name: 'Board slid off level 3' })).toBeVisible();
  await expect(page.getByText(/3 photos/).first()).toBeVisible();
  await expect(page.getByText(filed).first()).toBeVisible();
});

test('how bad as 5 x 5 by mouse and by arrows; without a field for it, it is in the text and known again', async ({
  app,
  server,
  client,
}) => {
  const page = await open(app, server);
  await page.keyboard.press('Alt+n');
  await say(page, 'Sling slipped over the walkway');
  await page.getByRole('button', { name: 'Tower crane operations' }).click();
  await page.getByRole('button', { name: 'Risk matrix' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('grid')).toBeVisible();
  await look(page, '5 x 5');
  await dialog.getByRole('button', { name: 'Days off work, Possible: 9, Medium' }).focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByText('5 × 5: Life-changing, Likely = 16, High')).toBeVisible();
  await expect(page.getByRole('radio', { name: /^Could have killed/ })).toBeChecked();
  await expect(page.getByText('It is added to the end of your description')).toBeVisible();
  // Another level takes the square back that said something else.
  await page.getByText('First aid at most').click();
  await expect(page.getByRole('button', { name: 'Risk matrix' })).toBeVisible();
  await page.getByRole('button', { name: 'Risk matrix' }).click();
  await dialog.getByRole('button', { name: 'Life-changing, Likely: 16, High' }).click();
  // Keys are the dialog's until it is gone.
  await expect(dialog).toBeHidden();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('report accepted by the server')).toBeVisible();
  const query = encodeURIComponent('Sling slipped over');
  const found = await client.get(`~/incidents/near_misses?filters[query]=${query}`);
  expect(found.json).toMatchObject([
    {
      description_plain_text: expect.stringContaining('Risk 5 × 5: severity 4, likelihood 4.'),
      custom_fields: expect.objectContaining({
        custom_field_1: { data_type: 'select', value: 'Could have killed' },
      }),
    },
  ]);
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await expect(page.getByLabel('What happened?')).toHaveValue('Sling slipped over the walkway');
  await expect(page.getByText('5 × 5: Life-changing, Likely = 16, High')).toBeVisible();
});

test('nobody is named unless asked for; the same again takes place, incident, company and work; Save never scrolls away', async ({
  app,
  server,
}) => {
  const page = await open(app, server);
  const save = page.getByRole('button', { name: 'Save', exact: true });
  const pick = async (name: RegExp) => {
    await page.getByRole('combobox', { name }).click();
    await page.locator('.lookup-list').getByRole('option').first().click();
  };
  await page.keyboard.press('Alt+n');
  await say(page, 'Gas bottle beside the heater');
  await page.getByRole('button', { name: 'Site traffic and deliveries' }).click();
  await page.getByLabel('Where').fill('Deck B, axis 4');
  await pick(/^Work activity/);
  await page.getByRole('button', { name: /people, equipment/i }).click();
  await pick(/^Affected company/);
  const person = page.getByRole('combobox', { name: /^Affected person/ });
  await expect(person).toBeHidden();
  await expect(page.getByText('No one is named by default.')).toBeVisible();
  await axe(page, 'nobody named');
  await page.getByRole('button', { name: 'Name a person' }).click();
  await expect(person).toBeFocused();
  await expect(save).toBeInViewport();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { name: 'Gas bottle beside the heater' })).toBeVisible();

  await page.keyboard.press('Alt+n');
  await expect(page.getByText(/copies Deck B, axis 4/)).toBeVisible();
  await page.getByRole('button', { name: 'Same again' }).click();
  await expect(page.getByLabel('What happened?')).toBeFocused();
  await expect(page.getByLabel('What happened?')).toHaveValue('');
  await expect(page.getByLabel('Where')).toHaveValue('Deck B, axis 4');
  await expect(page.getByRole('combobox', { name: /^Work activity/ })).not.toHaveValue('');
  await say(page, 'Gas bottle again');
  await look(page, 'report');
  for (const size of [
    { width: 1024, height: 640 },
    { width: 683, height: 384 },
    { width: 512, height: 320 },
  ]) {
    await page.setViewportSize(size);
    await page.locator('form.scroll').evaluate((form) => form.scrollTo(0, form.scrollHeight));
    await expect(save, String(size.width)).toBeInViewport({ ratio: 1 });
  }
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { name: 'Gas bottle again' })).toBeVisible();

  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByText('Always ask').click();
  await page.keyboard.press('Alt+n');
  await page.getByRole('button', { name: /people, equipment/i }).click();
  await expect(page.getByText('No one is named by default.')).toBeHidden();
});

/** What of `named` is not wholly to be seen: outside the window, or under the foot of the form. */
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

test('the same thing again: what was told alike is named while typing, and its place and work are taken over in two presses', async ({
  app,
  server,
}) => {
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await connectToServer(page, server, 'Harbour Bridge East');
  await expect(page.getByRole('button', { name: 'All 250' })).toBeVisible();
  await page.locator('.scroller').getByRole('link').first().waitFor();
  await page.getByRole('link', { name: 'New near miss' }).click();
  const what = page.getByLabel('What happened?');
  const top = async () => (await what.boundingBox())?.y;
  const before = await top();
  await what.fill('Scaffold board came down beside the stair');
  const alike = page.getByRole('button', { name: /^\d+ similar reports?, \d+ at / });
  await expect(alike).toBeVisible();
  // Nothing moves under the typing hand.
  expect(await top()).toBe(before);
  await look(page, 'alike');
  const presses = await countPresses(page);
  await alike.click();
  const again = page.getByRole('menuitem', { name: /^Scaffold board came down/ });
  await look(page, 'alike-open');
  await again.first().click();
  expect(presses()).toBe(2);
  await expect(
    page.getByText('Copied where, job or area, company and work activity.'),
  ).toBeVisible();
  await expect(what).toBeFocused();
  await expect(what).toHaveValue('Scaffold board came down beside the stair');
  await expect(page.getByLabel(/^Where/)).not.toHaveValue('');
  // What nobody told before is like nothing.
  await what.fill('Quarterly paperwork misfiled underwater');
  await expect(alike).toHaveCount(0);
  // The form is the first screen of a window: no list has been read.
  await page.reload();
  await what.fill('Scaffold board came down beside the stair');
  await expect(alike).toBeVisible();
});

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
  /** What stands in the line of the job beyond its column; and what its boxes say, where its end is not seen. */
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
    expect(await outOfSight(page, named), `${stage}, 1366`).toEqual([]);
    await lineFits(`${stage}, 1366`);
    await page.setViewportSize({ width: 1024, height: 640 });
    await lineFits(`${stage}, 1024`);
    const { what, severity, take, photos, Save } = named;
    const small = { what, severity, take, photos, Save };
    expect(await outOfSight(page, small), `${stage}, 1024`).toEqual([]);
    await page.setViewportSize({ width: 1366, height: 768 });
  };
  const taken = new Date(Date.now() - 3 * 3_600_000);
  const { format } = words;
  const local = new Date(taken.getTime() - taken.getTimezoneOffset() * 60_000).toISOString();
  const jpeg = await makeJpeg({ seed: 1, bytes: 60_000, taken: local.slice(0, 19) });

  // The first time: no job is known yet.
  await page.getByRole('link', { name: 'New near miss' }).click();
  await expect(named.what).toBeFocused();
  await fits('first');
  await page.keyboard.type('Board slid off the scaffold');
  for (let key = 0; key < 3; key += 1) await page.keyboard.press('Tab');
  await expect(named.take, 'three keys to the photos').toBeFocused();
  const clock = await named.when.inputValue();
  await page
    .locator('input[type=file]')
    .setInputFiles([{ name: 'now.jpg', mimeType: 'image/jpeg', buffer: jpeg }]);
  await expect(named.when).toHaveValue(format.moment(taken.getTime()));
  const told = page.getByRole('region', { name: 'Time from the photo' });
  await told.getByRole('button', { name: 'Undo' }).click();
  await expect(named.when).toHaveValue(clock);
  await told.getByRole('button', { name: 'Use as time' }).click();
  await expect(named.when).toHaveValue(format.moment(taken.getTime()));
  await page.getByRole('button', { name: 'Tower crane operations' }).click();
  await named.Save.click();
  await expect(page.getByRole('heading', { name: 'Board slid off the scaffold' })).toBeVisible();

  // After that the job is known, what was begun is offered, and what was saved is no draft.
  await page.keyboard.press('Alt+n');
  await expect(named.job).toHaveValue('Tower crane operations');
  await expect(page.getByText('Not finished yet')).toBeHidden();
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

  // The same line in Spanish.
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByText('Español', { exact: true }).click();
  await page.getByRole('link', { name: 'Nuevo reporte' }).click();
  await page.getByRole('combobox', { name: 'Trabajo o zona' }).click();
  await page.getByRole('option', { name: 'Pier 3 excavation' }).click();
  await page.setViewportSize({ width: 1366, height: 768 });
  await lineFits('Spanish, 1366');
  await page.setViewportSize({ width: 1024, height: 640 });
  await lineFits('Spanish, 1024');
});

test('decisions §4.2, §3.6: every type of custom field; required ones are named and focused; an unknown type is left alone', async ({
  chaos,
  client,
  world,
}) => {
  const catalog = (await client.get('~/catalog')).json as {
    custom_field_definitions: { label: string; required: boolean }[];
  };
  const asked = catalog.custom_field_definitions.map((one) => ({
    ...one,
    required: ['Weather', 'Follow-up date'].includes(one.label),
  }));
  const crew = { id: 999, label: 'Crew', data_type: 'multi_list', options: [], required: true };
  const body = JSON.stringify({ ...catalog, custom_field_definitions: [...asked, crew] });
  chaos.plan = ({ path }) =>
    path.endsWith('/catalog')
      ? { kind: 'answer', status: 200, headers: { 'content-type': 'application/json' }, body }
      : null;
  const page = await world.open();
  await page.keyboard.press('Alt+n');
  await say(page, 'Props loose under the deck');
  await page.getByRole('button', { name: 'Tower crane operations' }).click();
  await page.getByRole('button', { name: /people, equipment/i }).click();
  await expect(page.getByText('version of Spotter cannot edit Crew')).toBeVisible();
  await page.getByLabel('Immediate action').fill('Area closed');
  await page.getByLabel('People nearby').fill('three');
  await page
    .getByRole('group', { name: /Work stopped/ })
    .getByText('Yes')
    .click();
  // Folded away again: what needs somebody there comes back into sight.
  await page.getByRole('button', { name: /people, equipment/i }).click();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('alert')).toContainText(
    '3 fields to complete: People nearby, Follow-up date and Weather',
  );
  await expect(page.getByRole('textbox', { name: 'Follow-up date' })).toBeFocused();
  await axe(page, 'required fields');
  await page.getByRole('textbox', { name: 'Follow-up date' }).fill('2026-12-01');
  await page.getByLabel('Weather').selectOption('Fog');
  await expect(page.getByText('Enter a number, as 1250 or 12.5.')).toBeVisible();
  await page.getByLabel('People nearby').fill('3');
  await page.getByRole('textbox', { name: 'When' }).fill('2026-11-20T14:32');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('report accepted by the server')).toBeVisible();
  const query = encodeURIComponent('Props loose under the deck');
  const found = (await client.get(`~/incidents/near_misses?filters[query]=${query}`)).json as {
    custom_fields: Record<string, { data_type: string; value: string }>;
  }[];
  const values = Object.values(found[0]?.custom_fields ?? {});
  const at = await page.evaluate(() => new Date('2026-11-20T14:32').toISOString());
  for (const [data_type, value] of [
    ['text', 'Area closed'],
    ['number', '3'],
    ['boolean', 'true'],
    ['date', '2026-12-01'],
    ['select', 'Fog'],
    ['datetime', at],
  ])
    expect(values).toContainEqual({ data_type, value });
});
