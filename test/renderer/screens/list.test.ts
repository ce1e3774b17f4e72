/**
 * The list of near misses and the recycle bin as a supervisor uses them, online and offline: filters, every order, the keyboard,
 * bulk actions, new arrivals. test/renderer/data/alike.test.ts checks that list and server give the same answers.
 */
import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Problem } from '../../../src/contract/problem.ts';
import { found } from '../../support/found.ts';
import { openApp } from '../../support/renderer-app.ts';
import { to, type ScriptedHost } from '../../support/renderer-host.ts';
import { jpegWith } from '../../support/renderer-jpeg.ts';
import { look } from '../../support/renderer-looks.ts';
import {
  asServer,
  fileReport,
  manyReports,
  pressMore,
  reported,
  rows,
  siteHost,
} from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const COUNT = 40;
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const all = (n: number) => expect.element(button(`All ${n}`)).toBeVisible();
const go = (name: string) => page.getByRole('link', { name, exact: true }).click();
const press = (keys: string) => userEvent.keyboard(keys);
const titles = () => rows().map((row) => row.querySelector('b')?.textContent.trim() ?? '');
const search = () => page.getByRole('searchbox').first();
const broken: Problem = {
  kind: 'server_error',
  status: 500,
  messages: [],
  retry_after_ms: null,
};
const fail = (host: ScriptedHost, endpoint: string) =>
  host.faults.push({ at: 'before', on: to(endpoint), problem: broken, times: Infinity });

const open = async (host = asServer(siteHost(manyReports(COUNT)))): Promise<ScriptedHost> => {
  await openApp({ host });
  await all(host.near_misses.size);
  return host;
};
/** The element of row `n` that arrows stop at. */
const stop = (n: number) =>
  document.querySelector<HTMLElement>(`.scroller [aria-posinset="${n}"] [data-stop]`);
const focusRow = async (n: number) => (await found(() => stop(n))).focus();
const isAt = (n: number) => expect.poll(() => document.activeElement === stop(n)).toBe(true);
const focused = () => document.querySelector('.scroller li:focus-within');

const seen = () => {
  const scroller = document.querySelector('.scroller');
  const { top, bottom } = scroller?.getBoundingClientRect() ?? new DOMRect();
  const boxes = [...(scroller?.querySelectorAll('li .row') ?? [])].map((row) =>
    row.getBoundingClientRect(),
  );
  const cut = [...(scroller?.querySelectorAll('.text') ?? [])].filter(
    (text) => text.getBoundingClientRect().height > (text.closest('li')?.clientHeight ?? 0),
  );
  return {
    whole: boxes.filter((box) => box.top >= top - 1 && box.bottom <= bottom + 1).length >= 10,
    tall: boxes[0]?.height,
    cut: cut.length,
  };
};
/** Chips or row facts that are not fully visible. */
const unread = (parts: string) =>
  [...document.querySelectorAll(parts)]
    .filter((one) => {
      const room = one.closest('small, .filters')?.getBoundingClientRect().right ?? 0;
      return one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > room + 1;
    })
    .map((one) => one.textContent);
const chips = () =>
  [...document.querySelectorAll<HTMLElement>('.filters .chips > button')].filter((chip) =>
    chip.checkVisibility(),
  );
const lines = () => new Set(chips().map((chip) => chip.getBoundingClientRect().top)).size;

/** Tabs from the first chip to the last: each scrolls into view with its ring, and the window does not scroll. */
const chipsByKeyboard = async (): Promise<void> => {
  (await found(() => chips()[0])).focus();
  await press('{Shift>}{Tab}{/Shift}{Tab}');
  await expect.poll(chips).toHaveLength(4);
  for (const chip of chips()) {
    await expect.poll(() => document.activeElement === chip).toBe(true);
    const ring = () => {
      const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(chip);
      const wide = parseFloat(outlineWidth) + parseFloat(outlineOffset);
      const line = chip.parentElement?.getBoundingClientRect() ?? new DOMRect();
      const box = chip.getBoundingClientRect();
      const room = [
        box.left - line.left,
        box.top - line.top,
        line.right - box.right,
        line.bottom - box.bottom,
        line.left + wide,
        innerWidth - line.right + wide,
      ];
      return {
        outlineStyle,
        /** Pixels of the ring that are cut off. */
        cut: Math.max(...room.map((one) => Math.round(wide - one)), 0),
        sideways: document.documentElement.scrollWidth - innerWidth,
      };
    };
    await expect.poll(ring).toEqual({ outlineStyle: 'solid', cut: 0, sideways: 0 });
    await press('{Tab}');
  }
};

