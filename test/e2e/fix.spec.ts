/** "Fix": what was refused is named over the form, at its field and in the detail, the focus is there, and a correction goes out. */
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { drained, report, storedAt } from './steps.ts';

test.use({ apart: false });

test('failures A10: Fix names the reason and the field, in the form and in the detail; what is corrected is sent', async ({
  chaos,
  client,
  world,
}) => {
  test.setTimeout(600_000);
  const page = await world.open();
  const refusal = {
    'near_miss.managed_equipment_id': ['is no longer on this project'],
    'near_miss.work_activity_id': ['is no longer active'],
  };
  chaos.plan = ({ method, path }) =>
    method === 'POST' && path.includes('/incidents/near_misses')
      ? {
          kind: 'answer',
          status: 422,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ errors: refusal }),
        }
      : null;
  await report(page, { text: 'Live cable found in trench 7 (to be fixed)', photos: [] });
  // In the detail, where the person is.
  const reason = page
    .getByRole('status')
    .filter({ hasText: 'work activity “is no longer active”' });
  await expect(reason).toBeVisible();
  await reason.getByRole('link', { name: 'Fix' }).click();

  // Over the form, and at both fields, the folded one too; the focus is at the first.
  const over = page.getByRole('alert').filter({ hasText: 'rejected this report' });
  await expect(
    over.getByText('Work activity: The server says: “is no longer active”.'),
  ).toBeVisible();
  await expect(
    over.getByText('Equipment: The server says: “is no longer on this project”.'),
  ).toBeVisible();
  const activity = page.getByRole('combobox', { name: 'Work activity' });
  await expect(activity).toBeFocused();
  await expect(activity).toHaveAccessibleDescription(/is no longer active/u);
  await expect(page.getByRole('combobox', { name: 'Equipment' })).toHaveAccessibleDescription(
    /is no longer on this project/u,
  );
  await look(page, 'fix');

  // What was changed is no longer pointed at; the rest still is.
  await activity.click();
  await page.getByRole('listbox').getByRole('option').first().click();
  await expect(activity).not.toHaveAttribute('aria-invalid', 'true');
  chaos.plan = () => null;
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await drained(page);
  expect(await storedAt(client, 'to be fixed')).toHaveLength(1);
});
