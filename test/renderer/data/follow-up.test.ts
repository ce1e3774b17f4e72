/** Follow-ups of a near miss (decisions §4.7): which fields hold them, when they are due, and what a change sends. */
import { expect, it } from 'vitest';
import type { CustomFieldDefinition } from '../../../src/contract/rest/catalog.ts';
import {
  followUpChange,
  followUpFields,
  followUpOf,
  followUpThen,
} from '../../../src/renderer/data/model/follow-up.ts';
import { createColumns } from '../../../src/renderer/data/index/near-miss-columns.ts';
import { emptyFields, rowOf } from '../../../src/renderer/data/model/near-miss-rows.ts';
import { localDay } from '../../../src/renderer/data/model/local-day.ts';

const field = (
  id: number,
  label: string,
  data_type: CustomFieldDefinition['data_type'] = 'string',
): CustomFieldDefinition => ({ id, label, data_type, options: [], required: false });
const all = [
  field(1, 'Follow-up'),
  field(2, 'Follow-up by'),
  field(3, 'Follow-up date', 'date'),
  field(4, 'Follow-up done', 'date'),
];
const fields = followUpFields(all);
if (fields === null) throw new Error('no fields');
const said = (what: string, who: string, due: string | null, done: string | null) => ({
  custom_fields: {
    custom_field_1: what,
    custom_field_2: who,
    custom_field_3: due,
    custom_field_4: done,
  },
});

it('decisions §4.7: its fields are told by their names in every language; without one of them there is none', () => {
  expect(Object.values(fields).map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  const spanish = followUpFields([
    field(9, 'Acción correctiva', 'text'),
    field(8, 'RESPONSABLE'),
    field(7, 'Fecha límite', 'date'),
    field(6, 'Fecha de cierre', 'date'),
  ]);
  expect(spanish && Object.values(spanish).map(({ id }) => id)).toEqual([9, 8, 7, 6]);
  const polish = followUpFields([
    field(4, 'Dalsze działanie', 'text'),
    field(3, 'Wykona'),
    field(2, 'Termin działania', 'date'),
    field(1, 'Działanie wykonane', 'date'),
  ]);
  expect(polish && Object.values(polish).map(({ id }) => id)).toEqual([4, 3, 2, 1]);
  for (const left_out of all)
    expect(followUpFields(all.filter((one) => one !== left_out))).toBe(null);
  // A text field of that name is no date.
  expect(followUpFields([...all.slice(0, 2), field(3, 'Follow-up date'), ...all.slice(3)])).toBe(
    null,
  );
});

it('it is due on its day, overdue from midnight, done on any; nothing said is nothing to do', () => {
  const on = (day: string, ...given: Parameters<typeof said>) =>
    followUpOf(said(...given), fields, day).standing;
  expect(on('2026-11-19', 'Fit a gate', '', '2026-11-20', null)).toBe('open');
  expect(on('2026-11-20', 'Fit a gate', '', '2026-11-20', null)).toBe('due');
  expect(on('2026-11-21', 'Fit a gate', '', '2026-11-20', null)).toBe('overdue');
  expect(on('2027-01-01', '', 'Maria', null, null)).toBe('open');
  expect(on('2026-11-21', 'Fit a gate', '', '2026-11-20', '2026-11-21')).toBe('done');
  expect(on('2026-11-21', ' ', '', null, null)).toBe('none');
  expect(followUpOf({ custom_fields: {} }, fields, '2026-11-21').standing).toBe('none');
  const midnight = new Date(2026, 10, 21).getTime();
  expect([midnight - 1, midnight].map(localDay)).toEqual(['2026-11-20', '2026-11-21']);
});

it('on a day that has passed it stands as it did then: done later was not done yet', () => {
  const then = (day: string, ...given: Parameters<typeof said>) =>
    followUpThen(said(...given), fields, day).standing;
  const given = ['Fit a gate', '', '2026-11-18', '2026-11-20'] as const;
  const days = ['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21'];
  expect(days.map((day) => then(day, ...given))).toEqual([
    'open',
    'due',
    'overdue',
    'done',
    'done',
  ]);
  expect(then('2026-11-19', '', '', null, '2026-11-20')).toBe('none');
});

it('counted at the end of a week: what was reported by then, open and overdue as it stood', () => {
  const monday = new Date(2026, 10, 23).getTime();
  const columns = createColumns();
  const put = (key: string, reported: number, ...given: Parameters<typeof said>) =>
    columns.put(
      rowOf(
        {
          key,
          account: 'a',
          project_id: 10,
          company_id: 1,
          server_id: null,
          server: null,
          created_at: reported,
          updated_at: 1,
          seen_at: 1,
          removed_at: null,
          fields: { ...emptyFields, incident_id: 1, ...said(...given) },
        },
        null,
      ),
    );
  put('done later', monday - 1, 'Fit a gate', '', '2026-11-21', '2026-11-24');
  put('done then', monday - 1, 'Fit a gate', '', '2026-11-21', '2026-11-22');
  put('due later', monday - 1, 'Fit a gate', '', '2026-11-25', null);
  put('reported later', monday, 'Fit a gate', '', '2026-11-20', null);
  const week = columns.followUps({ fields, today: '2026-11-22', ended: monday });
  expect(week).toMatchObject({ open: 2, overdue: 1, done: 1, first: ['done later', 'due later'] });
  const now = columns.followUps({ fields, today: '2026-11-24' });
  expect(now).toMatchObject({ open: 2, overdue: 1, done: 2 });
});

it('a change names only what was said; an empty text takes a part away', () => {
  expect(followUpChange(fields, { done: '' })).toEqual({ custom_fields: { custom_field_4: null } });
  expect(followUpChange(fields, { what: ' Fit a gate ', due: '2026-11-20' })).toEqual({
    custom_fields: { custom_field_1: 'Fit a gate', custom_field_3: '2026-11-20' },
  });
});
