/**
 * The main tasks in insurances, members, webhooks and settings by keyboard alone. Every step is a key, every stop shows its
 * focus, the focus returns after a dialog, and nothing traps it.
 */
import type { Page } from 'playwright/test';
import { expect as plainExpect, test } from './fixtures.ts';
import { drained } from './steps.ts';

/** One walk visits many screens, so a slow machine must not fail it. */
const expect = plainExpect.configure({ timeout: 60_000 });
const soft = expect.configure({ soft: true });
test.use({ apart: false, serverArgs: ['--allow-private-webhooks'] });

interface Stop {
  /** Its accessible name: label or text. */
  readonly name: string;
  readonly role: string;
  /** True if a focus ring is drawn. */
  readonly shown: boolean;
}

const stopHere = (page: Page): Promise<Stop> =>
  page.evaluate(() => {
    const at = document.activeElement;
    if (!(at instanceof HTMLElement) || at === document.body)
      return { name: '', role: 'body', shown: true };
    const labels = 'labels' in at ? [...((at.labels as NodeListOf<HTMLElement> | null) ?? [])] : [];
    const name =
      at.getAttribute('aria-label') ??
      [...labels, at].map((one) => one.textContent.trim()).find((text) => text !== '') ??
      at.getAttribute('placeholder') ??
      '';
    // A hidden radio shows its focus on its label.
    const drawn = [at, at.closest('label')].some((one) => {
      const style = one ? getComputedStyle(one) : null;
      return style !== null && (style.outlineStyle !== 'none' || style.boxShadow !== 'none');
    });
    const box = at.getBoundingClientRect();
    const inside = box.bottom > 0 && box.top < innerHeight;
    return {
      name: name.replaceAll(/\s+/gu, ' '),
      role: at.getAttribute('role') ?? at.tagName.toLowerCase(),
      shown: (drawn && inside) || at.id === 'content',
    };
  });

