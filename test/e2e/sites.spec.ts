/**
 * Changing the project: two presses, by mouse or keys, without a new sign-in. Pending items of the other project are counted
 * beside its name and still sent, a begun form is a draft there, and no network is needed.
 */
import type { Page } from 'playwright/test';
import type { Client } from '../support/service.ts';
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { countPresses } from './presses.ts';
import { connectByNumbers, drained, report, storedAt, tryNow } from './steps.ts';

test.use({ apart: false });

const FIRST = 'Harbour Bridge East';
const SECOND = 'Riverside Tower';

/** Adds a project to the demo's company, with an incident for its records. */
const addProject = async (client: Client, name: string): Promise<number> => {
  const made = await client.post(`/rest/v1.0/companies/${client.company_id}/projects`, {
    project: { name },
  });
  expect(made.status).toBe(201);
  const { id } = made.json as { id: number };
  const incident = { title: `Tower crane of ${name}` };
  const opened = await client.post(`/rest/v1.0/projects/${id}/incidents`, { incident });
  expect(opened.status).toBe(201);
  return id;
};
const switcher = (page: Page) => page.getByRole('button', { name: /\. Change project$/u });
const item = (page: Page, name: string) => page.getByRole('menuitem', { name });
const isIn = (page: Page, name: string): Promise<void> =>
  expect(switcher(page)).toContainText(name);

test('change site: 2 presses and no token; what waits is counted and sent from the other project; an open form stays a draft', async ({
  server,
  chaos,
  client,
  world,
}) => {
  test.setTimeout(600_000);
  const second = await addProject(client, SECOND);
  const page = await world.open();
  await report(page, { text: 'Plank over the pit (switch) one', photos: [] });
  await drained(page);
  // Filed but not sent: the server fails only for new reports.
  const broken = { kind: 'answer', status: 500, headers: {}, body: '' } as const;
  chaos.plan = ({ method, path }) =>
    method === 'POST' && path.split('?')[0]?.endsWith('/near_misses') === true ? broken : null;
  await report(page, { text: 'Plank over the pit (switch) two', photos: [] });
  await page.getByRole('link', { name: 'New near miss' }).click();
  const what = page.getByLabel('What happened?');
  await what.fill('Begun in the first project');

  const asked = () => chaos.seen.filter(({ path }) => path.includes(`projects/${second}/`)).length;
  expect(asked()).toBe(0);
  const presses = await countPresses(page);
  await switcher(page).click();
  await expect(item(page, FIRST)).toContainText('1 waiting');
  await look(page, 'sites');
  await item(page, SECOND).click();

  await isIn(page, SECOND);
  expect(await presses()).toBe(2);
  await expect(page.getByText(`You are now in ${SECOND}.`)).toBeVisible();
  await expect.poll(asked).toBeGreaterThan(0);
  // Another form, empty and focused.
  await expect(what).toHaveValue('');
  await expect(what).toBeFocused();
  await expect(page.getByText('Begun in the first project')).toHaveCount(0);
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  await expect(page.getByText('No near misses yet')).toBeVisible();

  // Pending items of the previous project are still sent.
  chaos.plan = () => null;
  await page
    .getByRole('link', { name: /^Waiting/ })
    .first()
    .click();
  await tryNow(page);
  await drained(page);
  expect((await storedAt(client, '(switch)')).length).toBe(2);

  // Back by keys alone: the list, the first project, Enter. Escape changes nothing.
  await switcher(page).focus();
  await page.keyboard.press('Enter');
  await expect(item(page, SECOND)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(item(page, SECOND)).toHaveCount(0);
  await expect(switcher(page)).toBeFocused();
  await isIn(page, SECOND);
  await page.keyboard.press('Enter');
  await expect(item(page, FIRST)).toBeVisible();
  await page.keyboard.press('Home');
  await expect(item(page, FIRST)).toBeFocused();
  await page.keyboard.press('Enter');
  await isIn(page, FIRST);
  await expect(switcher(page)).toBeFocused();
  await page.getByRole('link', { name: 'New near miss' }).click();
  await page.getByRole('button', { name: 'Continue Begun in the first project' }).click();
  await expect(what).toHaveValue('Begun in the first project');
  // Nobody had to sign in: the token is the original one.
  await expect(page.getByLabel('Access token')).toHaveCount(0);
  expect(server.first.token).not.toBe('');
});

test('change site with no network: at once, kept over a reload, filed there when online; a project that is gone leads back', async ({
  chaos,
  client,
  world,
}) => {
  test.setTimeout(600_000);
  const second = await addProject(client, SECOND);
  const page = await world.open();
  await switcher(page).click();
  await expect(item(page, SECOND)).toBeVisible();
  await item(page, SECOND).click();
  await expect(page.getByText(/^Updated/)).toBeVisible();
  await switcher(page).click();
  await item(page, FIRST).click();
  await isIn(page, FIRST);

  world.offline();
  await switcher(page).click();
  await expect(page.getByText(/^This list is from .* It could not be updated\.$/u)).toBeVisible();
  await item(page, SECOND).click();
  await isIn(page, SECOND);
  await report(page, { text: 'Hook over the road (offline)', photos: [] });
  await page.reload();
  await isIn(page, SECOND);

  world.online();
  await drained(page);
  const list = `/rest/v1.0/projects/${second}/incidents/near_misses?filters[query]=offline`;
  await expect
    .poll(async () => ((await client.get(list)).json as unknown[]).length, { timeout: 60_000 })
    .toBe(1);

  // The token loses the project while the window is offline.
  world.offline();
  await switcher(page).click();
  await item(page, FIRST).click();
  await isIn(page, FIRST);
  const me = await client.get('/rest/v1.0/me');
  const all = me.json as { projects: { id: number }[] };
  const body = JSON.stringify({
    ...all,
    projects: all.projects.filter(({ id }) => id === second),
  });
  const headers = { 'content-type': 'application/json' };
  chaos.plan = ({ path }) =>
    path.endsWith('/me') ? { kind: 'answer', status: 200, headers, body } : null;
  world.online();
  await expect(page.getByText(/You no longer have access to that project/u)).toBeVisible({
    timeout: 60_000,
  });
  await isIn(page, SECOND);
});

test.describe('decisions §4.4', () => {
  test.use({ serverArgs: ['--plain'] });
  test('decisions §4.4: a server that lists no projects has the one in use, and the way to the connect screen', async ({
    app,
    chaos,
    server,
  }) => {
    const page = await app.open();
    page.setDefaultTimeout(60_000);
    await connectByNumbers(page, { first: server.first, url: chaos.url });
    await switcher(page).click();
    await expect(page.getByText('This server does not list its projects.')).toBeVisible();
    await expect(page.getByRole('menuitem')).toHaveCount(2);
    await page.getByRole('menuitem', { name: 'Another project or server…' }).click();
    await expect(page.getByLabel('Server address')).toHaveValue(chaos.url);
    await expect(page.getByLabel('Company number')).toHaveValue(String(server.first.company_id));
  });
});
