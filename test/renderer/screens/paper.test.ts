/** The printed page: facts in their place, names only on request, and no names in what is handed out. */
import { expect, it } from 'vitest';
import type { NearMiss } from '../../../src/contract/rest/near-misses.ts';
import { emptyFields, rowOf } from '../../../src/renderer/data/model/near-miss-rows.ts';
import { knownNames, withoutNames } from '../../../src/contract/text/without-names.ts';
import { namesIn } from '../../../src/renderer/screens/paper/anonymous.ts';
import { reportTextsOf } from '../../../src/renderer/screens/paper/report.ts';

const definition = (id: number, label: string, data_type: 'select' | 'string' | 'text') => ({
  id,
  label,
  data_type,
  required: false,
  options: data_type === 'select' ? ['Minor', 'Could have killed'] : [],
});
const definitions = [
  definition(7, 'Potential severity', 'select'),
  definition(8, 'Location', 'string'),
  definition(9, 'Immediate action', 'text'),
];
const row = () => {
  const made = rowOf(
    {
      key: 'one',
      account: 'a',
      project_id: 10,
      company_id: 1,
      server_id: 5,
      server: null,
      created_at: Date.UTC(2026, 2, 4),
      updated_at: 1,
      seen_at: 1,
      removed_at: null,
      fields: {
        ...emptyFields,
        incident_id: 1,
        description: '<p>A plank fell</p>',
        custom_fields: {
          custom_field_7: 'Could have killed',
          custom_field_8: 'Gate 2',
          custom_field_9: 'Area closed',
        },
      },
    },
    null,
  );
  const server = { incident_created_by: { id: 3, name: 'Maria Kovacs' } } as unknown as NearMiss;
  const names = {
    ...made.names,
    incident: 'Deck B',
    affected_person: 'Tom Brennan',
    affected_party: 'Nadia Petrova',
    affected_company: 'Skyline Scaffolding',
  };
  return { ...made, full_number: '2-114', server, names };
};

it('a report tells number, severity, place and action; persons only where asked for', () => {
  const silent = reportTextsOf(row(), definitions, false);
  expect(silent.number).toContain('2-114');
  expect(silent.severity).toMatchObject({ value: 'Could have killed', bad: true });
  expect(silent.action).toBe('Area closed');
  expect(silent.first.map(({ value }) => value)).toEqual(
    expect.arrayContaining(['Gate 2', 'Deck B']),
  );
  expect(JSON.stringify(silent)).not.toMatch(/Brennan|Petrova|Kovacs/);
  const named = reportTextsOf(row(), definitions, true);
  for (const name of ['Tom Brennan', 'Nadia Petrova', 'Maria Kovacs'])
    expect(named.rest.map(({ value }) => value)).toContain(name);
});

it('each part of a hyphenated name, and either apostrophe', () => {
  const known = knownNames(['Ana Núñez-Pérez', 'Rory O’Brien']);
  const clean = (text: string) => withoutNames(text, known, '[name]');
  expect(clean("Nunez and PÉREZ, rory o'brien, O'Brien")).toBe('[name] and [name], [name], [name]');
  expect(clean('Ana Nunez Perez')).toBe('[name]');
});

it('a page handed round names nobody whom Spotter knows, however it was written', () => {
  const catalog = {
    people: [
      { id: 1, name: 'Zoë  García', login: 'z' },
      { id: 2, name: 'Stone', login: 's' },
      { id: 3, name: 'Al (Big) Reed', login: 'al' },
    ],
    parties: [{ id: 4, name: 'Ivan Stone', reference_user: false }],
    custom_field_definitions: [],
  };
  const known = namesIn(row(), catalog);
  const clean = (text: string) => withoutNames(text, known, '[name]');
  expect(clean('Tom slipped, TOM BRENNAN said, and Brennan’s rope held.')).toBe(
    '[name] slipped, [name] said, and [name]’s rope held.',
  );
  expect(clean('zoe\u0308 garci\u0301a and\nAl (Big) Reed')).toBe('[name] and\n[name]');
  expect(clean('Ivan\nStone called Maria')).toBe('[name] called [name]');
  // Without accents, in capitals, and with characters that nobody sees.
  expect(clean('ZOE GARCIA, zoe garcía and Zo\u00adë\u200b García')).toBe(
    '[name], [name] and [name]',
  );
  expect(clean('TOM and BRENNAN')).toBe('[name] and [name]');
  // Left alone: a word that is also a name, a part of a word, the name of an uninvolved person.
  for (const text of [
    'A stone fell, Stone dust',
    'Tomorrow at the atom plant',
    'Tomáš and Tom\u00adorrow',
    'Ivan was not there',
  ])
    expect(clean(text)).toBe(text);
});
