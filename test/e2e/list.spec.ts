/**
 * The list of near misses and the recycle bin as a supervisor uses them, with the server and without: filters that stay,
 * every order, the keyboard, many at once, what is new. That list and server answer alike is test/renderer/data/alike.test.ts.
 */
import type { Page } from 'playwright/test';
import type { Server } from '../support/server.ts';
import type { App } from './app.ts';
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { connectToServer, photoFile, report } from './steps.ts';

test.use({ apart: false });

const open = async (app: App, server: Server): Promise<Page> => {
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await connectToServer(page, server, 'Harbour Bridge East');
  await expect(page.getByRole('button', { name: 'All 250' })).toBeVisible();
  return page;
};
const rows = (page: Page) => page.locator('.scroller [aria-posinset]');
const all = (page: Page, n: number) =>
  expect(page.getByRole('button', { name: `All ${n}`, exact: true })).toBeVisible();

/** From the first chip to the last by Tab: each is scrolled into sight with its ring, and the window stays where it is. */
const chipsByKeyboard = async (page: Page): Promise<void> => {
  const chips = page.locator('.filters .chips > button:visible');
  await chips.first().focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  const count = await chips.count();
  expect(count).toBe(6);
  for (let at = 0; at < count; at += 1) {
    await expect(chips.nth(at)).toBeFocused();
    await expect
      .poll(() =>
        chips.nth(at).evaluate((chip) => {
          const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(chip);
          const ring = parseFloat(outlineWidth) + parseFloat(outlineOffset);
          const line = chip.parentElement?.getBoundingClientRect();
          const box = chip.getBoundingClientRect();
          const room =
            line === undefined
              ? []
              : [
                  box.left - line.left,
                  box.top - line.top,
                  line.right - box.right,
                  line.bottom - box.bottom,
                  line.left + ring,
                  innerWidth - line.right + ring,
                ];
          return {
            outlineStyle,
            /** Pixels of the ring that are cut off. */
            cut: Math.max(...room.map((one) => Math.round(ring - one)), 0),
            sideways: document.documentElement.scrollWidth - innerWidth,
          };
        }),
      )
      .toEqual({ outlineStyle: 'solid', cut: 0, sideways: 0 });
    await page.keyboard.press('Tab');
  }
};

