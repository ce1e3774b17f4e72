/** One word of a formatted description is changed in the form, and nothing else: the list, the table and the link stay as they were. */
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { drained } from './steps.ts';

test.use({ apart: false });

const DESCRIPTION = [
  '<p>Manhole open at gate 3, see <a href="https://example.com/permit">the permit office</a></p>',
  '<ul><li><p>Cover <strong>refitted</strong></p></li><li><p>Barrier placed</p></li></ul>',
  '<table><tbody><tr><td colspan="1" rowspan="1"><p>Depth</p></td><td colspan="1" rowspan="1"><p>deep</p></td></tr></tbody></table>',
].join('');

test('an edit of one word in a list, a table and a link changes that word and nothing else', async ({
  client,
  world,
}) => {
  test.setTimeout(600_000);
  const incident = (await client.get('~/catalog')).json as { incidents: { id: number }[] };
  const made = await client.post('~/incidents/near_misses', {
    near_miss: { incident_id: incident.incidents[0]?.id, description: DESCRIPTION },
  });
  const { id, description: before } = made.json as { id: number; description: string };
  const page = await world.open();
  await page.getByRole('link', { name: /Manhole open at gate 3/ }).click();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  const box = page.getByRole('textbox', { name: 'What happened?' });
  for (const [from, to] of [
    ['refitted', 'locked'],
    ['deep', 'shallow'],
    ['permit', 'licence'],
  ] as const) {
    await box.getByText(from).last().dblclick();
    await page.keyboard.type(to);
    await expect(box).toContainText(to);
  }
  await look(page, 'edit-formatted');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Changes saved on this laptop.')).toBeVisible();
  await drained(page);
  const there = (await client.get(`~/incidents/near_misses/${id}`)).json as { description: string };
  expect(there.description).toBe(
    before
      .replace('refitted', 'locked')
      .replace('deep', 'shallow')
      .replace('the permit office', 'the licence office'),
  );
});
