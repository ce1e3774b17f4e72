/** The place of the open follow-ups: the overdue first, each one press from its near miss; done ones leave it. */
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { openApp } from '../../support/renderer-app.ts';
import { look } from '../../support/renderer-looks.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { asServer, customFields, inDays, reported, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const followUp = (what: string, days: number, done = '', who = 'Tom Brennan') => ({
  custom_fields: customFields({
    'Follow-up': what,
    'Follow-up by': who,
    'Follow-up date': inDays(days),
    ...(done === '' ? {} : { 'Follow-up done': done }),
  }),
});

slow('lists open follow-ups, the overdue first, and counts the due ones in the rail', async () => {
  const host = siteHost([
    reported('Hoist hook bent', 3, followUp('Replace the hook', 4)),
    reported('Gate left open', 4, followUp('Fit a spring', -2)),
    reported('Rope frayed', 5, followUp('Order a rope', 0)),
    reported('Step broken', 6, followUp('Mend the step', -9, inDays(-1))),
    reported('Nothing to do', 7),
  ]);
  await openApp({ host });
  await page.getByRole('link', { name: 'Follow-ups, 2 due' }).click();
  const main = page.getByRole('main');
  await expect.element(main.getByRole('heading', { name: 'Follow-ups', level: 1 })).toBeVisible();
  const groups = () =>
    [...document.querySelectorAll('main section')].map((one) => [
      one.querySelector('h2')?.firstChild?.textContent?.trim(),
      [...one.querySelectorAll('li b')].map((what) => what.textContent),
    ]);
  await expect.poll(groups).toEqual([
    ['Overdue', ['Fit a spring']],
    ['Due today', ['Order a rope']],
    ['Not due yet', ['Replace the hook']],
  ]);
  await look('follow-ups');
  await main.getByRole('link', { name: /Fit a spring/ }).click();
  await expect
    .element(page.getByRole('heading', { name: 'Gate left open', level: 1 }))
    .toBeVisible();
});

slow('shows those that name the user alone, by name or login, and keeps the choice', async () => {
  const host = asServer(
    siteHost([
      reported('Hoist hook bent', 3, followUp('Replace the hook', -1, '', ' MARÍA Kovacs')),
      reported('Gate left open', 4, followUp('Fit a spring', -2)),
      reported('Rope frayed', 5, followUp('Order a rope', 4, '', 'maria@example.com')),
    ]),
  );
  await openApp({ host });
  // Since yesterday leads with the user's own, though another is due before it.
  const dues = page.getByRole('heading', { name: words.shift.dues });
  await expect.element(dues).toBeVisible();
  const lines = () =>
    [...document.querySelectorAll('.dues .text')].map(({ textContent }) =>
      textContent.replaceAll(/\s+/gu, ' ').trim(),
    );
  await expect
    .poll(lines)
    .toEqual(['Replace the hook You, Overdue', 'Fit a spring Tom Brennan, Overdue']);
  await page.getByRole('link', { name: 'Follow-ups, 2 due' }).click();
  const listed = () => [...document.querySelectorAll('main li b')].map((one) => one.textContent);
  await expect.poll(listed).toEqual(['Fit a spring', 'Replace the hook', 'Order a rope']);
  await page.getByRole('button', { name: 'Assigned to me 2' }).click();
  await expect.poll(listed).toEqual(['Replace the hook', 'Order a rope']);
  await look('follow-ups of mine');
  await openApp({ host, at: '/follow-ups' });
  await expect.poll(listed).toEqual(['Replace the hook', 'Order a rope']);
  await page.getByRole('button', { name: 'Everybody 3' }).click();
  await expect.poll(listed).toHaveLength(3);
});

slow('a name that nobody in the company has is pointed out and kept', async () => {
  const host = siteHost([reported('Hoist hook bent')]);
  const people = [{ id: 1, name: 'Tom Brennan', login: 'tom@example.com' }];
  host.service.catalog = { ...host.service.catalog, people };
  await openApp({ host });
  await page.getByRole('link', { name: /Hoist hook bent/ }).click();
  await page.getByRole('button', { name: words.follow_up.add }).click();
  const who = page.getByLabelText(/^Who does it\?/);
  const hint = page.getByText(words.follow_up.nobody_here);
  await who.fill('Tom Brennan');
  await expect.element(hint).not.toBeInTheDocument();
  await who.fill('A roofer of Hansen');
  await expect.element(hint).toBeVisible();
  await page.getByLabelText(/^What has to be done\?/).fill('Mend the roof');
  await page.getByRole('button', { name: words.follow_up.save, exact: true }).click();
  await expect.element(page.getByText(/A roofer of Hansen/)).toBeVisible();
});

slow(
  'says how a follow-up comes here while there is none; a project without their fields has no such place',
  async () => {
    const host = siteHost([reported('Hoist hook bent')]);
    await openApp({ host });
    await page.getByRole('link', { name: 'Follow-ups', exact: true }).click();
    await expect.element(page.getByText('No open follow-ups')).toBeVisible();

    const bare = siteHost([reported('Hoist hook bent')]);
    bare.service.catalog = { ...bare.service.catalog, custom_field_definitions: [] };
    await openApp({ host: bare });
    await expect.element(page.getByRole('link', { name: 'Insights', exact: true })).toBeVisible();
    await expect
      .element(page.getByRole('link', { name: 'Follow-ups', exact: true }))
      .not.toBeInTheDocument();
  },
);
