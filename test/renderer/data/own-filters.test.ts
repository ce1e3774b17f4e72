/** Filters and orders that the API lacks: severity, place, reporter, photos, best matches first. */
import { expect, it } from 'vitest';
import type { NearMiss } from '../../../src/contract/rest/near-misses.ts';
import {
  createColumns,
  noMarks,
  type Marks,
} from '../../../src/renderer/data/index/near-miss-columns.ts';
import {
  askedForAll,
  narrows,
  noOwnFilters,
  toApi,
  UNSENT,
  type Asked,
  type OwnFilters,
} from '../../../src/renderer/data/model/near-miss-query.ts';
import { emptyFields, rowOf } from '../../../src/renderer/data/model/near-miss-rows.ts';
import { foundIn } from '../../../src/renderer/screens/near-misses/marks.ts';

interface Told {
  readonly text?: string;
  readonly custom?: Readonly<Record<string, string>>;
  readonly reporter?: { readonly id: number; readonly name: string };
  readonly photos?: number;
  readonly company?: string;
}

const rowFor = (key: string, told: Told) => {
  const { text = key, custom = {}, reporter, photos = 0, company = '' } = told;
  const row = rowOf(
    {
      key,
      account: 'a',
      project_id: 10,
      company_id: 1,
      server_id: null,
      server: null,
      created_at: Number(key),
      updated_at: 1,
      seen_at: 1,
      removed_at: null,
      fields: {
        ...emptyFields,
        incident_id: 1,
        description: `<p>${text}</p>`,
        custom_fields: custom,
      },
    },
    null,
  );
  const server = {
    incident_created_by: reporter,
    attachments: Array.from({ length: photos }, (_one, id) => ({ id })),
  } as unknown as NearMiss;
  return {
    ...row,
    server: reporter === undefined ? null : server,
    names: { ...row.names, affected_company: company },
  };
};

const columnsOf = (rows: Readonly<Record<string, Told>>) => {
  const columns = createColumns();
  for (const [key, told] of Object.entries(rows)) columns.put(rowFor(key, told));
  return columns;
};
const ann = { id: 3, name: 'Ann' };
const bo = { id: 4, name: 'Bo' };
const columns = columnsOf({
  '1': {
    custom: { custom_field_7: 'Serious', custom_field_8: 'Gate 2 ' },
    reporter: ann,
    photos: 2,
  },
  '2': { custom: { custom_field_7: 'Minor', custom_field_8: 'Gate 2' }, reporter: bo },
  '3': { custom: { custom_field_7: 'Serious' } },
});
const marks = { ...noMarks, photos: new Set(['3']), counted: ['custom_field_7', 'custom_field_8'] };
const found = (own: Partial<OwnFilters>): string =>
  columns
    .ask({ ...askedForAll, own: { ...noOwnFilters, ...own } }, 'all', marks)
    .found.map(({ key }) => key)
    .join();

it('narrows by texts of custom fields, by who reported it and by photos; what is not sent has a reporter and photos too', () => {
  expect(found({ texts: { custom_field_7: ['Serious'] } })).toBe('3,1');
  expect(found({ texts: { custom_field_8: ['Gate 2'] } })).toBe('2,1');
  expect(
    found({ texts: { custom_field_7: ['Serious', 'Minor'], custom_field_8: ['Gate 2'] } }),
  ).toBe('2,1');
  expect(found({ texts: { custom_field_7: [] } })).toBe('3,2,1');
  expect(found({ reporters: [ann.id, UNSENT] })).toBe('3,1');
  expect(found({ photos: true })).toBe('3,1');
  expect(found({ photos: false })).toBe('2');
  expect(narrows({ ...askedForAll, own: { ...noOwnFilters, photos: false } })).toBe(true);
});

