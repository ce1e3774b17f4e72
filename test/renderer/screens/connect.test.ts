/** The connect screen in a real browser: which projects it offers of those that a token sees. */
import { mount, unmount } from 'svelte';
import { expect, it, onTestFinished, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { Me } from '../../../src/contract/rest/me.ts';
import { ok } from '../../../src/contract/problem.ts';
import ConnectScreen from '../../../src/renderer/screens/connect/ConnectScreen.svelte';
import { app } from '../../../src/renderer/state/app.svelte.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { sessionOf } from '../../support/renderer-host.ts';

const t = words.connect;
const me: Me = {
  user: { id: 1, name: 'Maria Kovacs', login: 'maria@example.com' },
  companies: [{ id: 1, name: 'Northline' }],
  projects: [
    { id: 10, name: 'Harbour Bridge', company_id: 1, active: true },
    { id: 11, name: 'Old Depot', company_id: 1, active: false },
    { id: 12, name: 'North Tunnel', company_id: 1 },
    { id: 13, name: 'Elsewhere', company_id: 2 },
  ],
};

/** Through the form for a server, as far as the list of projects: what it offers. */
const offered = async (in_use: number | null): Promise<readonly string[]> => {
  const told = vi.spyOn(app.session, 'view', 'get').mockReturnValue(
    sessionOf({
      state: 'signed_out',
      kind: 'server',
      address: 'https://spotter.example',
      account: null,
      project: in_use === null ? null : { id: in_use, name: 'Harbour Bridge' },
    }),
  );
  const tried = vi
    .spyOn(app.session, 'try')
    .mockResolvedValue(ok({ address: 'https://spotter.example', me }));
  const shown = mount(ConnectScreen, { target: document.body });
  onTestFinished(async () => {
    tried.mockRestore();
    told.mockRestore();
    await unmount(shown);
  });
  const fill = (label: string, text: string) =>
    userEvent.fill(
      [...document.querySelectorAll('label')].find((one) => one.textContent.startsWith(label))
        ?.control as HTMLInputElement,
      text,
    );
  await expect.poll(() => document.querySelector('form')).not.toBeNull();
  await fill(t.address, 'https://spotter.example');
  await fill(t.company_id, '1');
  await fill(t.token, 'secret');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => document.querySelector('[role="combobox"]')).not.toBeNull();
  await userEvent.click(document.querySelector('[role="combobox"]') as HTMLElement);
  await userEvent.keyboard('{ArrowDown}');
  await expect.poll(() => document.querySelectorAll('[role="option"]').length).toBeGreaterThan(0);
  return [...document.querySelectorAll('[role="option"]')].map((one) => one.textContent.trim());
};

it('decisions §11.3: a retired project is not offered', async () => {
  expect(await offered(10)).toEqual(['Harbour Bridge', 'North Tunnel']);
});

it('decisions §11.3: signing in again leads back to the project in use, retired or not', async () => {
  expect(await offered(11)).toEqual(['Harbour Bridge', 'Old Depot', 'North Tunnel']);
});
