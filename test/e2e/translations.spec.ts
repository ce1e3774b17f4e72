/**
 * Every screen and dialog in each other language: no English word of the catalogue is visible or announced where that
 * language has another. User texts and server texts stay unchanged.
 */
import type { Page } from 'playwright/test';
import { words as english } from '../../src/renderer/words/en.ts';
import { words as spanish } from '../../src/renderer/words/es.ts';
import { words as polish } from '../../src/renderer/words/pl.ts';
import type { Words } from '../../src/renderer/words/shape.ts';
import { screens } from '../screenshots/screens.ts';
import { expect as plainExpect, test } from './fixtures.ts';

test.use({ apart: false });

/** One walk visits many screens, so a slow machine must not fail it. */
const expect = plainExpect.configure({ timeout: 60_000 });

type Word = string | ((...given: readonly unknown[]) => unknown);

const wordsOf = (value: unknown, path = ''): (readonly [string, Word])[] => {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') return [[path, value as Word]];
  return Object.entries(value as object).flatMap(([name, inner]) =>
    wordsOf(inner, path === '' ? name : `${path}.${name}`),
  );
};

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&');

/** Patterns for a word that takes a number or a name; several if it has plurals. */
const patternsOf = (word: Word): readonly string[] => {
  if (typeof word === 'string') return [escaped(word)];
  return [1, 3].flatMap((n) => {
    const all = [n, 'Xyz'].flatMap((a) => [n, 'Xyz'].map((b) => [a, b, n, n] as const));
    return all.flatMap((given) => {
      try {
        const said = word(...given);
        if (typeof said !== 'string' || /undefined|NaN|Invalid|\[object/u.test(said)) return [];
        const pattern = escaped(said)
          .replaceAll('Xyz', '.+')
          .replaceAll(/\d[\d.,]*/gu, '[\\d.,]+');
        return /[a-z]{2}/iu.test(said.replaceAll('Xyz', '')) ? [pattern] : [];
      } catch {
        return []; // these are not its arguments
      }
    });
  });
};

const catalogue = ({ format: _format, ...rest }: Words): Map<string, Word> =>
  new Map(wordsOf(rest));
/** Counts the fixed letters of a pattern: `.+ to .+` would match any user text. */
const ownLetters = (pattern: string): number =>
  pattern.replaceAll(/\.\+|\[\\d\.,\]\+|\P{L}/gu, '').length;
/** Matches a text that English has and `other` has not. */
const leftOverIn = (other: Words): RegExp => {
  const spoken = new Set([...catalogue(other).values()].flatMap(patternsOf));
  const only = [...new Set([...catalogue(english).values()].flatMap(patternsOf))].filter(
    (pattern) => !spoken.has(pattern) && ownLetters(pattern) > (pattern.includes('.+') ? 4 : 1),
  );
  return new RegExp(`^(?:${only.join('|')})$`, 'u');
};
/** Each language is listed under its own name in every language. */
const names = new Set(['English', 'Always English']);

/** Every visible or announced text, per node and per whole element. */
const said = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const out = new Set<string>();
    const add = (text: string | null | undefined) => {
      const tidy = text?.replaceAll(/\s+/gu, ' ').trim();
      if (tidy) out.add(tidy);
    };
    for (const element of document.body.querySelectorAll('*')) {
      if (!element.checkVisibility() || element.closest('script, style, [data-wrote]')) continue;
      for (const name of ['aria-label', 'placeholder', 'title', 'alt'])
        add(element.getAttribute(name));
      for (const node of element.childNodes)
        if (node.nodeType === Node.TEXT_NODE) add(node.textContent);
      if (
        element.children.length === 0 ||
        element.matches('p, h1, h2, h3, small, label, button, a')
      )
        add(element.textContent);
    }
    add(document.title);
    return [...out];
  });

