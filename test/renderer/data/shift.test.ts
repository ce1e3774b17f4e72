/** The summary at the start of a shift: since when, how many, worst first. */
import { describe, expect, it } from 'vitest';
import type { NearMissRow } from '../../../src/renderer/data/db/db.ts';
import { shiftOf, startOfYesterday } from '../../../src/renderer/data/model/shift.ts';

const row = (key: string, created_at: number, severity: string | null): NearMissRow =>
  ({
    key,
    created_at,
    fields: { custom_fields: { custom_field_1: severity } },
  }) as unknown as NearMissRow;
const severityOf = ({ fields }: NearMissRow) =>
  fields.custom_fields['custom_field_1'] as string | null;

describe('the start of a shift', () => {
  it('counts from 00:00 of the day before, over the ends of months and of summer time', () => {
    const at = (...day: [number, number, number]) =>
      startOfYesterday(new Date(...day, 6, 30).getTime());
    expect(at(2026, 10, 23)).toBe(new Date(2026, 10, 22).getTime());
    expect(at(2026, 2, 1)).toBe(new Date(2026, 1, 28).getTime());
    expect(at(2026, 9, 26)).toBe(new Date(2026, 9, 25).getTime());
  });

  it('puts the worst first, then the newest; what nobody rated comes last', () => {
    const rows = [
      row('old worst', 10, 'Fatal'),
      row('mild', 50, 'Minor'),
      row('unrated', 60, null),
      row('new worst', 20, 'Fatal'),
    ];
    const { fresh, worst, first } = shiftOf(rows, severityOf, ['Minor', 'Fatal']);
    expect([fresh, worst, first.map(({ key }) => key)]).toEqual([
      4,
      2,
      ['new worst', 'old worst', 'mild'],
    ]);
    const without = shiftOf(rows, severityOf, []);
    expect([without.worst, without.first[0]?.key]).toEqual([null, 'unrated']);
    expect(shiftOf([], severityOf, ['Minor'])).toEqual({ fresh: 0, worst: 0, first: [] });
  });
});
