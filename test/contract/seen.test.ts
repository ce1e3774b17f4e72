/** The text of the field Seen (decisions §4.10): readable, and its moment can be counted with. */
import { expect, it } from 'vitest';
import { readSeen, writeSeen } from '../../src/contract/text/seen.ts';

const AT = Date.parse('2026-11-27T13:05:30Z');

it('decisions §4.10: a moment with its zone and a name, to the minute, in any zone', () => {
  expect(writeSeen('Ana Ruiz', AT, 60)).toBe('2026-11-27 14:05 +01:00 Ana Ruiz');
  expect(writeSeen('Ana Ruiz', AT, -210)).toBe('2026-11-27 09:35 -03:30 Ana Ruiz');
  for (const offset of [0, 60, -210, 345, 840])
    expect(readSeen(writeSeen('Ana Ruiz', AT, offset))).toEqual({
      by: 'Ana Ruiz',
      at: Date.parse('2026-11-27T13:05:00Z'),
    });
});

it('decisions §4.10: a text in another form is a name without a moment; nothing is nobody', () => {
  expect(readSeen('')).toEqual({ by: '', at: null });
  expect(readSeen('Ana, on Friday')).toEqual({ by: 'Ana, on Friday', at: null });
  expect(readSeen('2026-13-45 14:05 +01:00 Ana')).toEqual({
    by: '2026-13-45 14:05 +01:00 Ana',
    at: null,
  });
  expect(readSeen('2026-11-27 14:05 +01:00')).toEqual({
    by: '2026-11-27 14:05 +01:00',
    at: Date.parse('2026-11-27T13:05:00Z'),
  });
});

it('decisions §4.10: a long name is cut to what a text field takes', () => {
  expect(writeSeen('x'.repeat(400), AT, 0)).toHaveLength(255);
});