it('narrows by what has to be done and by what is due, and counts both; another day is another answer', () => {
  const [what, who, due, done] = (['string', 'string', 'date', 'date'] as const).map(
    (data_type, at) => ({ id: at + 1, label: '', data_type, options: [], required: false }),
  );
  if (!what || !who || !due || !done) throw new Error('no fields');
  const fields = { what, who, due, done };
  const to_do = columnsOf({
    '1': { custom: { custom_field_3: '2026-11-19' } },
    '2': { custom: { custom_field_1: 'Fit a gate', custom_field_3: '2026-11-21' } },
    '3': { custom: { custom_field_3: '2026-11-19', custom_field_4: '2026-11-18' } },
    '4': { custom: { custom_field_2: 'Ann' } },
    '5': {},
  });
  const keys = (today: string, follow_up: OwnFilters['follow_up']) => {
    const on = { ...noMarks, follow_up: { fields, today } };
    const asked = { ...askedForAll, own: { ...noOwnFilters, follow_up } };
    return to_do.ask(asked, 'all', on).found.map(({ key }) => key);
  };
  expect(keys('2026-11-20', null)).toEqual(['5', '4', '3', '2', '1']);
  expect(keys('2026-11-20', 'open')).toEqual(['4', '2', '1']);
  expect(keys('2026-11-20', 'due')).toEqual(['1']);
  expect(keys('2026-11-21', 'due')).toEqual(['2', '1']);
  expect(to_do.followUps({ fields, today: '2026-11-22' })).toEqual({
    open: 3,
    due: 2,
    overdue: 2,
    done: 1,
    in_time: 1,
    first: ['1', '2', '4'],
  });
  const on = { ...noMarks, follow_up: { fields, today: '2026-11-21' } };
  const chosen = { ...askedForAll, own: { ...noOwnFilters, follow_up: 'due' as const } };
  expect(to_do.facets(chosen, on).own.follow_up).toEqual({ open: 3, due: 2 });
  expect(narrows(chosen)).toBe(true);
  // A server without the fields has no follow-ups.
  expect(to_do.ask(chosen, 'all', noMarks).found).toEqual([]);
});

it('counts each of them as if it were not chosen; what is chosen stays in sight', () => {
  const own = {
    texts: { custom_field_7: ['Minor'], custom_field_8: ['Roof'] },
    reporters: [],
    photos: null,
    follow_up: null,
    unanswered: false,
    on_plan: null,
  };
  const facets = columns.facets({ ...askedForAll, own }, marks).own;
  expect(facets.texts).toEqual({
    custom_field_7: [{ id: 'Minor', name: 'Minor', count: 0 }],
    custom_field_8: [
      { id: 'Gate 2', name: 'Gate 2', count: 1 },
      { id: 'Roof', name: 'Roof', count: 0 },
    ],
  });
  const all = columns.facets(askedForAll, marks).own;
  expect(all.reporters.map(({ id, name, count }) => [id, name, count])).toEqual([
    [UNSENT, '', 1],
    [ann.id, 'Ann', 1],
    [bo.id, 'Bo', 1],
  ]);
  expect(all.photos).toEqual({ with: 2, without: 1 });
});

it('the best first: what says it in its description, then what has it elsewhere; the row says where', () => {
  const told = columnsOf({
    '1': { text: 'A rope was cut' },
    '2': { text: 'A plank', company: 'Rope Access' },
    '3': { text: 'Cut by a rope' },
  });
  const order = (query: string) =>
    told.ask({ ...askedForAll, query, sort: 'best' }).found.map(({ key }) => key);
  expect(order('ROPE')).toEqual(['3', '1', '2']);
  expect(order('rope cut')).toEqual(['3', '1']);
  const plank = rowFor('2', { text: 'A plank', company: 'Rope Access' });
  expect(foundIn(plank, 'rope')).toEqual({ place: 'Affected company', text: 'Rope Access' });
  expect(foundIn(plank, 'plank')).toBeNull();
  const long = rowFor('4', {
    text: `First line</p><p>${'and more '.repeat(30)}then the ROPE broke`,
  });
  expect(foundIn(long, 'rope')).toEqual({
    place: null,
    text: expect.stringMatching(/^….*ROPE broke$/),
  });
});

it('counts what the list shows where the search falls back to the words alone, whatever else narrows it', () => {
  const wet = columnsOf({
    '1': { text: 'slab wet all night', reporter: ann, custom: { custom_field_7: 'Serious' } },
    '2': { text: 'the wet slab', reporter: bo, custom: { custom_field_7: 'Minor' } },
    '3': { text: 'slab still wet', reporter: bo, custom: { custom_field_7: 'Minor' } },
  });
  const shows = (query: string, own: Partial<OwnFilters>): number =>
    wet.ask({ ...askedForAll, query, own: { ...noOwnFilters, ...own } }, 'all', marks).found.length;
  for (const query of ['wet slab', 'slab wet', 'night wet', 'nobody knows'])
    for (const start of [{}, { reporters: [ann.id] }, { texts: { custom_field_7: ['Serious'] } }]) {
      const own = { ...noOwnFilters, ...start };
      const facets = wet.facets({ ...askedForAll, query, own }, marks).own;
      for (const { id, count } of facets.reporters)
        expect([query, start, id, count]).toEqual([
          query,
          start,
          id,
          shows(query, { ...own, reporters: [Number(id)] }),
        ]);
      for (const { id, count } of facets.texts['custom_field_7'] ?? [])
        expect([query, start, id, count]).toEqual([
          query,
          start,
          id,
          shows(query, { ...own, texts: { custom_field_7: [String(id)] } }),
        ]);
      expect(facets.photos.without).toBe(shows(query, { ...own, photos: false }));
    }
  const { found: by_ann, loose } = wet.ask(
    { ...askedForAll, query: 'wet slab', own: { ...noOwnFilters, reporters: [ann.id] } },
    'all',
    marks,
  );
  expect([by_ann.length, loose]).toEqual([0, false]);
});

