/** Two items with the same name in one list: two people, two choices of a field, a custom field and a built-in fact. */
import { mount, unmount, type Component } from 'svelte';
import { expect, it, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import TextField from '../../../src/renderer/parts/fields/TextField.svelte';
import CustomField from '../../../src/renderer/screens/capture/fields/CustomField.svelte';
import { openApp } from '../../support/renderer-app.ts';
import { reported, siteCatalog, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const shown = <P extends Record<string, unknown>>(of: Component<P>, props: P): HTMLElement => {
  const target = document.body.appendChild(document.createElement('div'));
  const made = mount(of, { target, props });
  onTestFinished(async () => {
    await unmount(made);
    target.remove();
  });
  return target;
};
const valuesIn = (target: HTMLElement): readonly string[] =>
  [...target.querySelectorAll('option')].map(({ value }) => value);

it('a field that offers two people of one name offers the name once', () => {
  const offers = ['Ana Ruiz', 'Tom Brennan', 'Ana Ruiz'];
  const target = shown(TextField as Component<Record<string, unknown>>, {
    label: 'Who does it?',
    value: '',
    offers,
  });
  expect(valuesIn(target)).toEqual(['Ana Ruiz', 'Tom Brennan']);
});

it('a field with two choices of one name offers it once', () => {
  const definition = { id: 7, label: 'Shift', data_type: 'select', required: false };
  const target = shown(CustomField as Component<Record<string, unknown>>, {
    definition: { ...definition, options: ['Day', 'Night', 'Day'] },
    label: 'Shift',
    value: null,
    onchange: () => undefined,
  });
  expect(valuesIn(target)).toEqual(['', 'Day', 'Night']);
});

slow('a near miss with two facts of one name shows both', async () => {
  const host = siteHost([
    reported('Chain hoist slipped', 3, {
      work_activity: { id: 52, name: 'Crane lift' },
      custom_fields: { custom_field_90: { data_type: 'string', value: 'Night shift lift' } },
    }),
  ]);
  host.service.catalog = {
    ...siteCatalog,
    custom_field_definitions: [
      { id: 90, label: 'Work activity', data_type: 'string', options: [], required: false },
    ],
  };
  await openApp({ host });
  await page.getByRole('link', { name: /Chain hoist slipped/ }).click();
  const pane = page.getByRole('region', { name: 'Near miss', exact: true });
  await expect
    .element(pane.getByRole('heading', { level: 1 }))
    .toHaveTextContent('Chain hoist slipped');
  await expect
    .poll(() =>
      pane
        .getByRole('term')
        .filter({ hasText: /^Work activity$/ })
        .elements(),
    )
    .toHaveLength(2);
  for (const value of ['Crane lift', 'Night shift lift'])
    await expect.element(pane.getByRole('definition').getByText(value)).toBeVisible();
});
