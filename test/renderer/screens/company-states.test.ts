/** Insurances, members, webhooks and time-and-material files when they cannot show everything: loading, after an error, offline. */
import { expect, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import type { Problem } from '../../../src/contract/problem.ts';
import { openApp } from '../../support/renderer-app.ts';
import { companyHost, ENTRY, hookAt, VENDOR } from '../../support/renderer-company.ts';
import { to } from '../../support/renderer-host.ts';
import { look } from '../../support/renderer-looks.ts';
import { slow } from '../../support/slow.ts';

const screens = [
  {
    path: `/insurances/${VENDOR.id}`,
    asks: 'insurances.list',
    empty: 'This vendor has no policies yet',
    offline: 'This vendor’s policies will download when you’re online.',
  },
  {
    path: '/members',
    asks: 'project_memberships.list',
    empty: 'This project has no members yet',
    offline: 'Offline. Showing the copy on this laptop',
  },
  {
    path: '/webhooks',
    asks: 'webhook_hooks.list',
    empty: 'No webhooks yet',
    offline: 'The webhooks will download when you’re online.',
  },
  {
    path: `/time-and-material/${ENTRY.id}`,
    asks: 'time_and_material_entry_attachments.list',
    empty: 'No files on this entry yet',
    offline: 'The files on the server will download when you’re online.',
  },
] as const;
const problem: Problem = {
  kind: 'server_error',
  status: 500,
  messages: [],
  retry_after_ms: null,
};
const content = page.getByRole('main');
const says = (text: string) => content.getByText(text, { exact: false }).first();
const place = async (path: string): Promise<void> => {
  location.hash = path;
  await expect.poll(() => document.querySelector('#content')?.getAttribute('data-path')).toBe(path);
};
const spinners = () => document.querySelectorAll('#content .spinner').length;

/** Records every text that appears on the page, however briefly. */
const watch = (): ((text: string) => boolean) => {
  const seen: string[] = [];
  const note = () => seen.push(document.querySelector('#content')?.textContent ?? '');
  const observer = new MutationObserver(note);
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  onTestFinished(() => observer.disconnect());
  return (text) => seen.some((one) => one.includes(text));
};

slow(
  'loading is not called empty; an error says what is safe and is tried again; offline says what still works',
  async () => {
    const { host } = companyHost();
    await openApp({ host });
    await expect.element(page.getByText(/^Updated/)).toBeVisible();
    const wasSeen = watch();
    for (const { path, asks, empty } of screens) {
      const held = Promise.withResolvers<void>();
      host.holds.push({ on: to(asks), until: held.promise });
      await place(path);
      await expect.poll(spinners).toBeGreaterThan(0);
      expect(wasSeen(empty), path).toBe(false);
      held.resolve();
      host.holds = [];
      await expect.poll(spinners).toBe(0);
      // The empty text appears only if the list is empty, and never before rows arrive. Only the members are not empty.
      await expect.poll(() => wasSeen(empty), { message: path }).toBe(path !== '/members');
    }

    await place('/members');
    await expect.element(page.getByRole('list', { name: 'Project members' })).toBeVisible();
    await page.getByRole('searchbox', { name: 'Find a member' }).fill('zzz');
    await expect.element(page.getByText('No matches')).toBeVisible();
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.element(page.getByText('No matches')).not.toBeInTheDocument();

    for (const { path, asks } of screens.filter((one) => one.path !== '/members')) {
      host.faults.push({ at: 'before', on: to(asks), problem, times: Infinity });
      await place('/settings');
      await place(path);
      await expect.element(says('The server has a problem.')).toBeVisible();
      await expect.element(says('Nothing is on this laptop yet.')).toBeVisible();
      host.faults = [];
      await content.getByRole('button', { name: 'Try again' }).click();
      await expect.element(says('The server has a problem.')).not.toBeInTheDocument();
    }

    host.up = false;
    await openApp({ host });
    await expect.element(page.getByRole('link', { name: /^Offline/ })).toBeVisible();
    for (const { path, offline } of screens) {
      await place(path);
      await expect.element(says(offline)).toBeVisible();
    }
    await look('states-offline');
  },
);

slow('deliveries of a webhook that could not be fetched are not called none', async () => {
  const { host, records } = companyHost();
  records.hooks.push(hookAt(61, 'https://hooks.example.com/a'));
  host.faults.push({ at: 'before', on: to('webhook_deliveries.list'), problem, times: Infinity });
  await openApp({ host, at: '/webhooks' });
  await content.getByRole('link', { name: /^hooks\.example\.com/ }).click();
  const deliveries = page.getByRole('region', { name: 'Deliveries' });
  const alert = deliveries.getByRole('alert');
  await expect.element(alert).toHaveTextContent('The server has a problem.');
  const none = deliveries.getByText('Nothing has been delivered to this address yet.');
  expect(none.elements()).toEqual([]);
  host.faults = [];
  await deliveries.getByRole('button', { name: 'Refresh' }).click();
  await expect.element(none).toBeVisible();
  await expect.element(alert).not.toBeInTheDocument();
});
