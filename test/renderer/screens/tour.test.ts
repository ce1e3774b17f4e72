/** The three cards of the first start: unobtrusive, usable by keyboard, shown once per laptop, and again from the settings. */
import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { openApp } from '../../support/renderer-app.ts';
import { ScriptedHost, sessionOf } from '../../support/renderer-host.ts';
import { look } from '../../support/renderer-looks.ts';
import { reported, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const tour = page.getByRole('region', { name: 'How Spotter works' });
const card = (title: string) => expect.element(tour.getByRole('heading')).toHaveTextContent(title);
const button = (name: string) => tour.getByRole('button', { name });
const press = async (name: string, key: string): Promise<void> => {
  (button(name).element() as HTMLElement).focus();
  await userEvent.keyboard(key);
};
const atList = () =>
  expect
    .element(page.getByRole('heading', { level: 1, name: 'Near misses', exact: true }))
    .toBeInTheDocument();
const again = async (): Promise<void> => {
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('link', { name: 'Show the introduction' }).click();
};

slow('first start: three cards by keyboard, skipped for good', async () => {
  const host = new ScriptedHost();
  host.session = sessionOf({
    state: 'none',
    kind: null,
    account: null,
    company: null,
    project: null,
    user: null,
  });
  await openApp({ host, settings: { tour_seen: false } });
  await card('Say what happened');
  await look('tour-first');
  await press('Next', '{ArrowRight}');
  await card('Saved here first');
  await userEvent.keyboard('{Enter}');
  await card('Delivered exactly once');
  await userEvent.keyboard('{ArrowLeft}');
  await card('Saved here first');
  await button('Skip').click();
  await expect.element(tour).not.toBeInTheDocument();

  await openApp({ host });
  await expect.element(page.getByRole('button', { name: 'Try it with sample data' })).toBeVisible();
  await expect.element(tour).not.toBeInTheDocument();
});

slow(
  'the three cards are offered again in the settings, and Escape leads to the list',
  async () => {
    await openApp({ host: siteHost([reported('Hoist hook bent')]) });
    await again();
    await expect.element(tour).toBeVisible();
    await look('tour');
    await press('Skip', '{Escape}');
    await atList();
  },
);

slow('with no connection the three cards are there all the same', async () => {
  const host = siteHost([reported('Hoist hook bent')]);
  await openApp({ host });
  await expect.element(page.getByRole('link', { name: /Hoist hook bent/ })).toBeVisible();
  host.up = false;
  await openApp({ host });
  await expect.element(page.getByRole('link', { name: /^Offline/ })).toBeVisible();
  await again();
  await card('Say what happened');
  await press('Next', '{Enter}');
  await press('Next', '{Enter}');
  await card('Delivered exactly once');
  await press('Got it', '{Enter}');
  await atList();
});
