/** A screen that finishes a slow step does not take away a user who has gone elsewhere meanwhile. */
import { describe, expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { app } from '../../../src/renderer/state/app.svelte.ts';
import { takeOpened } from '../../../src/renderer/state/photos/dropped.svelte.ts';
import { words as company } from '../../../src/renderer/words/company-words.ts';
import { words } from '../../../src/renderer/words/company-words.ts';
import { found } from '../../support/found.ts';
import { openApp } from '../../support/renderer-app.ts';
import { fileReport, pressMore, reported, siteHost } from '../../support/renderer-site.ts';
import { holdCalls, holdTables } from '../../support/renderer-slow.ts';
import { slow } from '../../support/slow.ts';

const { csv } = company.insurances;
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const text = () => page.getByLabelText('What happened?');
const SETTINGS = '#/settings';
const toSettings = async () => {
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await expect.poll(() => location.hash).toBe(SETTINGS);
};
/** A navigation that the finished step began would have ended by then: the screens it could open are loaded. */
const staysAt = async (hash: string) => {
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  expect(location.hash).toBe(hash);
};
const chooseFile = (file: File): void => {
  const picker = document.querySelector<HTMLInputElement>('.scroll input[type=file]');
  if (picker === null) throw new Error('no picker');
  const chosen = new DataTransfer();
  chosen.items.add(file);
  picker.files = chosen.files;
  picker.dispatchEvent(new Event('change', { bubbles: true }));
};
const openEdit = async (name: string) => {
  await page.getByRole('link', { name: new RegExp(name) }).click();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await expect.element(text()).toHaveValue(name);
};

describe('the form', () => {
  slow('Save that is slow does not show the report to a user who has opened Settings', async () => {
    const host = siteHost([reported('Hoist hook bent')]);
    await openApp({ host });
    await openEdit('Hoist hook bent');
    await text().fill('Hoist hook bent again');
    const release = holdCalls(host, 'journal.append');
    await press('Save');
    await toSettings();
    release();
    await expect.element(page.getByText(words.capture.saved_changes)).toBeVisible();
    await staysAt(SETTINGS);
    // The toast still leads to the report.
    await press(words.capture.open_it);
    await expect
      .element(page.getByRole('heading', { level: 1, name: 'Hoist hook bent again' }))
      .toBeVisible();
  });

  slow(
    'Save and add another that is slow opens no form for a user who has opened Settings',
    async () => {
      const host = siteHost();
      await openApp({ host });
      await fileReport('First');
      await page.getByRole('link', { name: 'New near miss' }).click();
      await text().fill('Second');
      const release = holdCalls(host, 'journal.append');
      await press(words.capture.save_another);
      await toSettings();
      release();
      await expect.element(page.getByText(words.capture.saved)).toBeVisible();
      await staysAt(SETTINGS);
    },
  );

  slow(
    'Cancel that is slow does not go back from the screen that a user has opened meanwhile',
    async () => {
      await openApp({ host: siteHost([reported('Hoist hook bent')]) });
      await openEdit('Hoist hook bent');
      await text().fill('Not to be kept');
      await expect.poll(() => app.deps.db.drafts.count()).toBe(1);
      const release = await holdTables(app.deps.db.tombstones);
      await press('Cancel');
      await toSettings();
      release();
      await expect.poll(() => app.deps.db.drafts.count()).toBe(0);
      await staysAt(SETTINGS);
    },
  );

  slow('Cancel does not go back while the screen that a user chose is still loading', async () => {
    await openApp({ host: siteHost([reported('Hoist hook bent')]) });
    await openEdit('Hoist hook bent');
    await text().fill('Not to be kept');
    await expect.poll(() => app.deps.db.drafts.count()).toBe(1);
    const link = await found(() => document.querySelector<HTMLElement>('a[href$="#/insights"]'));
    const release = await holdTables(app.deps.db.tombstones);
    await press('Cancel');
    // Insights was not opened yet, so the address changes only once its code has loaded.
    const before = location.hash;
    link.click();
    expect(location.hash).toBe(before);
    release();
    await expect.poll(() => app.deps.db.drafts.count()).toBe(0);
    await expect.poll(() => location.hash).toBe('#/insights');
    await staysAt('#/insights');
  });
});

describe('other screens', () => {
  slow(
    'a delete that is slow does not show the list to a user who has opened Settings',
    async () => {
      const host = siteHost([reported('Hoist hook bent')]);
      await openApp({ host });
      await page.getByRole('link', { name: /Hoist hook bent/ }).click();
      await expect
        .element(page.getByRole('heading', { level: 1, name: 'Hoist hook bent' }))
        .toBeVisible();
      const release = holdCalls(host, 'journal.append');
      await pressMore(words.detail.bin, words.detail.more);
      await toSettings();
      release();
      await expect.element(page.getByText(words.detail.binned)).toBeVisible();
      await staysAt(SETTINGS);
    },
  );

  slow(
    'a connection that is slow does not show the list to a user who has opened Settings',
    async () => {
      const host = siteHost();
      await openApp({ host, at: '/connect' });
      host.answers.set('session.connect', () => host.session);
      const release = holdCalls(host, 'session.connect');
      await press(company.connect.laptop_go);
      await toSettings();
      release();
      await expect.poll(() => host.of('session.connect').length).toBe(1);
      await staysAt(SETTINGS);
    },
  );

  slow(
    'a language that is set slowly does not reload the window of a user who has opened a form',
    async () => {
      const host = siteHost();
      await openApp({ host, at: '/settings/appearance' });
      const release = holdCalls(host, 'settings.set');
      await page.getByText('Español', { exact: true }).click();
      await page.getByRole('link', { name: 'New near miss' }).click();
      await expect.element(text()).toBeVisible();
      release();
      await expect.element(page.getByText(words.settings.language_saved)).toBeVisible();
      expect(location.hash).toBe('#/new');
    },
  );

  slow(
    'a file that was opened with Spotter and is read slowly is offered where the user is by then',
    async () => {
      const host = siteHost();
      await openApp({ host });
      // Requests of the shell are followed once the window is shown.
      await expect.element(page.getByRole('link', { name: 'New near miss' })).toBeVisible();
      host.answers.set('opened.read', () => ({}));
      const release = holdCalls(host, 'opened.read');
      const taken = takeOpened({ ask: 'import', key: 'k', name: 'site.zip' });
      await expect.poll(() => location.hash).toBe('#/settings/everything');
      await page.getByRole('link', { name: 'New near miss' }).click();
      await expect.element(text()).toBeVisible();
      release();
      await taken;
      expect(location.hash).toBe('#/new');
      await press(words.settings.everything.look);
      await expect
        .element(page.getByRole('dialog', { name: words.settings.everything.offer_title }))
        .toBeVisible();
      await userEvent.keyboard('{Escape}');
    },
  );

  slow(
    'an import that is queued slowly does not show its list to a user who has opened Settings',
    async () => {
      const host = siteHost();
      await openApp({ host, at: '/insurances/71/csv' });
      await expect.element(page.getByRole('heading', { name: csv.title })).toBeVisible();
      chooseFile(new File(['Insurer,Policy Number\nAxa,GL-1\n'], 'policies.csv'));
      const go = page.getByRole('button', { name: csv.send(1) });
      await expect.element(go).toBeVisible();
      const release = holdCalls(host, 'journal.append');
      await go.click();
      await toSettings();
      release();
      await expect.element(page.getByText(csv.queued(1), { exact: false })).toBeVisible();
      await staysAt(SETTINGS);
    },
  );
});
