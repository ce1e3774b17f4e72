/**
 * The worst user-written texts in every place that shows them, on every screen and in three sizes: nothing is pushed off, cut
 * off or covering a button, and nothing scrolls sideways. All names of the company are such texts. translations.spec.ts fails for a
 * screen of routes.ts that is not walked (`missingRoutes`).
 */
import type { Page } from 'playwright/test';
import { screens, type Screen } from '../screenshots/screens.ts';
import { makeJpeg } from '../support/jpeg.ts';
import type { Client } from '../support/service.ts';
import { expect, test, type World } from './fixtures.ts';
import { nameAllNasty, NASTY, PROJECT } from './nasty-firm.ts';
import { connectToServer } from './steps.ts';

test.use({ apart: false, serverArgs: ['--allow-private-webhooks', '--webhook-first-retry=200ms'] });

const SIZES = [
  { width: 1366, height: 768 },
  { width: 1024, height: 640 },
  { width: 480, height: 800 },
] as const;

/**
 * Controls outside the window or clipped sideways by their container, texts wider than their container, and horizontal
 * scrollers. A one-line text that ends in "…" is shortened on purpose; the detail shows all of it.
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

/** Fully visible buttons of the open overlay that something else covers. */
const covered = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const parents = (element: Element): Element[] =>
      element.parentElement ? [element.parentElement, ...parents(element.parentElement)] : [];
    const whole = (element: Element): boolean => {
      const { top, bottom } = element.getBoundingClientRect();
      return [document.body, ...parents(element)].every((frame) => {
        const clips = frame === document.body || getComputedStyle(frame).overflowY !== 'visible';
        const box = frame.getBoundingClientRect();
        return !clips || (top >= box.top - 1 && bottom <= box.bottom + 1);
      });
    };
    return [...document.querySelectorAll('[role="dialog"] button')]
      .filter((button) => button.checkVisibility() && whole(button))
      .filter((button) => {
        const { top, bottom, left, width } = button.getBoundingClientRect();
        return [top + 4, bottom - 4].some((y) => {
          const hit = document.elementFromPoint(left + width / 2, y);
          return hit !== null && !button.contains(hit);
        });
      })
      .map((button) => `covered: ${button.outerHTML.slice(0, 140)}`);
  });

const inPlace = async (page: Page, where: string): Promise<void> => {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    const wrong = async () => [...(await outOfPlace(page)), ...(await covered(page))];
    await expect.soft.poll(wrong, `${where}, ${size.width}`).toEqual([]);
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

/** Types a report with the text in every field, and a photo named after it. */
const reportOf = async (page: Page, text: string, seed: number): Promise<void> => {
  await page.getByRole('link', { name: 'New near miss' }).click();
  await expect(page.getByLabel('What happened?')).toHaveValue('');
  await page.getByLabel('What happened?').fill(`${text}\n\n${text}`);
  await page.getByLabel('Where', { exact: false }).first().fill(text.slice(0, 200));
  await page.locator('input[type=file]').setInputFiles(await file(text, seed));
  await page.getByLabel('Immediate action').fill(text);
  await expect(page.getByRole('button', { name: /^More for / })).toBeVisible();
  await page.getByRole('button', { name: /^Add a caption: / }).click();
  await page.getByRole('textbox', { name: /^Caption of / }).fill(text.slice(0, 200));
};
const save = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  // An edit starts at a longer address than the one it ends at.
  await page.waitForURL(/#\/near-misses\/[^/]+$/u);
};
const go = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => void (location.hash = to), path);

/** How to open each overlay from anywhere; Escape closes it. */
const dialogs: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  viewer: async (page) => {
    await go(page, '/photos');
    await page.locator('.tile').first().click();
    await expect(page.getByText('Loading full size…')).toBeHidden();
  },
  filters: async (page) => {
    await go(page, '/near-misses');
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
  },
  finder: async (page) => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Ger');
    await expect(page.getByRole('option').first()).toBeVisible();
    // A number takes one line.
    for (const note of await page.getByRole('option').locator('small').all())
      expect.soft((await note.boundingBox())?.height).toBeLessThan(30);
  },
  sites: async (page) => {
    await page.getByRole('button', { name: /\. Change project$/u }).click();
    await expect(page.getByRole('menuitem')).not.toHaveCount(0);
  },
  phone: async (page) => {
    await go(page, '/new');
    await page.getByRole('button', { name: 'From a phone' }).click();
    await expect(page.getByRole('img', { name: /^QR code/u })).toBeVisible();
  },
};

