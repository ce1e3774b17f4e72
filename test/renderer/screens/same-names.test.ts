/** Two of a list may have the same name: two people, two choices of a field. */
import { mount, unmount, type Component } from 'svelte';
import { expect, it, onTestFinished } from 'vitest';
import TextField from '../../../src/renderer/parts/TextField.svelte';
import CustomField from '../../../src/renderer/screens/capture/CustomField.svelte';

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
