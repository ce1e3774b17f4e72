/** Numbers of custom fields as typed, shown and edited, in both languages; titles cut inside an emoji. */
import { afterEach, describe, expect, it } from 'vitest';
import type { CustomFieldDefinition } from '../../../src/contract/rest/catalog.ts';
import { titleOf } from '../../../src/renderer/data/model/text.ts';
import {
  answersOf,
  emptyAnswers,
  fieldsOf,
  troublesOf,
} from '../../../src/renderer/near-miss-form/answers.ts';
import { shownValue } from '../../../src/renderer/near-miss-form/view.ts';
import { speak } from '../../../src/renderer/words/words.ts';

const field = { id: 4, label: 'Depth', data_type: 'number', required: false, options: [] };
const definition = field as unknown as CustomFieldDefinition;
const sentOf = (typed: string): unknown => {
  const answers = { ...emptyAnswers(1), what: 'x', custom: { custom_field_4: typed } };
  const trouble = troublesOf(answers, [definition])['custom_field_4'];
  return trouble ?? fieldsOf(answers, [definition]).custom_fields['custom_field_4'];
};
/** The text that an edit shows, and what it sends if untouched. */
const roundTrip = (value: number) => {
  const shown = answersOf({ custom_fields: { custom_field_4: value } }, [definition]);
  const typed = String(shown.custom['custom_field_4']);
  return [typed, sentOf(typed)];
};

afterEach(() => speak('en'));

describe('a number', () => {
  it('that may be a thousand or a fraction is not guessed', async () => {
    expect(sentOf('1,250')).toBe('not_a_number');
    expect([sentOf('1.250'), sentOf('3,5'), sentOf('-0.5'), sentOf('1250')]).toEqual([
      1.25, 3.5, -0.5, 1250,
    ]);
    expect([sentOf('0x1A'), sentOf('1,250,000'), sentOf('Infinity')]).toEqual([
      'not_a_number',
      'not_a_number',
      'not_a_number',
    ]);
    await speak('es');
    expect(sentOf('-1,250')).toBe('not_a_number');
    expect([sentOf('0,250'), sentOf('1,25'), sentOf('1250,5')]).toEqual([0.25, 1.25, 1250.5]);
  });

  it('that is edited stays what it is', () => {
    const values = [1.125, 1e21, -12_500, 0];
    expect(values.map(roundTrip)).toEqual(values.map((value) => [String(value), value]));
  });

  it('is shown with every digit', async () => {
    expect(shownValue(definition, 0.00004)).toBe('0.00004');
    expect(shownValue(definition, '12345678901234567890')).toBe('12345678901234567890');
    expect(shownValue(definition, 1250.12345)).toBe('1,250.12345');
    await speak('es');
    expect(shownValue(definition, 12_500.5)).toBe('12,500.5');
  });
});

it('a title ends between two letters, never within one', () => {
  const worker = '👷🏽‍♂️';
  const title = titleOf(`${'x'.repeat(115)}${worker} falls from the scaffold`);
  expect(title).toBe(`${'x'.repeat(115)}…`);
  expect(titleOf(`${'x'.repeat(118)}e\u0301tage`)).toBe(`${'x'.repeat(118)}…`);
  expect(titleOf('x'.repeat(121))).toBe(`${'x'.repeat(119)}…`);
  expect(titleOf('x'.repeat(120))).toBe('x'.repeat(120));
});