/** Presses `key` until the element called `name` has the focus. Every stop on the way must show its focus. */
const walk = async (page: Page, name: string | RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab') => {
  const passed: string[] = [];
  for (let steps = 0; steps < 90; steps += 1) {
    await page.keyboard.press(key);
    const stop = await stopHere(page);
    // It may still be scrolled into view.
    const shown = async () => (await stopHere(page)).shown;
    if (!stop.shown) await soft.poll(shown, `focus is shown: ${stop.name}`).toBe(true);
    passed.push(stop.name);
    const found = typeof name === 'string' ? stop.name.startsWith(name) : name.test(stop.name);
    if (found) return;
  }
  throw new Error(`no way by ${key} to ${String(name)}: ${passed.join(' | ')}`);
};
const press = async (page: Page, ...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};
const focused = async (page: Page, name: string): Promise<void> => {
  await expect.poll(async () => (await stopHere(page)).name).toContain(name);
};
/** Waits until the topmost of `many` dialogs has the focus; before that, a key goes to its opener. */
const inDialog = async (page: Page, many = 1): Promise<void> => {
  const dialogs = page.getByRole('dialog');
  await expect(dialogs).toHaveCount(many);
  await expect
    .poll(() => dialogs.last().evaluate((one) => one.contains(document.activeElement)))
    .toBe(true);
};
/** Goes through the rail and opens its company group on the way. */
const toCompany = async (page: Page, place: string): Promise<void> => {
  await page.getByRole('button', { name: 'Skip to the content' }).focus();
  for (const name of ['Company', 'More of the company']) {
    if ((await page.getByRole('link', { name: place, exact: true }).count()) > 0) break;
    await walk(page, name);
    if ((await page.locator(':focus').getAttribute('aria-expanded')) === 'false')
      await press(page, 'Enter');
  }
  await walk(page, place);
  await press(page, 'Enter');
  // The screen before has such a heading too.
  await expect(page.getByRole('link', { name: place, exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
};

test('by keys alone: insurance added and changed, member added and removed, webhook made and told of, settings changed', async ({
  client,
  world,
}) => {
  test.slow();
  const page = await world.open();
  const vendors = (
    (await client.get('~/catalog')).json as { vendors: { id: number; name: string }[] }
  ).vendors;
  const [vendor] = vendors;
  if (!vendor) throw new Error('no vendor');

  await toCompany(page, 'Insurance');
  await walk(page, 'Find a vendor');
  await page.keyboard.type(vendor.name);
  await press(page, 'Enter');
  await expect(page.getByRole('heading', { name: vendor.name })).toBeVisible();
  await walk(page, 'New policy');
  await press(page, 'Space');
  const dialog = page.getByRole('dialog');
  await inDialog(page);
  await walk(page, 'Insurer');
  await page.keyboard.type('Zurich');
  await walk(page, 'Policy number');
  await page.keyboard.type('GL-1');
  await press(page, 'Enter');
  await expect(dialog).toHaveCount(0);
  await focused(page, 'New policy');
  await walk(page, 'Open Zurich');
  await press(page, 'Enter');
  await inDialog(page);
  await walk(page, 'Limit');
  await page.keyboard.type('5000.00');
  await walk(page, 'Save');
  await press(page, 'Space');
  await expect(dialog).toHaveCount(0);
  await focused(page, 'Open Zurich');
  await drained(page);
  const stored = (await client.get(`~/vendors/${vendor.id}/insurances`)).json as unknown[];
  expect(stored).toMatchObject([{ insurance_provider: 'Zurich', limit: '5000.00' }]);
  // Escape closes a form without a trace and returns the focus.
  await press(page, 'Enter');
  await inDialog(page);
  await press(page, 'Escape');
  await expect(dialog).toHaveCount(0);
  await focused(page, 'Open Zurich');
  // After a delete the heading gets the focus, because no other policy is left.
  await press(page, 'Enter');
  await inDialog(page);
  await walk(page, /^Delete$/u);
  await press(page, 'Enter');
  await inDialog(page, 2);
  await walk(page, /^Delete$/u);
  await press(page, 'Enter');
  await expect(dialog).toHaveCount(0);
  await drained(page);
  await focused(page, vendor.name);

  await toCompany(page, 'Members');
  await walk(page, 'Add members');
  await press(page, 'Enter');
  await inDialog(page);
  await walk(page, 'Find a person');
  await walk(page, /\w+ \w+/u);
  const person = (await stopHere(page)).name;
  await press(page, 'Space');
  await walk(page, 'Add 1 person');
  await press(page, 'Enter');
  await expect(dialog).toHaveCount(0);
  await focused(page, 'Add members');
  await drained(page);
  await expect(page.getByRole('button', { name: `Remove ${person}` })).toBeVisible();
  const removes = await page
    .getByRole('button', { name: /^Remove \w+ / })
    .evaluateAll((buttons) => buttons.map((one) => one.getAttribute('aria-label') ?? ''));
  const at = removes.indexOf(`Remove ${person}`);
  await walk(page, `Remove ${person}`);
  await press(page, 'Space');
  await inDialog(page);
  await walk(page, /^Remove$/u);
  await press(page, 'Enter');
  await expect(page.getByText(person, { exact: true })).toBeHidden();
  await drained(page);
  await focused(page, removes[at + 1] ?? removes[at - 1] ?? 'Members');

  await toCompany(page, 'Webhooks');
  await walk(page, 'Applies to');
  await press(page, 'ArrowDown', 'ArrowUp');
  await walk(page, 'New webhook', 'Shift+Tab');
  await press(page, 'Enter');
  await inDialog(page);
  await walk(page, 'Address');
  await page.keyboard.type('https://hooks.example.com/keys');
  await press(page, 'Enter');
  await expect(page.getByRole('heading', { name: 'hooks.example.com' })).toBeVisible();
  await walk(page, 'Near misses: Created');
  await press(page, 'Space');
  await expect(page.getByLabel('Near misses: Created')).toBeChecked();
  await walk(page, /^Delete$/u, 'Shift+Tab');
  await press(page, 'Enter');
  await inDialog(page);
  await press(page, 'Escape');
  await focused(page, 'Delete');
  await drained(page);
  await press(page, 'Enter');
  await inDialog(page);
  await walk(page, /^Delete$/u);
  await press(page, 'Enter');
  await expect(dialog).toHaveCount(0);
  await focused(page, 'Webhooks');
  await drained(page);

  await walk(page, 'Settings', 'Shift+Tab');
  await press(page, 'Enter');
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
  await walk(page, 'Appearance and language');
  await press(page, 'Enter');
  // The heading gets the focus a moment later; an earlier key would go to the link.
  await expect(page.getByRole('heading', { name: 'Appearance and language' })).toBeFocused();
  await walk(page, /^Same as computer/u);
  await walk(page, /^Same as computer/u);
  await press(page, 'ArrowRight', 'ArrowRight');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await walk(page, 'Copy diagnostics');
  await walk(page, 'Show diagnostics');
  await press(page, 'Enter');
  await expect(page.getByLabel('Diagnostics', { exact: true })).toBeVisible();
  // Tabs through everything back to the start: nothing traps the focus.
  await walk(page, 'Skip to the content');
});