test('ten near misses are seen at 1366 x 768 in either language, with one new and one waiting too, none cut off', async ({
  chaos,
  client,
  world,
}) => {
  const page = await world.open();
  await expect(page.getByRole('button', { name: 'All 250' })).toBeVisible();
  const seen = () =>
    page.locator('.scroller').evaluate((scroller) => {
      const { top, bottom } = scroller.getBoundingClientRect();
      const boxes = [...scroller.querySelectorAll('li')].map((row) => row.getBoundingClientRect());
      const whole = boxes.filter((box) => box.top >= top - 1 && box.bottom <= bottom + 1);
      const cut = [...scroller.querySelectorAll('.text')].filter(
        (text) => text.getBoundingClientRect().height > (text.closest('li')?.clientHeight ?? 0),
      );
      return { whole: whole.length, tall: boxes[0]?.height, cut: cut.length };
    });
  /** What of the chips and of the rows' facts is not read to its end. */
  const unread = (parts: string) =>
    page.locator(parts).evaluateAll((all) =>
      all
        .filter((one) => {
          const room = one.closest('small, .filters')?.getBoundingClientRect().right ?? 0;
          return (
            one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > room + 1
          );
        })
        .map((one) => one.textContent),
    );
  const lines = () =>
    page
      .locator('.filters .chips > button:visible')
      .evaluateAll((chips) => new Set(chips.map((chip) => chip.getBoundingClientRect().top)).size);
  const severities = page.locator('.scroller .severity');

  await page.setViewportSize({ width: 1366, height: 768 });
  await expect.poll(seen).toEqual({ whole: 10, tall: 56, cut: 0 });
  await look(page, 'list-low');
  await page.setViewportSize({ width: 1366, height: 900 });
  await expect.poll(async () => (await seen()).tall).toBe(68);

  const catalog = (await client.get('~/catalog')).json as { incidents: { id: number }[] };
  await client.post('~/incidents/near_misses', {
    near_miss: { incident_id: catalog.incidents[0]?.id, description: '<p>Of another office</p>' },
  });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByRole('button', { name: 'New 1', exact: true })).toBeVisible();
  const broken = { kind: 'answer', status: 500, headers: {}, body: '' } as const;
  chaos.plan = ({ method, path }) =>
    method === 'POST' && path.split('?')[0]?.endsWith('/near_misses') === true ? broken : null;
  await report(page, { text: 'Bolt fell from the grating', photos: [] });
  const languages = [
    { list: 'Near misses', waiting: 'Not delivered 1', best: 'Sort: Best match' },
    { list: 'Casi accidentes', waiting: 'Sin entregar 1', best: 'Orden: Mejor coincidencia' },
  ];
  for (const { list, waiting, best } of languages) {
    await page.getByRole('link', { name: list, exact: true }).click();
    await page.setViewportSize({ width: 1366, height: 768 });
    await expect(page.getByRole('button', { name: waiting })).toBeVisible();
    await expect.poll(seen, list).toEqual({ whole: 10, tall: 56, cut: 0 });
    expect(await lines(), list).toBe(1);
    await expect.poll(() => unread('.filters .chips > button'), list).toEqual([]);
    // How bad stands in every row that has it.
    expect(await severities.count(), list).toBeGreaterThan(7);
    await expect.poll(() => unread('.scroller .facts > *'), list).toEqual([]);
    await page.setViewportSize({ width: 1024, height: 640 });
    await expect.poll(() => unread('.scroller .facts > *'), `${list}, 1024`).toEqual([]);
    // Of a place that is too long for a narrow row, the end.
    await page.setViewportSize({ width: 480, height: 800 });
    await expect.poll(() => unread('.scroller .facts > :not(.spot)'), `${list}, 480`).toEqual([]);
    for (const size of [
      { width: 480, height: 800 },
      { width: 683, height: 384 },
    ]) {
      await page.setViewportSize(size);
      expect(await lines(), `${list}, ${size.width}`).toBe(1);
      await chipsByKeyboard(page);
    }
    await page.setViewportSize({ width: 1366, height: 768 });
    await page.getByRole('searchbox').first().fill('lifting');
    await expect(page.getByRole('button', { name: best })).toBeVisible();
    await page.getByRole('searchbox').first().fill('');
    if (list !== 'Near misses') continue;
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByText('Español', { exact: true }).click();
  }
});

test('an update that failed takes no line of its own: ten rows, and pressed it says what is safe and tries again', async ({
  chaos,
  world,
}) => {
  const page = await world.open({ apart: false });
  await expect(page.getByRole('button', { name: 'All 250' })).toBeVisible();
  await page.setViewportSize({ width: 1366, height: 768 });
  const whole = () =>
    page.locator('.scroller').evaluate((scroller) => {
      const { bottom } = scroller.getBoundingClientRect();
      const boxes = [...scroller.querySelectorAll('li')].map((row) => row.getBoundingClientRect());
      return boxes.filter((box) => box.bottom <= bottom + 1).length;
    });
  const broken = { kind: 'answer', status: 500, headers: {}, body: '' } as const;
  for (const said of [
    {
      refresh: 'Refresh',
      failed: 'Could not update. The server has a problem.',
      safe: /Everything is safe on this laptop\. Updated .*\d\./,
      again: 'Try again',
      updated: /^Updated/,
    },
    {
      refresh: 'Actualizar',
      failed: 'No se pudo actualizar. El servidor tiene un problema.',
      safe: /Todo está a salvo en esta laptop\. Actualizado .*\d\./,
      again: 'Reintentar',
      updated: /^Actualizado/,
    },
  ]) {
    chaos.plan = ({ method, path }) =>
      method === 'GET' && path.includes('near_misses') ? broken : null;
    await page.getByRole('button', { name: said.refresh, exact: true }).click();
    const failed = page.getByRole('button', { name: said.failed });
    await expect(failed).toBeVisible();
    await expect.poll(whole).toBe(10);
    if (said.refresh === 'Refresh') await look(page, 'list-not-updated');
    // At 200 % on half a screen the tools stand under it, and over no row.
    await page.setViewportSize({ width: 512, height: 320 });
    const [tools, list] = await Promise.all([
      page.locator('.state .tools').boundingBox(),
      page.locator('.scroller').boundingBox(),
    ]);
    expect((tools?.y ?? 0) + (tools?.height ?? 0)).toBeLessThanOrEqual(list?.y ?? 0);
    await page.setViewportSize({ width: 1366, height: 768 });
    await failed.click();
    await expect(page.getByRole('menu')).toContainText(said.failed);
    await expect(page.getByRole('menu')).toContainText(said.safe);
    chaos.plan = () => null;
    await page.getByRole('menuitem', { name: said.again }).click();
    await expect(page.getByText(said.updated)).toBeVisible();
    await expect(failed).toHaveCount(0);
    if (said.refresh !== 'Refresh') continue;
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByText('Español', { exact: true }).click();
    await page.getByRole('link', { name: 'Casi accidentes', exact: true }).click();
  }
});

