/** The server's history of a near miss in the window (decisions §15). */
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import type { HistoryEntry } from '../../../src/contract/rest/history/near-miss-history.ts';
import { words } from '../../../src/renderer/words/company-words.ts';
import { openApp } from '../../support/renderer-app.ts';
import { reported, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const entry = (id: number, more: Partial<HistoryEntry>): HistoryEntry => ({
  id,
  at: new Date(Date.UTC(2026, 0, 2, 8, id)).toISOString(),
  user: { id: 7, name: 'Ann Berg', login: 'ann@example.com' },
  client: 'Spotter/1',
  action: 'updated',
  changes: [],
  redacted: false,
  digest: null,
  salt: null,
  hash: null,
  ...more,
});

const openHistory = async () => {
  await page.getByRole('button', { name: words.detail.more, exact: true }).click();
  await page.getByRole('menuitem', { name: words.history.all, exact: true }).click();
};
const section = () => page.getByRole('region', { name: words.history.all, exact: true });

slow('decisions §15.1: the record says who changed what, and keeps it for offline', async () => {
  const host = siteHost([reported('Hoist hook bent')]);
  const [id = 0] = host.near_misses.keys();
  host.service.history.set(id, [
    entry(3, { redacted: true }),
    entry(2, {
      changes: [
        { field: 'attachments', from: null, to: 'hook.jpg' },
        { field: 'comments', from: null, to: 5 },
      ],
    }),
    entry(1, { changes: [{ field: 'description', from: '<p>Hook</p>', to: '<p>Hook bent</p>' }] }),
    entry(0, { action: 'created', user: { id: 8, name: 'Bo', login: 'bo@example.com' } }),
  ]);
  await openApp({ host });
  await page.getByRole('link', { name: /Hoist hook bent/ }).click();
  await openHistory();
  await expect.element(section().getByText('Reported by Bo')).toBeVisible();
  await expect.element(section().getByText(/Hook → Hook bent/)).toBeVisible();
  await expect.element(section().getByText('Photo hook.jpg added')).toBeVisible();
  await expect.element(section().getByText(words.history.comment_added)).toBeVisible();
  await expect.element(section().getByText(words.history.content_redacted)).toBeVisible();
  await expect.poll(() => section().getByText('Edited by Ann Berg').elements()).toHaveLength(3);
  // Read again and refused, as offline: what was read stays.
  host.service.history.clear();
  await page.getByRole('button', { name: words.app.close, exact: true }).click();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  await page.getByRole('link', { name: /Hoist hook bent/ }).click();
  await openHistory();
  await expect.element(section().getByText('Reported by Bo')).toBeVisible();
});

slow('decisions §15: on a server without a history the record shows none', async () => {
  await openApp({ host: siteHost([reported('Hoist hook bent')]) });
  await page.getByRole('link', { name: /Hoist hook bent/ }).click();
  await expect
    .element(page.getByRole('heading', { level: 1, name: 'Hoist hook bent' }))
    .toBeVisible();
  await expect.poll(() => section().elements()).toHaveLength(0);
  // In its place all the same, for a history that is read while the menu is open.
  await page.getByRole('button', { name: words.detail.more, exact: true }).click();
  await expect
    .element(page.getByRole('menuitem', { name: words.history.all, exact: true }))
    .toHaveAttribute('aria-disabled', 'true');
});
