/**
 * A server that has the API and none of our additions (decisions §4.4): no list of companies and projects, no catalog. Made of
 * the real service behind a proxy that answers 404 for these, as such a server would.
 */
import { startChaos, type Fault, type Seen } from '../support/chaos.ts';
import { startServer, type Server } from '../support/server.ts';
import { clientOf } from '../support/service.ts';
import { expect, test } from './fixtures.ts';

let server: Server;
test.beforeEach(async () => {
  server = await startServer();
});
test.afterEach(() => server.remove());

const ours = ({ path }: Seen): boolean =>
  /^\/rest\/v1\.0\/(me|projects\/\d+\/(catalog|incidents))(\/\d+)?(\?|$)/.test(path);
const lists = ({ method, path }: Seen): boolean =>
  method === 'GET' && /\/near_misses(\?|$)/.test(path);
const json = { 'content-type': 'application/json' };
const missing: Fault = {
  kind: 'answer',
  status: 404,
  headers: json,
  body: '{"errors":["Not found"]}',
};
const nothing: Fault = { kind: 'answer', status: 200, headers: json, body: '[]' };

test('decisions §4.4: without /me and a catalog ids are typed, then picked from the records seen, and what is filed arrives', async ({
  app,
}) => {
  // At first the project looks empty: nothing to make a pick list of.
  const proxy = await startChaos(server.url, (seen) =>
    ours(seen) ? missing : lists(seen) ? nothing : null,
  );
  const client = clientOf(server.url, server.first);
  const stored = async (text: string) => {
    const query = encodeURIComponent(text);
    const found = await client.get(`~/incidents/near_misses?filters[query]=${query}`);
    return found.json as { incident_id: number; incident_title: string }[];
  };
  try {
    const [known] = (await client.get('~/incidents')).json as { id: number; title: string }[];
    if (known === undefined) throw new Error('the demo has an incident');
    const page = await app.open();
    page.setDefaultTimeout(15_000);
    await page.getByRole('button', { name: 'Connect to a server' }).click();
    await page.getByLabel('Server address').fill(proxy.url);
    await page.getByLabel('Company number').fill(String(server.first.company_id));
    await page.getByLabel('Access token').fill(server.first.token);
    await page.getByRole('button', { name: 'Check and go on' }).click();
    await expect(page.getByText('The server accepts the token. Now the project.')).toBeVisible();
    await page.getByLabel('Project number').fill(String(server.first.project_id));
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await expect(page.getByText('No near misses yet')).toBeVisible();
    await expect(page.getByText(/^Up to date/)).toBeVisible();

    await page.getByRole('link', { name: 'New near miss' }).first().click();
    await page.getByLabel('What happened?').fill('Ladder rung split (typed)');
    await page.getByRole('textbox', { name: /^Incident/ }).fill(String(known.id));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('record accepted by the server')).toBeVisible();
    expect(await stored('Ladder rung split (typed)')).toMatchObject([{ incident_id: known.id }]);

    proxy.plan = (seen) => (ours(seen) ? missing : null);
    await page.getByRole('link', { name: 'Near misses', exact: true }).click();
    await page.getByRole('button', { name: 'Get the newest' }).click();
    await expect(page.getByRole('button', { name: 'All 251' })).toBeVisible();
    await expect(page.getByText(/^Up to date/)).toBeVisible();
    await page.getByRole('link', { name: 'New near miss' }).click();
    await page.getByLabel('What happened?').fill('Ladder rung split (picked)');
    await page.getByRole('combobox', { name: 'Harm source' }).click();
    await page.getByRole('option', { name: 'Electricity' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('record accepted by the server')).toBeVisible();
    expect(await stored('Ladder rung split (picked)')).toMatchObject([
      { incident_id: known.id, harm_source: { name: 'Electricity' } },
    ]);
    await page.getByRole('link', { name: 'Near misses', exact: true }).click();
    await expect(page.getByRole('button', { name: 'All 252' })).toBeVisible();
  } finally {
    await proxy.close();
  }
});