const walk = async (page: Page, words: Words): Promise<void> => {
  const leftOver = leftOverIn(words);
  const look = async (where: string): Promise<void> => {
    const left = (await said(page)).filter((text) => !names.has(text) && leftOver.test(text));
    expect.soft(left, where).toEqual([]);
  };
  const shut = async (): Promise<void> => {
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  };
  const to = (path: string) => page.evaluate((at) => (location.hash = at), path);
  await expect(page.getByRole('button', { name: words.connect.laptop_go })).toBeVisible();
  await look('first');
  await page.getByRole('button', { name: words.connect.server_go }).click();
  await page.getByRole('button', { name: words.connect.check }).click();
  await look('first, a server, with errors');
  await page.getByRole('button', { name: words.connect.use_token }).click();
  await page.getByRole('button', { name: words.connect.check }).click();
  await look('first, a server by token, with errors');
  await page.getByLabel(words.connect.address).fill('http://8.8.8.8');
  await page.getByLabel(words.connect.company_id).fill('1');
  await page.getByLabel(words.connect.token, { exact: true }).fill('x');
  await page.getByRole('button', { name: words.connect.check }).click();
  await expect(page.getByText(words.problem.input.address_unprotected)).toBeVisible();
  await look('first, an address that is refused by the host');
  await page.getByRole('button', { name: words.connect.back }).click();
  await page.getByRole('button', { name: words.connect.laptop_go }).click();
  await expect(page.getByRole('link', { name: words.pill.online_all })).toBeVisible({
    timeout: 120_000,
  });
  for (const screen of screens) {
    await screen.open(page);
    await look(screen.name);
  }

  await to('/members');
  await page.getByRole('button', { name: words.members.add }).click();
  await look('add members');
  await shut();
  await page.getByRole('searchbox', { name: words.members.find }).fill('zzz');
  await look('no such member');
  await to('/webhooks');
  await page.getByRole('button', { name: words.webhooks.add }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: words.webhooks.save }).click();
  await look('a webhook with errors');
  await dialog.getByLabel(words.webhooks.address).fill('https://hooks.example.com/uno');
  await dialog.getByRole('button', { name: words.webhooks.save }).click();
  await expect(page.getByRole('heading', { name: 'hooks.example.com' })).toBeVisible();
  await page
    .getByLabel(
      words.webhooks.trigger(
        words.webhooks.resources['Near Misses'] ?? '',
        words.webhooks.events.create,
      ),
    )
    .check();
  await expect(page.getByText(words.webhooks.deliveries.empty)).toBeVisible();
  await look('a webhook, with what was said of it');
  await page.getByRole('button', { name: words.webhooks.delete, exact: true }).click();
  await look('delete a webhook');
  await shut();
  await to('/insurances');
  await page.getByRole('link', { name: /Coastal Crane/u }).click();
  await page.getByRole('button', { name: words.insurances.add }).click();
  await dialog.getByText(words.insurances.form.more).click();
  await dialog.getByRole('button', { name: words.insurances.form.save }).click();
  await look('an insurance with errors');
  await shut();
  await page.getByRole('button', { name: words.insurances.more, exact: true }).click();
  await look('the menu of insurances');
  await page.keyboard.press('Escape');
  await to('/settings/about');
  await page.getByRole('button', { name: words.settings.everything.export }).click();
  await expect(page.getByText(words.settings.everything.exported('').trim())).toBeVisible();
  await look('settings, with a message');
  await to('/new');
  await page.getByRole('button', { name: words.capture.save, exact: true }).click();
  await look('the form with errors');
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({
      name: 'plan.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.7 no photo'),
    });
  await expect(page.getByText(words.problem.input.file_pdf)).toBeVisible();
  await look('a file that is refused by the host');
};

for (const [name, reads, words] of [
  ['Spanish', 'es-MX', spanish],
  ['Polish', 'pl-PL', polish],
] as const)
  test(`words: in ${name} no screen, dialog, menu or message says a word of the English catalogue`, async ({
    app,
  }) => {
    test.slow();
    const page = await app.open({ reads });
    page.setDefaultTimeout(60_000);
    await walk(page, words);
  });