slow(
  'ten near misses are seen at 1366 x 768 in either language, with one new and one waiting too, none cut off',
  async () => {
    const host = await open();
    await expect.poll(seen).toEqual({ whole: true, tall: 50, cut: 0 });
    await look('list-low');
    await page.viewport(480, 800);
    await expect.poll(() => seen().tall).toBe(60);
    await page.viewport(1366, 768);

    host.add(reported('Of another office', 0));
    await pressMore('Refresh');
    await expect.element(button('New 1')).toBeVisible();
    fail(host, 'near_misses.create');
    await fileReport('Bolt fell from the grating');
    for (const { language, list, waiting, best } of [
      { language: 'en', list: 'Near misses', waiting: 'Not delivered 1', best: 'Sort: Best match' },
      {
        language: 'es',
        list: 'Casi accidentes',
        waiting: 'Sin entregar 1',
        best: 'Orden: Mejor coincidencia',
      },
      {
        language: 'pl',
        list: 'Zdarzenia potencjalnie wypadkowe',
        waiting: 'Niedostarczone 1',
        best: 'Sortuj: Najlepsze dopasowanie',
      },
    ] as const) {
      if (language !== 'en') await openApp({ host, settings: { language } });
      else await go(list);
      await page.viewport(1366, 768);
      await expect.element(button(waiting)).toBeVisible();
      await expect.poll(seen, { message: list }).toEqual({ whole: true, tall: 50, cut: 0 });
      await expect.poll(lines, { message: list }).toBe(1);
      await expect.poll(() => unread('.filters .chips > button'), { message: list }).toEqual([]);
      // Every rated row shows its severity.
      await expect
        .poll(() => document.querySelectorAll('.scroller .severity').length, { message: list })
        .toBeGreaterThan(7);
      await expect.poll(() => unread('.scroller .facts > *'), { message: list }).toEqual([]);
      await page.viewport(1024, 640);
      await expect
        .poll(() => unread('.scroller .facts > *'), { message: `${list}, 1024` })
        .toEqual([]);
      // Of a place too long for a narrow row, the end is cut off.
      await page.viewport(480, 800);
      await expect
        .poll(() => unread('.scroller .facts > :not(.spot)'), { message: `${list}, 480` })
        .toEqual([]);
      for (const [width, height] of [
        [480, 800],
        [683, 384],
      ] as const) {
        await page.viewport(width, height);
        await expect.poll(lines, { message: `${list}, ${width}` }).toBe(1);
        await chipsByKeyboard();
      }
      await page.viewport(1366, 768);
      await search().fill('board');
      await expect.element(button(best)).toBeVisible();
      await search().fill('');
    }
  },
);

slow(
  'a failed update takes one line: nine rows stay, and pressing it says what is safe and tries again',
  async () => {
    const host = await open();
    const whole = () => {
      const bottom = document.querySelector('.scroller')?.getBoundingClientRect().bottom ?? 0;
      return rows().filter((row) => row.getBoundingClientRect().bottom <= bottom + 1).length;
    };
    for (const said of [
      {
        language: 'en',
        more: 'List options',
        refresh: 'Refresh',
        failed: 'Could not update. The server has a problem.',
        safe: /Everything is safe on this laptop\. Updated .*\d\./,
        again: 'Try again',
        updated: /^Updated/,
      },
      {
        language: 'es',
        more: 'Opciones de la lista',
        refresh: 'Actualizar',
        failed: 'No se pudo actualizar. El servidor tiene un problema.',
        safe: /Todo está a salvo en esta laptop\. Actualizado .*\d\./,
        again: 'Reintentar',
        updated: /^Actualizado/,
      },
      {
        language: 'pl',
        more: 'Opcje listy',
        refresh: 'Odśwież',
        failed: 'Nie udało się zaktualizować. Serwer ma problem.',
        safe: /Wszystko jest bezpieczne na tym laptopie\. Zaktualizowano: .*\d\./,
        again: 'Spróbuj ponownie',
        updated: /^Zaktualizowano/,
      },
    ] as const) {
      await openApp({ host, settings: { language: said.language } });
      await expect.element(page.getByText(said.updated)).toBeVisible();
      fail(host, 'near_misses.list');
      await pressMore(said.refresh, said.more);
      const failed = button(said.failed);
      await expect.element(failed).toBeVisible();
      await expect.poll(whole).toBeGreaterThanOrEqual(9);
      if (said.language === 'en') await look('list-not-updated');
      // At 200 % on half a screen the tools are below it and cover no row.
      await page.viewport(512, 320);
      const box = (parts: string) => document.querySelector(parts)?.getBoundingClientRect();
      await expect
        .poll(() => (box('.filters .tools')?.bottom ?? 0) <= (box('.scroller')?.top ?? -1))
        .toBe(true);
      await page.viewport(1366, 768);
      await failed.click();
      const menu = page.getByRole('menu');
      await expect.element(menu.getByText(said.failed, { exact: false })).toBeVisible();
      await expect.element(menu.getByText(said.safe)).toBeVisible();
      host.faults = [];
      await page.getByRole('menuitem', { name: said.again }).click();
      await expect.element(page.getByText(said.updated)).toBeVisible();
      await expect.element(failed).not.toBeInTheDocument();
    }
  },
);

