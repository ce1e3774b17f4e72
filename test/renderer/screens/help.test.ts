/** Help answers first; what it names is in the window, and the details for support name nobody. */
import { expect, vi } from 'vitest';
import { page } from 'vitest/browser';
import { words } from '../../../src/renderer/words/en.ts';
import { openApp } from '../../support/renderer-app.ts';
import { look } from '../../support/renderer-looks.ts';
import { asServer, reported, siteHost } from '../../support/renderer-site.ts';
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
