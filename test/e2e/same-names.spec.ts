/** A firm that calls two of its fields alike, or one as the window calls a fact of its own. */
import { expect, test } from './fixtures.ts';

test.use({ apart: false });

test('a near miss with two facts of one name shows both', async ({ client, world }) => {
  const base = `/rest/v1.0/companies/${client.company_id}/custom_field_definitions`;
  const said: Record<string, string> = {};
  for (const [label, value] of [
    ['Zone', 'North yard'],
    ['zone', 'Third floor'],
    ['Reported by', 'The night guard'],
  ] as const) {
    const definition = { label, data_type: 'string' };
    const made = await client.post(base, { custom_field_definition: definition });
    expect(made.status).toBe(201);
    said[`custom_field_${String((made.json as { id: number }).id)}`] = value;
  }
  const opened = await client.post('~/incidents', { incident: { title: 'Yard' } });
  const made = await client.post('~/incidents/near_misses', {
    near_miss: {
      incident_id: (opened.json as { id: number }).id,
      description: '<p>Chain hoist slipped</p>',
      ...said,
    },
  });
  expect(made.status).toBe(201);
  const page = await world.open();
  page.setDefaultTimeout(60_000);
  await page.locator('.scroller').getByText('Chain hoist slipped').click();
  const pane = page.getByRole('region', { name: 'Near miss', exact: true });
  await expect(pane.getByRole('heading', { level: 1 })).toHaveText('Chain hoist slipped');
  for (const value of ['North yard', 'Third floor', 'The night guard'])
    await expect(pane.locator('dl').getByText(value)).toBeVisible();
});