it('counts a field of the API as the list does where the search falls back', () => {
  const ids = { '1': [5, 'slab wet all night'], '2': [6, 'the wet slab'] } as const;
  const made = createColumns();
  for (const [key, [harm_source_id, text]] of Object.entries(ids)) {
    const row = rowFor(key, { text });
    made.put({ ...row, fields: { ...row.fields, harm_source_id } });
  }
  for (const query of ['wet slab', 'slab wet', 'night wet']) {
    const asked = { ...askedForAll, query, ids: { harm_source_id: [5] } };
    const { found } = made.ask(asked);
    const counted = made.facets(asked).harm_source_id.find(({ id }) => id === 5)?.count;
    expect([query, counted]).toEqual([query, found.length]);
  }
});

const definition = (id: number, label: string, options: readonly string[] = []) => ({
  id,
  label,
  data_type: options.length > 0 ? ('select' as const) : ('text' as const),
  options: [...options],
  required: false,
});

it('A58: the search finds places, actions, captions and who reported; a number is found as a whole', () => {
  const told = columnsOf({
    '1': { text: 'A telehandler reversed', custom: { custom_field_8: 'Gate 2, laydown area' } },
    '2': { text: 'A lorry at the gate', custom: { custom_field_8: 'Level 42' } },
    '3': { text: 'A plank', custom: { custom_field_9: 'IMG_7.jpg (before): Toe board missing' } },
    '4': { text: 'A rope', custom: { custom_field_5: 'Area closed off' }, reporter: ann },
  });
  const found = (query: string) =>
    told
      .ask({ ...askedForAll, query })
      .found.map(({ key }) => key)
      .join();
  expect(found('laydown')).toBe('1');
  expect(found('gate 2')).toBe('1');
  expect(found('gate 42')).toBe('2');
  expect(found('gate 2 telehandler')).toBe('1');
  expect(found('toe board')).toBe('3');
  expect(found('IMG_7')).toBe('');
  expect(found('closed off')).toBe('4');
  expect(found('Ann')).toBe('4');

  const definitions = [
    definition(8, 'Location'),
    definition(5, 'Immediate action'),
    definition(9, 'Photo captions'),
  ];
  const reversed = rowFor('1', {
    text: 'A telehandler reversed',
    custom: { custom_field_8: 'Gate 2, laydown area' },
  });
  expect(foundIn(reversed, 'gate 2 telehandler', definitions)).toEqual({
    place: 'Where',
    text: 'Gate 2, laydown area',
  });
  expect(foundIn({ ...reversed, full_number: '3-42' }, '42')).toEqual({
    place: 'Number',
    text: '3-42',
  });
  expect(foundIn({ ...reversed, full_number: '3-42' }, '4')).toBeNull();
});

it('sorts by severity, place and time of the event; severities are counted from the worst', () => {
  const told = columnsOf({
    '1': { custom: { custom_field_7: 'Minor', custom_field_8: 'roof' } },
    '2': {
      custom: { custom_field_7: 'Could have killed', custom_field_6: '2026-01-02T08:00:00Z' },
    },
    '3': { custom: { custom_field_7: 'Serious', custom_field_8: 'Gate' } },
    '4': { custom: { custom_field_8: 'Stairs', custom_field_6: '2026-01-01T08:00:00Z' } },
  });
  const options = ['Minor', 'Serious', 'Could have killed'];
  const parts = {
    severity: { field: 'custom_field_7', options },
    place: 'custom_field_8',
    event_time: 'custom_field_6',
  };
  const on = { ...noMarks, parts, counted: ['custom_field_7'] };
  const order = (sort: Asked['sort'], known: Marks = on) =>
    told
      .ask({ ...askedForAll, sort }, 'all', known)
      .found.map(({ key }) => key)
      .join();
  expect(order('-severity')).toBe('2,3,1,4');
  expect(order('severity')).toBe('1,3,2,4');
  expect(order('place')).toBe('3,1,4,2');
  expect(order('-event_time')).toBe('2,4,3,1');
  // A project without the field keeps newest first.
  expect(order('-severity', { ...on, parts: noMarks.parts })).toBe('4,3,2,1');
  const severities = told.facets(askedForAll, on).own.texts['custom_field_7'];
  expect(severities?.map(({ name }) => name)).toEqual(['Could have killed', 'Serious', 'Minor']);
  expect(toApi({ ...askedForAll, sort: '-severity' })).toEqual({});
});
