/** A near miss that the link of a mail opens (decisions §16.7), in the whole window over a scripted host. */
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { WindowAsk } from '../../../src/contract/asks.ts';
import { linkKeyOf } from '../../../src/contract/near-miss-link.ts';
import type { Me } from '../../../src/contract/rest/me.ts';
import type { NearMiss } from '../../../src/contract/rest/near-misses.ts';
import { words } from '../../../src/renderer/words/company-words.ts';
import { openApp } from '../../support/renderer-app.ts';
import { sessionOf, to, type ScriptedHost } from '../../support/renderer-host.ts';
import { asServer, reported, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const t = words.linked;
const TEXT = 'Hoist hook bent';
const me: Me = {
  user: { id: 7, name: 'Maria Kovacs', login: 'maria@example.com' },
  companies: [{ id: 1, name: 'Bridge Builders' }],
  projects: [
    { id: 10, name: 'Harbour Bridge East', company_id: 1, active: true },
    { id: 11, name: 'North Tunnel', company_id: 1, active: true },
    { id: 12, name: 'Old Depot', company_id: 1, active: false },
  ],
};

/** A host whose shell gives the window what `ask` is called with, as a pressed link does. */
const linkedHost = (records: readonly Partial<NearMiss>[] = []) => {
  const host = asServer(siteHost(records));
  let asks: WindowAsk[] = [];
  host.answers.set('asks.take', () => {
    const taken = asks;
    asks = [];
    return { asks: taken };
  });
  host.answers.set('me.show', () => ({
    status: 200,
    data: me,
    paging: null,
    etag: null,
    replayed: false,
    server_time: null,
  }));
  host.answers.set('session.choose_project', ({ project_id }) => {
    const project = me.projects.find(({ id }) => id === project_id);
    host.session = {
      ...host.session,
      project: { id: Number(project_id), name: project?.name ?? '' },
    };
    return host.session;
  });
  const press = (key: string): void => {
    asks.push({ ask: 'near_miss', key });
    host.emit({ kind: 'asked' });
  };
  return { host, press };
};

/** The scripted service numbers nothing. */
const hook = (more: Partial<NearMiss> = {}) => reported(TEXT, 3, { full_number: '1-4', ...more });
const keyFor = (record: NearMiss | undefined, change: object = {}): string =>
  linkKeyOf({
    company_id: 1,
    project_id: 10,
    id: record?.id ?? 0,
    number: '1-4',
    ...change,
  });
const firstOf = (host: ScriptedHost) => [...host.near_misses.values()][0];
const record = () => page.getByRole('heading', { level: 1, name: TEXT });
const says = (title: string) =>
  expect.element(page.getByRole('heading', { name: title })).toBeVisible();
const button = (name: string) => page.getByRole('button', { name, exact: true });
const list = () => page.getByRole('link', { name: new RegExp(TEXT) });

slow(
  'decisions §16.7: a near miss on this laptop opens offline too, and Back leads to the screen before',
  async () => {
    const { host, press } = linkedHost([hook()]);
    await openApp({ host });
    await expect.element(list()).toBeVisible();
    host.up = false;
    await page.getByRole('link', { name: 'Photos', exact: true }).click();
    await expect.poll(() => location.hash).toBe('#/photos');
    press(keyFor(firstOf(host)));
    await expect.element(record()).toBeVisible();
    expect(location.hash).toMatch(/^#\/near-misses\/srv-/);
    history.back();
    await expect.poll(() => location.hash).toBe('#/photos');
  },
);

slow(
  'decisions §16.7: a link that started the app, before it had a company, opens after the user has connected',
  async () => {
    const { host, press } = linkedHost([hook()]);
    const connected = host.session;
    host.session = sessionOf({
      state: 'none',
      kind: null,
      account: null,
      company: null,
      project: null,
      user: null,
    });
    press(keyFor(firstOf(host)));
    await openApp({ host });
    await says(words.connect.title);
    host.changeSession(connected);
    await expect.element(record()).toBeVisible();
  },
);

it('decisions §16.7: the window changes to the near miss’s project, and fetches what it does not have', async () => {
  const { host, press } = linkedHost();
  await openApp({ host });
  await says(words.list.empty);
  // The list of a project may take long. The near miss does not wait for it.
  const { promise, resolve } = Promise.withResolvers<void>();
  host.holds.push({ on: to('near_misses.list'), until: promise });
  for (const project_id of [11, 12]) {
    const title = `Hook ${project_id}`;
    const there = host.add(reported(title, 3, { full_number: '1-4' }));
    press(keyFor(there, { project_id }));
    await expect.element(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect.poll(() => host.session.project?.id).toBe(project_id);
    const asked = host.of('near_misses.show').map(({ input }) => input['input']);
    expect(asked).toContainEqual(expect.objectContaining({ params: { project_id, id: there.id } }));
  }
  resolve();
});

slow('decisions §16.7: a recycled near miss that is not here yet opens too', async () => {
  const { host, press } = linkedHost();
  await openApp({ host });
  await says(words.list.empty);
  const gone = host.add(hook({ deleted_at: new Date().toISOString() }));
  press(keyFor(gone));
  await expect.element(record()).toBeVisible();
  await expect.element(page.getByText(words.detail.in_bin)).toBeVisible();
});

slow(
  'decisions §16.7: offline it says that the near miss is not here yet, and opens it once the server answers',
  async () => {
    const { host, press } = linkedHost();
    await openApp({ host });
    await says(words.list.empty);
    const later = host.add(hook());
    host.up = false;
    press(keyFor(later));
    await says(t.not_here('1-4'));
    host.up = true;
    window.dispatchEvent(new Event('online'));
    await expect.element(record()).toBeVisible();
  },
);

slow('decisions §16.7: an answer that failed is asked for again by a press', async () => {
  const { host, press } = linkedHost();
  await openApp({ host });
  await says(words.list.empty);
  const later = host.add(hook());
  host.faults.push({
    at: 'before',
    on: to('near_misses.show'),
    problem: { kind: 'server_error', status: 500, messages: [], retry_after_ms: null },
  });
  press(keyFor(later));
  await says(t.not_here('1-4'));
  await button(words.app.try_again).click();
  await expect.element(record()).toBeVisible();
});

slow(
  'decisions §16.7: signed out it asks to sign in, and signing in opens the near miss',
  async () => {
    const { host, press } = linkedHost([hook()]);
    const connected = host.session;
    host.session = { ...connected, state: 'signed_out' };
    host.answers.set('session.offer', ({ address }) => ({ address, issuer: null }));
    host.answers.set('session.try', ({ address }) => ({ address, me }));
    host.answers.set('session.connect', () => (host.session = connected));
    press(keyFor(firstOf(host)));
    await openApp({ host });
    await says(t.not_here('1-4'));
    await page.getByRole('main').getByRole('link', { name: words.sign_in.go, exact: true }).click();
    await button(words.connect.use_token).click();
    await userEvent.type(
      page.getByLabelText(words.connect.token, { exact: true }),
      'secret{Enter}',
    );
    await expect.element(record()).toBeVisible();
  },
);

slow(
  'decisions §16.7: another company, and a company on this laptop, open nothing of the same id and say where to connect',
  async () => {
    const { host, press } = linkedHost([hook()]);
    await openApp({ host });
    await expect.element(list()).toBeVisible();
    const key = keyFor(firstOf(host));
    press(keyFor(firstOf(host), { company_id: 2 }));
    await says(t.elsewhere('1-4'));
    await expect.element(page.getByText(/Bridge Builders/).first()).toBeVisible();
    await expect.element(page.getByRole('link', { name: t.connect, exact: true })).toBeVisible();
    host.changeSession({ ...host.session, kind: 'local_company' });
    press(key);
    await expect.poll(() => location.hash).toContain(key);
    await says(t.elsewhere('1-4'));
    expect(record().elements()).toEqual([]);
  },
);

slow(
  'decisions §16.7: no project, a refused one, another number and no record each say so',
  async () => {
    const { host, press } = linkedHost([hook()]);
    await openApp({ host });
    await expect.element(list()).toBeVisible();
    const there = firstOf(host);
    press(keyFor(there, { project_id: 99, number: '7-1' }));
    await says(t.no_project('7-1'));
    host.faults.push({
      at: 'before',
      on: to('session.choose_project'),
      problem: { kind: 'bad_input', messages: [], fields: {} },
    });
    press(keyFor(there, { project_id: 11, number: '7-2' }));
    await says(t.no_project('7-2'));
    expect(host.of('session.choose_project')).toHaveLength(1);
    press(keyFor(there, { number: '7-3' }));
    await says(t.gone('7-3'));
    press(keyFor(there, { id: 999_999, number: '7-4' }));
    await says(t.gone('7-4'));
    press('at-1-10');
    await expect.poll(() => location.hash).toContain('at-1-10');
    await says(t.gone(''));
  },
);