test('while something is searched the order is the best match and says so; the newest first can be chosen', async ({
  app,
  client,
  server,
}) => {
  const page = await open(app, server);
  const titles = () => rows(page).locator('b').allTextContents();
  const sort = (name: string) => page.getByRole('button', { name: `Sort: ${name}`, exact: true });
  const asked = '~/incidents/near_misses?filters[query]=scaffold&sort=-created_at&per_page=5';
  const newest = ((await client.get(asked)).json as { description: string }[]).map(
    ({ description }) => /^<p>([^<]*)</u.exec(description)?.[1],
  );
  await expect(sort('Newest')).toBeVisible();
  const found = async () => {
    const all = await titles();
    return all.length > 5 && all.every((title) => title.includes('caffold'));
  };
  await page.getByRole('searchbox').first().fill('scaffold');
  await expect(sort('Best match')).toBeVisible();
  // Before the search has answered, the whole list stands there, of which few say it.
  await expect.poll(found).toBe(true);
  const best = await titles();
  expect(best.slice(0, 5)).not.toEqual(newest);

  await sort('Best match').click();
  await page.getByRole('menuitem', { name: 'Reported' }).click();
  await expect(sort('Newest')).toBeVisible();
  await expect.poll(async () => (await titles()).slice(0, 5)).toEqual(newest);
  await page.reload();
  await expect(sort('Newest')).toBeVisible();
  await expect.poll(async () => (await titles()).slice(0, 5)).toEqual(newest);
  await sort('Newest').click();
  await page.getByRole('menuitem', { name: 'Best match' }).click();
  await expect(sort('Best match')).toBeVisible();
  await expect.poll(titles).toEqual(best);

  await page.getByRole('searchbox').first().fill('');
  await sort('Newest').click();
  await expect(page.getByRole('menuitem', { name: 'Best match' })).toHaveCount(0);
});

