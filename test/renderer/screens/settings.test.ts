/** The settings: the fields of the form are chosen, the licences are read. */
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { languageNames, languages } from '../../../src/contract/languages.ts';
import { always } from '../../../src/renderer/words/always.ts';
import { openApp } from '../../support/renderer-app.ts';
import { jpegWith } from '../../support/renderer-jpeg.ts';
import { look } from '../../support/renderer-looks.ts';
import { asServer, fileReport, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const settings = () => page.getByRole('link', { name: 'Settings', exact: true }).click();
const section = (name: string) => page.getByRole('region', { name });

it('offer every language under its own name, beside that of the computer', async () => {
  await openApp({ host: siteHost(), at: '/settings' });
  const choice = section('Appearance and language').getByRole('group', { name: 'Language' });
  await expect.element(choice).toBeVisible();
  const offered = choice
    .getByRole('radio')
    .elements()
    .map((one) => one.closest('label')?.textContent);
  expect(offered).toHaveLength(languages.length + 1);
  for (const language of languages)
    expect(offered.join(' | ')).toContain(`${languageNames[language]} ${always[language]}`);
});

it('decisions §5.10: photos are proved by the server, or read back whole where that is chosen; the receipt says which', async () => {
  const host = siteHost();
  await openApp({ host });
  const receipt = page.getByRole('region', { name: 'Delivery receipt' });
  const fileOne = async (text: string): Promise<void> => {
    await fileReport(text, [new File([await jpegWith(60, 40)], 'IMG_1001.jpg')]);
    await receipt.getByText('Details').click();
  };
  await fileOne('Board slid off');
  await expect.element(receipt.getByText('proved by the server')).toBeVisible();
  await settings();
  await section('Photos').getByText('Read back whole').click();
  await expect
    .poll(() => host.of('settings.set').map(({ input }) => input))
    .toContainEqual({ photo_read_back: true });
  await look('settings, photos');
  await fileOne('Rail loose');
  await expect.element(receipt.getByText('read back and compared')).toBeVisible();
});

slow(
  'the fields of the form: chosen for a part where a firm calls one differently, none where it says so, kept over a reload',
  async () => {
    const host = asServer(siteHost());
    await openApp({ host });
    await expect.element(page.getByText(/^Updated/)).toBeVisible();
    await settings();
    const part = section('New near misses').getByRole('group', {
      name: 'Fields of this project’s form',
    });
    const where = part.getByLabelText('Where', { exact: true });
    const chosen = () => {
      const [option] = (where.element() as HTMLSelectElement).selectedOptions;
      return option?.textContent.trim();
    };
    await expect.element(where).toHaveValue('');
    await expect.poll(chosen).toBe('Automatic (Location)');
    await where.selectOptions('Follow-up by');
    await part.getByLabelText('When', { exact: true }).selectOptions('None');
    await look('settings-form-fields');
    await openApp({ host, at: '/settings' });
    await expect.element(where).toBeVisible();
    await expect.poll(chosen).toBe('Follow-up by');
    await fileReport('Plank at the weir');
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByLabelText(/^Where/).fill('Weir 3');
    expect(page.getByLabelText(/^When/).elements()).toEqual([]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const pane = page.getByRole('region', { name: 'Near miss', exact: true });
    await expect.element(pane).toBeVisible();
    await expect.element(pane.getByText('Weir 3', { exact: true }).first()).toBeVisible();
    // The value is in the chosen field.
    await expect
      .poll(() => pane.getByRole('region', { name: 'Follow-up' }).element().textContent)
      .toContain('Weir 3');
  },
);

slow(
  'the licences are read when asked for, found by name, each with its text; LGPL parts say how to be replaced',
  async () => {
    await openApp({ host: siteHost(), at: '/settings' });
    const about = section('About Spotter');
    await about.getByText('Third-party licences').click();
    await expect.element(about.getByText(/may replace it with a modified one/)).toBeVisible();
    const find = about.getByLabelText('Find a package or a licence');
    await find.fill('libheif lgpl');
    await expect.element(about.getByRole('status')).toHaveTextContent('1 package');
    await about
      .getByText(/^libheif-js/)
      .first()
      .click();
    await expect
      .element(about.getByText(/GNU LESSER GENERAL PUBLIC LICENSE/).first())
      .toBeVisible();
    await look('settings-licences');
    await find.fill('no such package');
    await expect
      .poll(() => about.getByRole('status').element().textContent)
      .toContain('No matches');
  },
);
