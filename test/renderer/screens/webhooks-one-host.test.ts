/** Webhooks whose addresses differ in their path only. */
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { openApp } from '../../support/renderer-app.ts';
import { companyHost } from '../../support/renderer-company.ts';
import { look } from '../../support/renderer-looks.ts';
import { slow } from '../../support/slow.ts';

slow(
  'two webhooks at one host: each row has its path and its events, on one line, as high as any other row',
  async () => {
    const { host } = companyHost();
    await openApp({ host, at: '/webhooks' });
    await expect.element(page.getByText('No webhooks yet')).toBeVisible();
    host.up = false;
    const dialog = page.getByRole('dialog');
    const add = async (path: string, events: readonly string[]): Promise<void> => {
      await page.getByRole('button', { name: 'New webhook' }).click();
      await dialog.getByLabelText('Address').fill(`https://hooks.example.com/${path}`);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect.element(page.getByText(`https://hooks.example.com/${path}`)).toBeVisible();
      for (const event of events) await page.getByLabelText(event, { exact: false }).click();
    };
    const two = ['Near Misses: Created', 'Near Misses: Updated'];
    await add('safety', two);
    await add('services/T024BE7LD/B024BE7LF/x7Kq2mW9', [
      ...two,
      'Jobs and areas: Created',
      'Vendor insurance: Created',
      'Time and materials files: Created',
      'Members: Created',
    ]);
    const rows = () =>
      page
        .getByRole('link', { name: /hooks\.example\.com/ })
        .elements()
        .map((row) => row.textContent);
    const has = (text: string) => rows().filter((row) => row.includes(text)).length;
    await expect.poll(() => rows().length).toBe(2);
    await expect.poll(() => has('/safety · Near misses: Created, Updated')).toBe(1);
    await expect.poll(() => has('/services/T0…Kq2mW9 · 6 events: Near misses, Jobs')).toBe(1);
    const long = page.getByRole('link', { name: /x7Kq2mW9|Kq2mW9/ }).element();
    expect(long.querySelector('[title*="Members"]')?.checkVisibility()).toBe(true);
    for (const row of page.getByRole('link', { name: /hooks\.example\.com/ }).elements())
      expect(row.getBoundingClientRect().height).toBe(64);
    await look('webhooks-one-host');
  },
);
