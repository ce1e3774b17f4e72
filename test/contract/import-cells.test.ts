/** decisions §11.5: a spreadsheet's cell as its field's value, alike by the command and in the window. */
import { describe, expect, it } from 'vitest';
import { bareWord, cellValue } from '../../src/contract/import-cells.ts';

describe('a cell of a spreadsheet', () => {
  it('that says yes or no is true or false in every language; anything else stays for the field to refuse', () => {
    for (const yes of ['TRUE', 'yes', 'Y', 'Sí', 'si', 'Tak', '1', 'x'])
      expect(cellValue('active', yes), yes).toBe(true);
    for (const no of ['false', 'No', 'Nie', 'n', '0'])
      expect(cellValue('private', no), no).toBe(false);
    expect(cellValue('required', 'perhaps')).toBe('perhaps');
    expect(cellValue('name', 'yes')).toBe('yes');
  });

  it('of choices, people and numbers is what the API takes', () => {
    expect(cellValue('options', 'dry | wet|ice')).toEqual(['dry', 'wet', 'ice']);
    expect(cellValue('people_ids', '12 | 13|anna')).toEqual([12, 13, 'anna']);
    expect([
      cellValue('number', '0042'),
      cellValue('id', '12a'),
      cellValue('origin_id', '0042'),
    ]).toEqual([42, '12a', '0042']);
    expect(cellValue('id', '1'.repeat(17))).toBe('1'.repeat(17));
  });

  it('of a state is read in every language; a moment as whoever asks reads it', () => {
    expect([
      cellValue('status', 'Cerrado'),
      cellValue('status', 'Zamknięte'),
      cellValue('status', 'otwarte'),
      cellValue('status', 'OPEN'),
      cellValue('status', '?'),
    ]).toEqual(['closed', 'closed', 'open', 'open', '?']);
    expect(cellValue('event_date', '2026-01-10T08:15:00Z')).toBe('2026-01-10T08:15:00Z');
    expect(cellValue('event_date', 'noon', (text) => `${text}!`)).toBe('noon!');
    expect([bareWord('Origin ID'), bareWord('número-de_Póliza')]).toEqual([
      'originid',
      'numerodepoliza',
    ]);
  });
});