/** The server's number of the report and the key of a custom field. */
const found = async (client: Client, label: string) => {
  const [newest] = (await client.get('~/incidents/near_misses?per_page=1')).json as {
    readonly id: number;
  }[];
  const { json } = await client.get('~/catalog');
  const fields = json.custom_field_definitions as { id: number; label: string }[];
  return { id: newest?.id, key: `custom_field_${fields.find((one) => one.label === label)?.id}` };
};

/** Changes the newest report here, offline, and as another user, so that the window asks for a decision. */
const disagree = async (page: Page, client: Client, world: World): Promise<void> => {
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Where', { exact: false }).first().fill(NASTY.spaced.slice(0, 200));
  await page.getByLabel('Immediate action').fill(NASTY.unbroken);
  world.offline();
  await save(page);
  const { id, key } = await found(client, 'Location');
  const { key: action } = await found(client, 'Immediate action');
  const changed = await client.patch(`~/incidents/near_misses/${id}`, {
    near_miss: { [key]: NASTY.unbroken.slice(0, 200), [action]: NASTY.markup },
  });
  expect(changed.status).toBe(200);
};

/** Routes that fetch their data when opened. */
const COMPANY = /^\/(?:company-data|insurances|members|time-and-material|users|webhooks)/u;
const walk = async (page: Page, all: readonly Screen[]): Promise<void> => {
  for (const screen of all) {
    await page.setViewportSize(SIZES[0]);
    await screen.open(page);
    await inPlace(page, screen.name);
  }
};

test('texts of users at their worst move nothing, on every screen, at three sizes', async ({
  app,
  server,
  chaos,
  client,
  world,
}) => {
  test.setTimeout(600_000);
  await nameAllNasty(client);
  const page = await app.open({ env: { SPOTTER_PHONE_ADDRESS: '127.0.0.1' } });
  page.setDefaultTimeout(60_000);
  await page.setViewportSize(SIZES[0]);
  await connectToServer(page, { first: server.first, url: chaos.url }, PROJECT);
  let seed = 1;
  // Company data is fetched when its screen opens.
  await walk(
    page,
    screens.filter((screen) => COMPANY.test(screen.route)),
  );
  for (const kind of ['incidents', 'custom_field_definitions']) {
    await page.setViewportSize(SIZES[0]);
    await go(page, `/company-data/${kind}`);
    await expect(page.locator('#content')).toContainText(NASTY.spaced.slice(0, 100));
    await inPlace(page, `company-data-${kind}`);
  }
  // Reports of others, each with the worst text in every field; newest first.
  for (const [at, kind] of Object.keys(NASTY).toReversed().entries()) {
    await go(page, '/near-misses');
    await page.locator('.scroller [aria-posinset]').nth(at).getByRole('link').click();
    await expect(page.getByRole('region', { name: 'Follow-up' })).toBeVisible();
    // A long job wraps to the pane's width, so the description stays in view.
    await expect.soft
      .poll(async () => (await page.locator('h1').boundingBox())?.y, kind)
      .toBeLessThan(SIZES[0].height / 2);
    await inPlace(page, `detail-${kind}`);
  }
  await reportOf(page, NASTY.right_to_left, seed++);
  await save(page);
  await expect(page.getByText(/^Delivered and checked/u)).toBeVisible({ timeout: 120_000 });
  await inPlace(page, 'detail-delivered');
  await disagree(page, client, world);
  // Pending reports, drafts and searches.
  for (const text of [NASTY.unbroken, NASTY.right_to_left]) {
    await reportOf(page, text, seed++);
    await save(page);
    await reportOf(page, text, seed++);
  }
  await inPlace(page, 'form');
  await page.getByRole('button', { name: 'More details' }).click();
  await expect(page.getByRole('textbox', { name: NASTY.spaced.slice(0, 100) })).toBeVisible();
  await inPlace(page, 'form-more');
  await walk(
    page,
    screens.filter((screen) => !COMPANY.test(screen.route)),
  );
  await go(page, '/near-misses');
  await page.setViewportSize(SIZES[0]);
  await page.getByRole('searchbox').first().fill(NASTY.unbroken);
  await expect(page.getByRole('button', { name: /^Remove filter/u })).toBeVisible();
  await inPlace(page, 'search');
  await page.getByRole('button', { name: /^Remove filter/u }).click();
  for (const [name, open] of Object.entries(dialogs)) {
    await open(page);
    await inPlace(page, name);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog').or(page.getByRole('menu'))).toHaveCount(0);
  }
  world.online();
  await go(page, '/waiting');
  // The open report offers Compare too.
  await expect(page.getByRole('heading', { name: 'Waiting', level: 1 })).toBeAttached();
  await page.getByRole('button', { name: 'Compare' }).click({ timeout: 120_000 });
  await expect(page.getByRole('dialog').getByRole('group')).toHaveCount(2);
  await inPlace(page, 'conflict');
});
