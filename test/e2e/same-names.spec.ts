/** A firm that calls a field of its own as the window calls a fact of a near miss. */
import { expect, test } from './fixtures.ts';

test.use({ apart: false });

test('a near miss with two facts of one name shows both', async ({ client, world }) => {
  const base = `/rest/v1.0/companies/${client.company_id}/custom_field_definitions`;
  const { json } = await client.get('~/catalog');
  const [activity] = json.work_activities as { id: number; name: string }[];
  if (activity === undefined) throw new Error('the demo has work activities');
  const definition = { label: 'Work activity', data_type: 'string' };
  const field = await client.post(base, { custom_field_definition: definition });
  expect(field.status).toBe(201);
  const opened = await client.post('~/incidents', { incident: { title: 'Yard' } });
  const made = await client.post('~/incidents/near_misses', {
    near_miss: {
      incident_id: (opened.json as { id: number }).id,
      description: '<p>Chain hoist slipped</p>',
      work_activity_id: activity.id,
      [`custom_field_${String((field.json as { id: number }).id)}`]: 'Night shift lift',
    },
  });
  expect(made.status).toBe(201);
  const page = await world.open();
  page.setDefaultTimeout(60_000);
  await page.locator('.scroller').getByText('Chain hoist slipped').click();
  const pane = page.getByRole('region', { name: 'Near miss', exact: true });
  await expect(pane.getByRole('heading', { level: 1 })).toHaveText('Chain hoist slipped');
  await expect(pane.locator('dt').getByText('Work activity', { exact: true })).toHaveCount(2);
  for (const value of [activity.name, 'Night shift lift'])
    await expect(pane.locator('dl').getByText(value)).toBeVisible();
});
