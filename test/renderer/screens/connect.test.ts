/** The connect screen in a real browser: which of a token's projects it offers. */
import { mount, unmount } from 'svelte';
import { expect, it, onTestFinished, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { Me } from '../../../src/contract/rest/me.ts';
import { NO_POLICY } from '../../../src/contract/policy.ts';
import { fail, ok } from '../../../src/contract/problem.ts';
import ConnectScreen from '../../../src/renderer/screens/connect/ConnectScreen.svelte';
import { app } from '../../../src/renderer/state/app.svelte.ts';
import { words } from '../../../src/renderer/words/company-words.ts';
import { judge } from '../../support/renderer-looks.ts';
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

const label = (text: string): HTMLInputElement =>
  [...document.querySelectorAll('label')].find((one) => one.textContent.startsWith(text))
    ?.control as HTMLInputElement;

/** The form of a window that is signed out, or signed in elsewhere; the server knows the token. */
const openForm = async (in_use: number | null, issuer: string | null = null): Promise<void> => {
  const offered = vi
    .spyOn(app.session, 'offer')
    .mockImplementation(async (address) => ok({ address, issuer }));
  const told = vi.spyOn(app.session, 'view', 'get').mockReturnValue(
    sessionOf({
      state: in_use === null ? 'ready' : 'signed_out',
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
    offered.mockRestore();
    told.mockRestore();
    await unmount(shown);
  });
  await expect.poll(() => document.querySelector('h1')).not.toBeNull();
};
const press = async (name: string): Promise<void> => {
  const button = [...document.querySelectorAll('button')].find((one) =>
    one.textContent.includes(name),
  );
  await userEvent.click(button as HTMLElement);
};
const heading = (): string => document.querySelector('h1')?.textContent.trim() ?? '';
/** Types at the current focus, as a person does who sees the heading. */
const type = async (text: string, where: string): Promise<void> => {
  await expect.poll(() => document.activeElement).toBe(label(where));
  await userEvent.keyboard(text);
};

it('decisions §11.3: a retired project is not offered; each step has its name and the focus in its first field', async () => {
  await openForm(null);
  expect(heading()).toBe(t.title);
  await press(t.server_go);
  await press(t.use_token);
  await userEvent.fill(label(t.address), 'https://spotter.example');
  await userEvent.fill(label(t.company_id), '1');
  await userEvent.type(label(t.token), 'secret{Enter}');
  await expect.poll(heading).toBe(t.project_title);
  const project = document.querySelector('[role="combobox"]') as HTMLElement;
  await expect.poll(() => document.activeElement).toBe(project);
  await userEvent.click(project);
  await userEvent.keyboard('{ArrowDown}');
  await expect.poll(() => document.querySelectorAll('[role="option"]').length).toBeGreaterThan(0);
  const offered = [...document.querySelectorAll('[role="option"]')];
  expect(offered.map((one) => one.textContent.trim())).toEqual(['Harbour Bridge', 'North Tunnel']);
});

it('decisions §11.3: signing in again asks for the token alone and leads back to the project in use, retired or not', async () => {
  const connected = vi
    .spyOn(app.session, 'connect')
    .mockResolvedValue(fail({ kind: 'offline', reason: 'refused', detail: '' }));
  onTestFinished(() => connected.mockRestore());
  await openForm(11);
  expect(heading()).toBe(words.sign_in.go);
  await press(t.use_token);
  await userEvent.type(label(t.token), 'secret{Enter}');
  await expect
    .poll(() => connected.mock.calls.map(([input]) => input))
    .toMatchObject([{ kind: 'server', company_id: 1, project_id: 11, token: 'secret' }]);
});

it('decisions §12.5: a code connects without a token or a company number; a refused code is said at its field', async () => {
  const enrolled = vi
    .spyOn(app.session, 'enrol')
    .mockResolvedValueOnce(
      fail({ kind: 'bad_input', messages: [], fields: {}, fault: 'code_refused' }),
    )
    .mockResolvedValueOnce(fail({ kind: 'signed_out', detail: '' }))
    .mockResolvedValue(ok({ address: 'https://spotter.example', company_id: 1, me }));
  const connected = vi
    .spyOn(app.session, 'connect')
    .mockResolvedValue(fail({ kind: 'offline', reason: 'refused', detail: '' }));
  onTestFinished(() => {
    enrolled.mockRestore();
    connected.mockRestore();
  });
  await openForm(null);
  await press(t.server_go);
  await type('spotter.example{Tab}{Enter}', t.address);
  await expect.poll(() => document.body.textContent).toContain(t.code_missing);
  expect(enrolled).not.toHaveBeenCalled();
  await userEvent.type(label(t.code), 'abcde-fghjk{Enter}');
  await expect.poll(() => document.body.textContent).toContain(words.problem.input.code_refused);
  expect(label(t.code).getAttribute('aria-invalid')).toBe('true');
  // The field of the token is not there, so the reason is said above the form.
  await userEvent.type(label(t.code), '{Enter}');
  await expect.poll(() => document.body.textContent).toContain(words.problem.signed_out);
  await userEvent.type(label(t.code), '{Enter}');
  await expect.poll(heading).toBe(t.project_title);
  expect(enrolled).toHaveBeenLastCalledWith('spotter.example', 'abcde-fghjk');
  await userEvent.click(document.querySelector('[role="combobox"]') as HTMLElement);
  await userEvent.keyboard('{ArrowDown}');
  await expect.poll(() => document.querySelector('[role="option"]')).not.toBeNull();
  await userEvent.click(document.querySelector('[role="option"]') as HTMLElement);
  await press(t.finish);
  await expect
    .poll(() => connected.mock.calls.map(([input]) => input))
    .toEqual([
      { kind: 'code', address: 'https://spotter.example', code: 'abcde-fghjk', project_id: 10 },
    ]);
});

it('the server that the company has set is shown and not typed', async () => {
  const told = vi.spyOn(app.session, 'view', 'get').mockReturnValue(null);
  const offered = vi
    .spyOn(app.session, 'offer')
    .mockImplementation(async (address) => ok({ address, issuer: null }));
  const before = app.session.info;
  app.session.info = {
    version: '1',
    shell: 'test',
    platform: 'linux',
    node: '24',
    default_server: 'https://safety.firm.example',
    policy: { ...NO_POLICY, server: 'https://safety.firm.example' },
    port_taken: null,
    embedded: true,
    local_company: false,
  };
  const shown = mount(ConnectScreen, { target: document.body, props: { first: true } });
  onTestFinished(async () => {
    told.mockRestore();
    offered.mockRestore();
    app.session.info = before;
    await unmount(shown);
  });
  await expect
    .poll(() => document.querySelector('form')?.textContent)
    .toContain(`https://safety.firm.example ${words.desktop.by_company}`);
  const labels = [...document.querySelectorAll('label')].map(({ textContent }) =>
    textContent.trim(),
  );
  expect(labels.some((label) => label.startsWith(t.code))).toBe(true);
  expect(labels.some((label) => label.startsWith(t.address))).toBe(false);
});

it('decisions §12.9: a server that offers it is signed in to in the browser, by one button', async () => {
  const waiting = Promise.withResolvers<Awaited<ReturnType<typeof app.session.signIn>>>();
  const signed = vi
    .spyOn(app.session, 'signIn')
    .mockReturnValueOnce(waiting.promise)
    .mockResolvedValueOnce(
      fail({ kind: 'bad_input', messages: [], fields: {}, fault: 'sign_in_unknown' }),
    )
    .mockResolvedValue(ok({ address: 'https://spotter.example', me }));
  const cancelled = vi.spyOn(app.session, 'cancelSignIn').mockImplementation(async () => {
    waiting.resolve(fail({ kind: 'cancelled' }));
    return ok({});
  });
  const connected = vi
    .spyOn(app.session, 'connect')
    .mockResolvedValue(fail({ kind: 'offline', reason: 'refused', detail: '' }));
  onTestFinished(() => {
    for (const spy of [signed, cancelled, connected]) spy.mockRestore();
  });
  await openForm(null, 'https://login.example.com/firm');
  await press(t.server_go);
  await type('spotter.example{Tab}', t.address);
  const go = t.sign_in_with('login.example.com');
  // The field of the code is gone, and the focus is where the user goes on.
  await expect.poll(() => document.activeElement?.textContent.trim()).toBe(go);
  expect(label(t.code)).toBeUndefined();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => document.querySelector('[role=status]')?.textContent).toBe(t.in_browser);
  await judge('connect, signing in', [
    'color-contrast',
    'button-name',
    'label',
    'aria-allowed-role',
  ]);
  await press(t.keep);
  await expect.poll(() => document.body.textContent).toContain(go);
  expect(document.body.textContent).not.toContain(words.problem.input.sign_in_unknown);
  await press(go);
  await expect.poll(() => document.body.textContent).toContain(words.problem.input.sign_in_unknown);
  await press(go);
  await expect.poll(heading).toBe(t.project_title);
  await userEvent.click(document.querySelector('[role="combobox"]') as HTMLElement);
  await userEvent.keyboard('{ArrowDown}');
  await expect.poll(() => document.querySelector('[role="option"]')).not.toBeNull();
  await userEvent.click(document.querySelector('[role="option"]') as HTMLElement);
  await press(t.finish);
  await expect
    .poll(() => connected.mock.calls.map(([input]) => input))
    .toEqual([
      { kind: 'sign_in', address: 'https://spotter.example', company_id: 1, project_id: 10 },
    ]);
  expect(signed.mock.calls).toEqual(Array(3).fill(['spotter.example']));
});