slow(
  'while something is searched the order is the best match and says so; the newest first can be chosen',
  async () => {
    const ofScaffold = { id: 51, name: 'Scaffold erection' };
    const host = await open(
      asServer(
        siteHost([
          reported('Board on the scaffold', 30),
          reported('Scaffold tie missing', 20),
          reported('Hook swung', 4),
          reported('Gate left open', 1, { work_activity: ofScaffold }),
        ]),
      ),
    );
    const newest = ['Gate left open', 'Scaffold tie missing', 'Board on the scaffold'];
    const sort = (name: string) => button(`Sort: ${name}`);
    await expect.element(sort('Newest')).toBeVisible();
    await search().fill('scaffold');
    await expect.element(sort('Best match')).toBeVisible();
    // What happened counts more than another field. The rows of before stay until the search answers.
    await expect.poll(() => [titles().length, titles().at(-1)]).toEqual([3, 'Gate left open']);
    const best = titles();

    await sort('Best match').click();
    await page.getByRole('menuitem', { name: 'Reported' }).click();
    await expect.element(sort('Newest')).toBeVisible();
    await expect.poll(titles).toEqual(newest);
    await openApp({ host });
    await expect.element(sort('Newest')).toBeVisible();
    await expect.poll(titles).toEqual(newest);
    await sort('Newest').click();
    await page.getByRole('menuitem', { name: 'Best match' }).click();
    await expect.element(sort('Best match')).toBeVisible();
    await expect.poll(titles).toEqual(best);

    await search().fill('');
    await sort('Newest').click();
    await expect.element(page.getByRole('menuitem', { name: 'Harm source' })).toBeVisible();
    await expect
      .element(page.getByRole('menuitem', { name: 'Best match' }))
      .not.toBeInTheDocument();
  },
);

slow(
  'narrowed by how bad, where, who and photos, offline; what is searched for is marked and says where it stands',
  async () => {
    const host = await open();
    host.up = false;
    await fileReport('Bolt fell from the grating', [
      new File([await jpegWith(600, 400)], 'IMG_1001.jpg'),
    ]);
    await go('Near misses');
    await button('Filters').click();
    const dialog = page.getByRole('dialog');
    const group = (name: string) => dialog.getByRole('group', { name, exact: true });
    const shown = () =>
      Number(/\d+/.exec(dialog.getByRole('button', { name: /^Show / }).element().textContent)?.[0]);
    // "Me" includes reports that this laptop has not sent yet.
    await group('Reported by').getByRole('checkbox', { name: /^Me, / }).click();
    await group('Photos').getByText('With photos').click();
    await expect.poll(shown).toBe(1);
    await look('list-filters-own');
    await press('{Escape}');
    await expect.poll(titles).toEqual(['Bolt fell from the grating']);
    const chosen = page.getByRole('group', { name: 'Filters in use' });
    await expect.element(chosen.getByRole('button', { name: /Reported by: Me/ })).toBeVisible();
    await openApp({ host });
    await expect.poll(titles).toEqual(['Bolt fell from the grating']);
    await chosen.getByRole('button', { name: /With photos/ }).click();
    await chosen.getByRole('button', { name: /Reported by: Me/ }).click();

    await button('Filters').click();
    const serious = group('Potential severity').getByRole('checkbox').last();
    await expect.element(serious).toBeVisible();
    const n = COUNT / 4;
    await expect.element(serious).toHaveAttribute('aria-label', expect.stringMatching(`${n}$`));
    await serious.click();
    await expect.poll(shown).toBe(n);
    await group('Where').getByRole('checkbox').first().click();
    await expect.poll(shown).toBeLessThan(n);
    await press('{Escape}');
    await expect.element(button('Filters, 2 in use')).toBeVisible();
    await chosen.getByRole('button', { name: 'Clear all' }).click();

    // Description matches come first, then matches in other fields; the row names the field.
    await search().fill('crane');
    await expect
      .poll(() => document.querySelector('.scroller mark')?.textContent)
      .toMatch(/crane/i);
    await expect
      .element(page.getByText(/in (?:Work activity|Job or area|Harm source):/).first())
      .toBeVisible();
    await look('list-search');
  },
);