test('filters offer what is in use, are taken away one by one, survive screens, restarts and the loss of the network', async ({
  app,
  server,
}) => {
  const page = await open(app, server);
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Filters' });
  const electricity = dialog.getByRole('checkbox', { name: /^Electricity, \d+$/ });
  const count = Number(/\d+$/.exec((await electricity.getAttribute('aria-label')) ?? '')?.[0]);
  await electricity.check();
  await expect(dialog.getByRole('button', { name: `Show ${count} near misses` })).toBeVisible();
  await look(page, 'list-filters');
  await dialog.getByRole('button', { name: `Show ${count} near misses` }).click();
  await expect(rows(page).first()).toHaveAttribute('aria-setsize', String(count));
  await server.stop();
  await page.reload();
  const chosen = page.getByRole('group', { name: 'Filters in use' });
  await expect(chosen.getByRole('button', { name: /Harm source: Electricity/ })).toBeVisible();
  await expect(rows(page).first()).toHaveAttribute('aria-setsize', String(count));

  await page.getByRole('button', { name: 'Filters, 1 in use' }).click();
  const incident = dialog.getByRole('group', { name: 'Job or area' }).getByRole('radio').nth(1);
  await incident.check();
  await dialog.getByText('Today', { exact: true }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Filters, 3 in use' })).toBeVisible();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  // A stretch of time stands in its own chip, once.
  await expect(chosen.getByText(/Today/)).toBeHidden();
  await page.getByRole('button', { name: 'Reported: Today' }).click();
  await page.getByRole('menuitem', { name: 'Any time' }).click();
  await expect(page.getByRole('button', { name: 'Filters, 2 in use' })).toBeVisible();
  await look(page, 'list-chosen');
  await chosen.getByRole('button', { name: 'Clear all' }).click();
  await expect(chosen).toBeHidden();
  await all(page, 250);
});

test('narrowed by how bad, where, who and photos, offline; what is searched for is marked and says where it stands', async ({
  app,
  server,
  folder,
}) => {
  const page = await open(app, server);
  await server.stop();
  const photos = [await photoFile(folder, 1, 60_000)];
  await report(page, { text: 'Bolt fell from the grating', photos });
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const group = (name: string) => dialog.getByRole('group', { name, exact: true });
  const shown = async (): Promise<number> =>
    Number(
      /\d+/.exec((await dialog.getByRole('button', { name: /^Show / }).textContent()) ?? '')?.[0],
    );
  // Mine: what this laptop has not sent yet too.
  await group('Reported by').getByRole('checkbox', { name: /^Me, / }).check();
  await group('Photos').getByText('With photos').click();
  await expect.poll(shown).toBeLessThan(251);
  await look(page, 'list-filters-own');
  await page.keyboard.press('Escape');
  await expect(rows(page).first()).toContainText('Bolt fell from the grating');
  const chosen = page.getByRole('group', { name: 'Filters in use' });
  await expect(chosen.getByRole('button', { name: /Reported by: Me/ })).toBeVisible();
  await page.reload();
  await expect(rows(page).first()).toContainText('Bolt fell from the grating');
  await chosen.getByRole('button', { name: /With photos/ }).click();
  await chosen.getByRole('button', { name: /Reported by: Me/ }).click();

  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  const serious = group('Potential severity').getByRole('checkbox').last();
  const n = Number(/\d+$/.exec((await serious.getAttribute('aria-label')) ?? '')?.[0]);
  await serious.check();
  await expect.poll(shown).toBe(n);
  const place = group('Where').getByRole('checkbox').first();
  await place.check();
  await expect.poll(shown).toBeLessThanOrEqual(n);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Filters, 2 in use' })).toBeVisible();
  await chosen.getByRole('button', { name: 'Clear all' }).click();

  // In the description first, then where another field has it: the row says which.
  await page.getByRole('searchbox').first().fill('lifting');
  await expect(rows(page).first().locator('mark').first()).toHaveText(/lifting/i);
  await expect(
    page.getByText(/in (?:Work activity|Job or area|Harm source):/).first(),
  ).toBeVisible();
  await look(page, 'list-search');
});

test('by keyboard: rows to the last and back, some ticked, sent to the bin offline, taken back, restored there by filter', async ({
  app,
  server,
}) => {
  const page = await open(app, server);
  const stop = (n: number) => page.locator(`.scroller [aria-posinset="${n}"] [data-stop]`);
  const newest = page.locator('.scroller [aria-posinset="1"] b');
  const title = (await newest.textContent()) ?? '';
  await server.stop();
  await stop(1).focus();
  await page.keyboard.press('End');
  await expect(stop(250)).toBeFocused();
  await page.keyboard.press('PageUp');
  await page.keyboard.press('Home');
  await expect(stop(1)).toBeFocused();
  await page.keyboard.press(' ');
  await expect(stop(1)).toBeChecked();
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByText('3 selected')).toBeVisible();
  await look(page, 'list-bulk');
  await page.getByRole('button', { name: 'Send to recycle bin', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Send 3 near misses to the recycle bin?' });
  await dialog.getByRole('button', { name: 'Send to recycle bin' }).click();
  await expect(page.getByText('3 near misses sent to the recycle bin.')).toBeVisible();
  await all(page, 247);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('3 near misses restored.')).toBeVisible();
  await all(page, 250);
  // The focus stays with its record: it is set once the restored rows are back at the top.
  await expect(newest).toHaveText(title);

  await stop(1).focus();
  await page.keyboard.press('Control+a');
  await expect(page.getByText('250 selected')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('250 selected')).toBeHidden();
  await expect(stop(1)).toBeFocused();
  await page.keyboard.press(' ');
  await page.keyboard.press('Shift+ArrowDown');
  // The rows between are read in the list's worker.
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Send to recycle bin', exact: true }).click();
  await page
    .getByRole('dialog', { name: 'Send 2 near misses to the recycle bin?' })
    .getByRole('button', { name: 'Send to recycle bin' })
    .click();
  await all(page, 248);
  await page.getByRole('link', { name: 'Recycle bin', exact: true }).click();
  // The demo has six in it.
  await expect(rows(page)).toHaveCount(8);
  await look(page, 'recycle-bin');
  const binned = (await rows(page).first().locator('b').textContent()) ?? '';
  const search = page.getByRole('searchbox', { name: 'Search the recycle bin' });
  await search.fill('nothing has this');
  await expect(page.getByText('No matches')).toBeVisible();
  await search.fill(binned.slice(0, 20));
  await expect(rows(page).first()).toContainText(binned.slice(0, 20));
  await search.fill('');
  await expect(rows(page)).toHaveCount(8);
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.getByRole('button', { name: 'Select all 8' }).click();
  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect(page.getByText('The recycle bin is empty')).toBeVisible();
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  await all(page, 256);
});

test('ticks and place stay with their records while rows come and go; after a delete the next row has the focus', async ({
  app,
  server,
}) => {
  const page = await open(app, server);
  const stop = (n: number) => page.locator(`.scroller [aria-posinset="${n}"] [data-stop]`);
  const here = page.locator('.scroller li:focus-within');
  const titleOf = async (n: number) =>
    (await page.locator(`.scroller [aria-posinset="${n}"] b`).textContent()) ?? '';
  await server.stop();
  // Beside an open record the arrows go on from where they are, also while rows are read.
  await stop(1).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Send to recycle bin' })).toBeVisible();
  await stop(1).focus();
  for (let n = 0; n < 70; n += 1) await page.keyboard.press('ArrowDown');
  await expect(stop(71)).toBeFocused();
  for (const key of ['End', 'PageUp', 'Home', 'ArrowDown', 'End', 'ArrowUp', 'ArrowUp'])
    await page.keyboard.press(key);
  await expect(stop(248)).toBeFocused();
  await page.keyboard.press('Home');
  await expect(stop(1)).toBeFocused();

  // Three sent to the bin come back above the row that was ticked.
  const fourth = await titleOf(4);
  await page.keyboard.press(' ');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByText('3 selected')).toBeVisible();
  const bulk = page.getByRole('group', { name: 'Select', exact: true });
  await bulk.getByRole('button', { name: 'Send to recycle bin', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Send 3 near misses to the recycle bin?' });
  await dialog.getByRole('button', { name: 'Send to recycle bin' }).click();
  await all(page, 247);
  await expect(here).toHaveCount(1);
  // The count is there before the rows: the first may still be one that is going.
  await expect(page.locator('.scroller [aria-posinset="1"] b')).toHaveText(fourth);
  await stop(1).focus();
  await page.keyboard.press(' ');
  await expect(page.getByText('1 selected')).toBeVisible();
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.evaluate((button: HTMLButtonElement) => button.click());
  await all(page, 250);
  await expect(here).toHaveAttribute('aria-posinset', '4');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(here).toHaveAttribute('aria-posinset', '5');

  // Deleted where it is open: the next row; the last of the bin: its heading.
  const next = await titleOf(6);
  await page.keyboard.press('Enter');
  // Another one was open before.
  await expect(page.locator('.scroller [aria-posinset="5"] .row.on')).toHaveCount(1);
  await page.getByRole('button', { name: 'Send to recycle bin' }).focus();
  await page.keyboard.press('Enter');
  await all(page, 249);
  await expect(here.locator('b')).toHaveText(next);
  await page.getByRole('link', { name: 'Recycle bin', exact: true }).click();
  const restores = page.locator('.scroller').getByRole('button', { name: /^Restore/ });
  await expect(restores).toHaveCount(7);
  const second = (await restores.nth(1).getAttribute('aria-label')) ?? '';
  await restores.first().focus();
  await page.keyboard.press('Space');
  await expect(restores).toHaveCount(6);
  await expect(page.locator(':focus')).toHaveAttribute('aria-label', second);
  for (let left = 5; left >= 0; left -= 1) {
    const focused = (await page.locator(':focus').getAttribute('aria-label')) ?? '';
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: focused, exact: true })).toHaveCount(0);
    await expect(page.locator(':focus')).toHaveCount(1);
  }
  await expect(page.getByRole('heading', { name: 'Recycle bin', level: 1 })).toBeFocused();
});

