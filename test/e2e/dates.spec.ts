/** Boxes for a day and a time: typed in any usual way, chosen by keys, pointed at where nothing can be read of them, in the window's language. */
import { words as english } from '../../src/renderer/words/en.ts';
import { words as spanish } from '../../src/renderer/words/es.ts';
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';

test.use({ apart: false });

test('when it happened: typed, chosen from a month by keys, refused where it is none, and the same after a change of language', async ({
  app,
}) => {
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await page.getByRole('button', { name: 'Try it with sample data' }).click();
  await page.getByRole('link', { name: 'New near miss' }).click();
  const when = page.getByRole('textbox', { name: 'When' });
  await page.getByLabel('What happened?').fill('Rope frayed at the hoist');

  await when.fill('20/11/26 2:32 pm');
  await when.blur();
  await expect(when).toHaveValue('20 Nov 2026, 14:32');
  // One day on, by keys; its time stays, and the focus comes back.
  await when.press('Alt+ArrowDown');
  const month = page.getByRole('application', { name: /November 2026/ });
  await expect(month).toBeVisible();
  await expect(page.getByRole('button', { name: 'Friday, 20 November 2026' })).toBeFocused();
  await look(page, 'date-box');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(month).toBeHidden();
  await expect(when).toHaveValue('21 Nov 2026, 14:32');

  // What nobody can read is neither saved nor thrown away.
  await when.fill('after lunch');
  await page.getByRole('button', { name: 'Site traffic and deliveries' }).click();
  await expect(page.getByText(english.dates.unreadable_time)).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(when).toBeFocused();
  await expect(when).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText(english.dates.unreadable_time)).toHaveCount(1);
  await expect(when).toHaveValue('after lunch');
  await when.fill('21 nov 7:15');

  // The draft goes on in Spanish, box and month alike.
  await page.getByRole('link', { name: english.app.settings, exact: true }).click();
  await page.getByText(english.settings.language_notes.es).click();
  await page.getByRole('link', { name: spanish.app.new_near_miss }).click();
  await page
    .getByRole('button', { name: spanish.capture.drafts.go_on_with('Rope frayed at the hoist') })
    .click();
  const cuando = page.getByRole('textbox', { name: spanish.capture.when });
  const year = new Date().getFullYear();
  await expect(cuando).toHaveValue(`21 nov ${year}, 07:15`);
  await page.getByRole('button', { name: spanish.dates.open(spanish.capture.when) }).click();
  await expect(page.getByRole('application', { name: /noviembre/i })).toBeVisible();
  await page.getByRole('button', { name: spanish.dates.today, exact: true }).click();
  await expect(cuando).toHaveValue(/, 07:15$/);
});
