/** Help answers first; what it names is in the window, and the details for support name nobody. */
import { expect, vi } from 'vitest';
import { page } from 'vitest/browser';
import { words } from '../../../src/renderer/words/en.ts';
import { openApp } from '../../support/renderer-app.ts';
import { look } from '../../support/renderer-looks.ts';
import { asServer, reported, siteCatalog, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

slow('five answers, the first one open, and details of a problem that name nobody', async () => {
  const host = asServer(siteHost([reported('Hoist hook bent')]));
  await openApp({ host, at: '/help' });
  const main = page.getByRole('main');
  const [first, second] = words.help.list;
  if (first === undefined || second === undefined) throw new Error('no answers');
  await expect.element(main.getByText(first.question)).toBeVisible();
  await expect.element(main.getByText(/It is safe on this laptop/)).toBeVisible();
  await expect.element(main.getByText(/The form opens at the marked box/)).not.toBeVisible();
  await main.getByText(second.question).click();
  await expect.element(main.getByText(/The form opens at the marked box/)).toBeVisible();
  expect(document.querySelectorAll('.answers details')).toHaveLength(5);
  await look('help');

  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const report = page.getByRole('region', { name: 'Report a problem' });
  await report.getByText('Show the details').click();
  const shown = report.getByLabelText('Diagnostics');
  await expect.poll(() => shown.element().textContent).toMatch(/Session: .*server, https/u);
  await report.getByRole('button', { name: 'Copy the details' }).click();
  await expect.poll(() => write.mock.calls.length).toBe(1);
  const [text = ''] = write.mock.calls[0] ?? [];
  for (const name of [
    'Hoist hook',
    'Maria',
    'maria@',
    'Bridge Builders',
    'Harbour',
    'spotter.example',
  ])
    expect(text).not.toContain(name);
  expect(text).toContain('Queue: 0 records');
});

slow(
  'decisions §11.7: Help names who helps, form and phones say what happens with data; without notices neither stands there',
  async () => {
    const host = asServer(siteHost([]));
    const notices = {
      help_contact: 'Rita Shah, 0151 496 0123',
      privacy_notice: 'Bridge Builders keeps reports for three years. Ask Rita Shah.',
    };
    host.service.catalog = { ...siteCatalog, notices };
    await openApp({ host, at: '/help' });
    const helper = page.getByRole('region', { name: words.help.contact });
    await expect.element(helper.getByText(notices.help_contact)).toBeVisible();
    await page.getByRole('link', { name: 'New near miss' }).click();
    await expect.element(page.getByText(notices.privacy_notice)).toBeInTheDocument();
    const told = host.of('phone.notice').map(({ input }) => input['text']);
    expect(told.at(-1)).toBe(notices.privacy_notice);

    const silent = asServer(siteHost([]));
    silent.service.catalog = siteCatalog;
    await openApp({ host: silent, at: '/help' });
    await expect.element(page.getByRole('region', { name: words.help.report })).toBeVisible();
    await expect.element(helper).not.toBeInTheDocument();
  },
);