slow(
  'by keyboard: rows to the last and back, some ticked, moved to the bin offline, undone, restored there by filter',
  async () => {
    const binned = Array.from({ length: 3 }, (_one, n) =>
      reported(`Thrown away ${n}`, 30, { deleted_at: new Date().toISOString() }),
    );
    const host = asServer(siteHost([...manyReports(COUNT), ...binned]));
    await openApp({ host });
    await all(COUNT);
    host.up = false;
    await focusRow(1);
    const [title] = titles();
    await press('{End}');
    await isAt(COUNT);
    await press('{PageUp}{Home}');
    await isAt(1);
    await press(' ');
    await expect.poll(() => (stop(1) as HTMLInputElement | null)?.checked).toBe(true);
    await press('{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
    await expect.element(page.getByText('3 selected')).toBeVisible();
    await look('list-bulk');
    await button('Delete').click();
    const dialog = (n: number) =>
      page
        .getByRole('dialog', { name: `Move ${n} near misses to the recycle bin?` })
        .getByRole('button', { name: 'Delete' });
    await dialog(3).click();
    await expect.element(page.getByText(/3 near misses moved to the recycle bin\./)).toBeVisible();
    await all(COUNT - 3);
    await button('Undo').click();
    await expect.element(page.getByText(/3 near misses restored\./)).toBeVisible();
    await all(COUNT);
    // The focus follows its record. It is set once the restored rows are back at the top.
    await expect.poll(() => titles()[0]).toBe(title);

    await focusRow(1);
    await press('{Control>}a{/Control}');
    await expect.element(page.getByText(`${COUNT} selected`)).toBeVisible();
    await press('{Escape}');
    await expect.element(page.getByText(`${COUNT} selected`)).not.toBeInTheDocument();
    await isAt(1);
    await press(' ');
    await press('{Shift>}{ArrowDown}{/Shift}');
    // The list's worker reads the rows between.
    await expect.element(page.getByText('2 selected')).toBeVisible();
    await button('Delete').click();
    await dialog(2).click();
    await all(COUNT - 2);
    await pressMore('Recycle bin');
    await expect.poll(() => rows().length).toBe(5);
    await look('recycle-bin');
    const [first = ''] = titles();
    const box = page.getByRole('searchbox', { name: 'Search the recycle bin' });
    await box.fill('nothing has this');
    await expect.element(page.getByText('No matches')).toBeVisible();
    await box.fill(first.slice(0, 20));
    await expect.poll(() => titles()[0]).toContain(first.slice(0, 20));
    await box.fill('');
    await expect.poll(() => rows().length).toBe(5);
    await button('Select').click();
    await button('Select all 5').click();
    await button('Restore').click();
    await expect.element(page.getByText('The recycle bin is empty')).toBeVisible();
    await go('Near misses');
    await all(COUNT + 3);
  },
);

slow(
  'ticks and place stay with their records while rows come and go; after a delete the next row has the focus',
  async () => {
    const binned = Array.from({ length: 3 }, (_one, n) =>
      reported(`Thrown away ${n}`, 30, { deleted_at: new Date().toISOString() }),
    );
    const host = asServer(siteHost([...manyReports(COUNT), ...binned]));
    await openApp({ host });
    await all(COUNT);
    host.up = false;
    const titleOf = (n: number) =>
      document.querySelector(`.scroller [aria-posinset="${n}"] b`)?.textContent.trim();
    // With a record open, the arrows continue from the current row, even while rows are being read.
    await focusRow(1);
    await press('{Enter}');
    await expect.element(button('More actions')).toBeVisible();
    await focusRow(1);
    await press('{ArrowDown}'.repeat(30));
    await isAt(31);
    await press('{End}{PageUp}{Home}{ArrowDown}{End}{ArrowUp}{ArrowUp}');
    await isAt(COUNT - 2);
    await press('{Home}');
    await isAt(1);

    // Three restored rows return above the ticked row.
    const fourth = titleOf(4);
    await press(' ');
    await press('{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
    await expect.element(page.getByText('3 selected')).toBeVisible();
    const bulk = page.getByRole('group', { name: 'Select', exact: true });
    await bulk.getByRole('button', { name: 'Delete', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Move 3 near misses to the recycle bin?' });
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await all(COUNT - 3);
    await expect.poll(focused).not.toBeNull();
    // The count updates before the rows, so the first row may still be one that is leaving.
    await expect.poll(() => titleOf(1)).toBe(fourth);
    await focusRow(1);
    await press(' ');
    await expect.element(page.getByText('1 selected')).toBeVisible();
    // Not by the mouse, which would move the focus.
    (button('Undo').element() as HTMLElement).click();
    await all(COUNT);
    const at = () => focused()?.getAttribute('aria-posinset');
    await expect.poll(at).toBe('4');
    await press('{Shift>}{ArrowDown}{/Shift}');
    await expect.element(page.getByText('2 selected')).toBeVisible();
    await press('{Escape}');
    await expect.poll(at).toBe('5');

    // Deleting an open record focuses the next row; deleting the last one in the bin focuses the heading.
    const next = titleOf(6);
    await press('{Enter}');
    // Another record was open before.
    await expect
      .poll(() => document.querySelector('.scroller [aria-posinset="5"] .row.on'))
      .not.toBeNull();
    await expect.element(button('More actions')).toBeVisible();
    await pressMore('Delete', 'More actions');
    await all(COUNT - 1);
    await expect.poll(() => focused()?.querySelector('b')?.textContent.trim()).toBe(next);
    await pressMore('Recycle bin');
    const restores = () =>
      [...document.querySelectorAll<HTMLElement>('.scroller button')].filter((one) =>
        one.getAttribute('aria-label')?.startsWith('Restore'),
      );
    await expect.poll(() => restores().length).toBe(4);
    const label = () => document.activeElement?.getAttribute('aria-label') ?? '';
    const second = restores()[1]?.getAttribute('aria-label') ?? '';
    (await found(() => restores()[0])).focus();
    await press(' ');
    await expect.poll(() => restores().length).toBe(3);
    await expect.poll(label).toBe(second);
    for (let left = 2; left >= 0; left -= 1) {
      const gone = label();
      await press('{Enter}');
      await expect.element(button(gone)).not.toBeInTheDocument();
      await expect.poll(() => document.activeElement !== document.body).toBe(true);
    }
    await expect
      .element(page.getByRole('heading', { name: 'Recycle bin', level: 1 }))
      .toHaveFocus();
  },
);

slow(
  'what others did since is marked until opened or all is seen, across a restart; what was done here is not',
  async () => {
    const host = await open();
    await fileReport('Reported on this laptop');
    await expect.element(page.getByText(/report accepted by the server/)).toBeVisible();
    const [theirs] = host.near_misses.keys();
    const later = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
    host.add(reported('From the other office 1', 0, { created_at: later(1) }));
    host.add(reported('From the other office 2', 0, { created_at: later(2) }));
    host.theirs(theirs ?? 0, {
      description: '<p>Changed by the other office</p>',
      updated_at: later(2),
    });
    await go('Near misses');
    await pressMore('Refresh');
    await expect.element(button('New 3')).toBeVisible();
    await expect.poll(() => titles()[0]).toBe('From the other office 2');
    await expect.element(page.elementLocator(rows()[0] as Element)).toBeInViewport();
    await look('list-news');
    await openApp({ host });
    await button('New 3').click();
    await expect
      .poll(() => [titles().length, titles().at(-1)])
      .toEqual([3, 'Changed by the other office']);
    await page
      .getByRole('list', { name: 'Near misses' })
      .getByRole('link', { name: /From the other office 2/ })
      .click();
    const since = page.getByText('2 new or changed since you last looked');
    await expect.element(since).toBeVisible();
    await button('Mark all as seen').click();
    await expect.element(page.getByText(/since you last looked/)).not.toBeInTheDocument();
    await all(COUNT + 3);
  },
);
