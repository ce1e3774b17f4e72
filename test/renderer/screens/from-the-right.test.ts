/** Hebrew and Arabic texts in a left-to-right window: each in its own direction, without disturbing its neighbours. */
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { openApp } from '../../support/renderer-app.ts';
import { reported, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const TITLE = 'פיגום התמוטט בקומה 3 (ליד המעלית)!';
const PLACE = 'שער 2, בניין 7';

const directionOf = (one: Element | undefined): string =>
  one === undefined ? '' : getComputedStyle(one).direction;

/** The screen position of a part of a line. */
const ends = (line: Element, part: string): DOMRect => {
  const nodes = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
    const at = node.textContent?.indexOf(part) ?? -1;
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + part.length);
    return range.getBoundingClientRect();
  }
  throw new Error(`${part} is not in the line`);
};

slow(
  'Hebrew is typed and shown from the right, and the date beside a Hebrew place stays whole',
  async () => {
    await openApp({ host: siteHost([reported('Hoist hook bent')]) });
    await page.getByRole('link', { name: 'New near miss' }).click();
    const what = page.getByLabelText('What happened?');
    const where = page.getByLabelText(/^Where/);
    await expect.element(what).toBeVisible();
    expect(directionOf(what.element())).toBe('ltr');
    await what.fill(TITLE);
    expect(directionOf(what.element())).toBe('rtl');
    await where.fill(PLACE);
    expect(directionOf(where.element())).toBe('rtl');
    await page.getByText('Could have killed').click();
    await page.getByRole('button', { name: 'Site traffic and deliveries' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const head = page.getByRole('heading', { level: 1, name: TITLE });
    await expect.element(head).toBeVisible();
    expect(directionOf(head.element())).toBe('rtl');
    const rows = () => [...document.querySelectorAll('.scroller b')];
    await expect.poll(() => rows()[0]?.textContent.trim()).toBe(TITLE);
    await expect.poll(() => rows().map(directionOf)).toEqual(['rtl', 'ltr']);

    await page.getByRole('link', { name: 'Insights' }).click();
    await page.getByRole('link', { name: 'The week on a page' }).click();
    const line = () =>
      [...document.querySelectorAll('li')]
        .find((one) => one.textContent.includes(TITLE))
        ?.querySelector('small');
    await expect.poll(() => line()?.textContent).toContain(PLACE);
    const found = line() as Element;
    const day = /\d+ \p{L}+ \d{4}/u.exec(found.textContent)?.[0] ?? '';
    expect(ends(found, day).left).toBeGreaterThanOrEqual(ends(found, PLACE).right);
  },
);