test('what others did since is marked until opened or all is seen, across a restart; what was done here is not', async ({
  app,
  server,
  client,
}) => {
  const page = await open(app, server);
  await report(page, { text: 'Reported on this laptop', photos: [] });
  await expect(page.getByText('report accepted by the server')).toBeVisible();
  const catalog = (await client.get('~/catalog')).json as { incidents: { id: number }[] };
  const incident_id = catalog.incidents[0]?.id;
  for (const n of [1, 2])
    await client.post('~/incidents/near_misses', {
      near_miss: { incident_id, description: `<p>From the other office ${n}</p>` },
    });
  const theirs = (await client.get('~/incidents/near_misses?per_page=1&sort=created_at')).json as {
    id: number;
  }[];
  await client.patch(`~/incidents/near_misses/${theirs[0]?.id}`, {
    near_miss: { description: '<p>Changed by the other office</p>' },
  });
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByRole('button', { name: 'New 3' })).toBeVisible();
  await expect(rows(page).first()).toContainText('From the other office 2');
  await expect(rows(page).first()).toBeInViewport();
  await look(page, 'list-news');
  await page.reload();
  await page.getByRole('button', { name: 'New 3' }).click();
  await expect(rows(page)).toHaveCount(3);
  await expect(rows(page).last()).toContainText('Changed');
  await page.getByRole('link', { name: /From the other office 2/ }).click();
  await expect(page.getByText('2 new or changed since you last looked')).toBeVisible();
  await page.getByRole('button', { name: 'Mark all as seen' }).click();
  await expect(page.getByText('since you last looked')).toBeHidden();
  await all(page, 253);
});

test('measures B8: after a start the list’s first page is there at once, while the database has other things to do', async ({
  app,
  server,
}) => {
  const page = await open(app, server);
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await server.stop();
  await page.reload();
  await page.waitForFunction(() => performance.getEntriesByName('list read ahead').length > 0);
  // A long change to the near misses: whoever reads them waits until it is over.
  await page.evaluate(async () => {
    const opened = indexedDB.open('spotter');
    await new Promise((resolve) => (opened.onsuccess = resolve));
    const store = opened.result.transaction('near_misses', 'readwrite').objectStore('near_misses');
    const global = globalThis as unknown as { over?: true; read?: true };
    const goOn = (): void => {
      if (!global.over) store.count('nobody').onsuccess = goOn;
    };
    goOn();
    const reader = opened.result.transaction('near_misses').objectStore('near_misses');
    reader.count().onsuccess = () => {
      global.read = true;
      opened.result.close();
    };
  });
  const read = () => page.evaluate(() => 'read' in globalThis);
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  await expect(rows(page).first().locator('b')).not.toBeEmpty();
  expect(await read()).toBe(false);
  await page.evaluate(() => Object.assign(globalThis, { over: true }));
  await expect.poll(read).toBe(true);
  await all(page, 250);
});
