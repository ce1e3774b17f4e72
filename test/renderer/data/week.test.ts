/** The week on a page counts by local weeks and days, next to the previous week, ordered and bounded. */
import { expect, it } from 'vitest';
import { weeksLater, weekStart } from '../../../src/renderer/data/index/insights.ts';
import { emptyFields, rowOf } from '../../../src/renderer/data/model/near-miss-rows.ts';
import { SPOTS, weekEnds, weekOf, WORST } from '../../../src/renderer/data/index/week.ts';
import { weekRows } from '../../../src/renderer/screens/insights/week-table.ts';

const severities = ['Minor', 'Serious', 'Could have killed'];
const row = (at: number, place = '', severity = '', harm_source = '') => {
  const made = rowOf(
    {
      key: `${at} ${place} ${severity} ${Math.random()}`,
      account: 'a',
      project_id: 10,
      company_id: 1,
      server_id: null,
      server: null,
      created_at: at,
      updated_at: 1,
      seen_at: 1,
      removed_at: null,
      fields: {
        ...emptyFields,
        incident_id: 1,
        description: '<p>A plank fell</p>',
        custom_fields: { custom_field_7: severity, custom_field_8: place },
      },
    },
    null,
  );
  return { ...made, names: { ...made.names, harm_source } };
};
const textIn = (key: string) => (one: ReturnType<typeof row>) =>
  String(one.fields.custom_fields[key] ?? '');
const fields = {
  severity: textIn('custom_field_7'),
  severities,
  place: textIn('custom_field_8'),
};

// Weeks with a clock change, in Europe and in America.
for (const day of ['2026-11-18', '2026-03-26', '2026-10-22', '2026-03-05', '2026-10-29'])
  it(`the week of ${day}: both its ends, and the week before`, () => {
    const start = weekStart(Date.parse(`${day}T12:00:00`));
    const next = weeksLater(start, 1);
    const { from, to } = weekEnds(start);
    expect([from, to]).toEqual([weeksLater(start, -1), next]);
    const found = weekOf(
      [
        row(start, 'Gate 2', 'Minor', 'Gravity'),
        row(next - 1, ' Gate 2 ', 'Could have killed', 'Gravity'),
        row(next, 'Gate 9', 'Could have killed'),
        row(start - 1, 'Gate 2', 'Could have killed', 'Gravity'),
        row(from, 'Gate 1', 'Serious'),
        row(from - 1, 'Gate 9'),
      ],
      start,
      fields,
    );
    expect(found.total).toMatchObject({ count: 2, before: 2 });
    expect(found.worst).toEqual({ name: 'Could have killed', count: 1, before: 1 });
    expect(found.places).toEqual([{ name: 'Gate 2', count: 2, before: 1 }]);
    expect(found.sources).toEqual([{ name: 'Gravity', count: 2, before: 1 }]);
    expect(found.activities).toEqual([]);
    expect(found.days.map(({ count }) => count)).toEqual([1, 0, 0, 0, 0, 0, 1]);
    expect(found.days.map(({ before }) => before)).toEqual([1, 0, 0, 0, 0, 0, 1]);
    expect(found.reports.map(({ created_at }) => created_at)).toEqual([next - 1, start]);
  });

it('in the workbook open follow-ups stand beside those of the week before', () => {
  const found = weekOf([], weekStart(Date.parse('2026-11-18T12:00:00')), fields);
  const follow = (open: number, overdue: number) => ({
    open,
    due: overdue,
    overdue,
    done: 0,
    in_time: 0,
    first: [],
  });
  const rows = weekRows(found, follow(5, 2), follow(3, 0));
  expect(rows.slice(-2)).toEqual([
    ['Follow-up', 'Open', 5, 3],
    ['Follow-up', 'Overdue', 2, 0],
  ]);
  expect(weekRows(found, null, null)).toHaveLength(rows.length - 2);
});

it('lists are short and in order: the most first, the worst first, then the newest', () => {
  const start = weekStart(Date.parse('2026-11-18T12:00:00'));
  const rows = Array.from({ length: 40 }, (_, n) =>
    row(start + n * 60_000, `Gate ${n % 8}`, severities[n % 3] ?? ''),
  );
  const found = weekOf([...rows, row(start, 'Gate 3')], start, fields);
  expect(found.places).toHaveLength(SPOTS);
  expect(found.places[0]).toMatchObject({ name: 'Gate 3', count: 6 });
  expect(found.reports).toHaveLength(WORST);
  expect(new Set(found.reports.map(fields.severity))).toEqual(new Set(['Could have killed']));
  const times = found.reports.map(({ created_at }) => created_at);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  expect(weekOf(rows, start, { ...fields, severities: [] }).worst).toBe(null);
});
