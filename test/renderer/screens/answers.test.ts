/** The mapping between typed answers and the sent body, without a screen. */
import { describe, expect, it } from 'vitest';
import {
  type Catalog,
  customFieldDefinition,
  type CustomFieldDefinition,
} from '../../../src/contract/rest/catalog.ts';
import { emptyCatalog } from '../../../src/renderer/data/db/catalog.ts';
import {
  answersOf,
  chooseLevel,
  chooseRisk,
  earliestTaken,
  emptyAnswers,
  fieldsOf,
  firstWords,
  incidentToBegin,
  isEmpty,
  localInput,
  mayBeNow,
  optionsOf,
  repeatable,
  riskOf,
  takenInput,
  troublesOf,
  wholeNumber,
} from '../../../src/renderer/near-miss-form/answers.ts';
import { rolesOf } from '../../../src/renderer/near-miss-form/roles.ts';

import { htmlOf } from '../../../src/renderer/data/model/text.ts';
import { bandOf, ratingText, splitRating } from '../../../src/renderer/near-miss-form/rating.ts';

const field = (
  id: number,
  label: string,
  data_type: CustomFieldDefinition['data_type'],
  more: Partial<CustomFieldDefinition> = {},
): CustomFieldDefinition => ({ id, label, data_type, options: [], required: false, ...more });

const severity = field(1, 'Potential severity', 'select', {
  options: ['Minor', 'Could have killed'],
});
const where = field(2, ' location ', 'string');
const when = field(3, 'Event time', 'datetime');
const people = field(4, 'People nearby', 'number');
const stopped = field(5, 'Work stopped', 'boolean', { required: true });
const all = [severity, where, when, people, stopped];

describe('answers', () => {
  it('finds the parts of the form by their label and type, and keeps the required ones in sight', () => {
    const roles = rolesOf(all);
    expect([roles.severity?.id, roles.where?.id, roles.when?.id]).toEqual([1, 2, 3]);
    expect(roles.required.map((one) => one.id)).toEqual([5]);
    expect(roles.rest.map((one) => one.id)).toEqual([4]);
    expect(rolesOf([field(9, 'Location', 'boolean')]).where).toBeUndefined();
  });

  it('decisions §3.6: every type is sent as the server reads it', () => {
    const answers = {
      ...emptyAnswers(7),
      what: ' Board <slid>\noff ',
      custom: {
        custom_field_1: 'Minor',
        custom_field_2: '  ',
        custom_field_3: '2026-11-20T10:32',
        custom_field_4: '3,5',
        custom_field_5: false,
      },
    };
    const sent = fieldsOf(answers, all);
    expect(sent.incident_id).toBe(7);
    expect(sent.description).toBe('<p>Board &lt;slid&gt;<br>off</p>');
    expect(sent.custom_fields).toEqual({
      custom_field_1: 'Minor',
      custom_field_2: null,
      custom_field_3: new Date(2026, 10, 20, 10, 32).toISOString(),
      custom_field_4: 3.5,
      custom_field_5: false,
    });
  });

  it('a draft comes back as it was typed, a half-typed number too', () => {
    const typed = {
      ...emptyAnswers(7),
      what: 'Half a sen',
      custom: { custom_field_3: '2026-11-20T10:32', custom_field_4: '3x', custom_field_5: true },
    };
    expect(answersOf(fieldsOf(typed, all), all)).toEqual(typed);
  });

  it('an edit that leaves the words alone keeps their formatting', () => {
    const before = {
      description: '<p>Board <b>slid</b></p>',
      custom_fields: { custom_field_99: 'kept' },
    };
    const same = fieldsOf(answersOf(before, all), all, before);
    expect(same.description).toBe(before.description);
    expect(same.custom_fields).toMatchObject({ custom_field_99: 'kept' });
    // Formatted text stays formatted; list, search and the empty check read only its words.
    const edited = {
      ...answersOf(before, all),
      what: 'Board fell',
      rich: '<p>Board <b>fell</b></p>',
    };
    expect(fieldsOf(edited, all, before).description).toBe('<p>Board <b>fell</b></p>');
    const plain = { ...before, description: '<p>Board</p>' };
    const changed = fieldsOf({ ...answersOf(plain, all), what: 'Other' }, all, plain);
    expect(changed.description).toBe('<p>Other</p>');
  });

  it('how bad, without a field, stands apart from a formatted description too', () => {
    const said = htmlOf(ratingText({ level: 1, risk: null }));
    const list = '<ul><li>One</li><li>Two</li></ul>';
    const read = answersOf({ description: list + said }, []);
    expect(read).toMatchObject({ rich: list, rating: { level: 1, risk: null } });
    const worse = { ...read, rating: { level: 2, risk: null } as const };
    expect(fieldsOf(worse, []).description).toBe(
      list + htmlOf(ratingText({ level: 2, risk: null })),
    );
  });

  it('points at what is missing, too long, no number and no choice', () => {
    expect(troublesOf(emptyAnswers(null), all)).toEqual({
      what: 'missing',
      incident_id: 'missing',
      custom_field_5: 'missing',
    });
    const custom = { custom_field_1: 'Gone', custom_field_4: '3x', custom_field_5: false };
    expect(troublesOf({ ...emptyAnswers(1), what: 'x', custom }, all)).toEqual({
      custom_field_1: 'not_a_choice',
      custom_field_4: 'not_a_number',
    });
  });

  it('decisions §3.2: 64 KiB is counted in UTF-8 bytes of what is sent', () => {
    const at = (length: number) =>
      troublesOf({ ...emptyAnswers(1), what: 'ü'.repeat(length) }, [])['what'];
    expect(at((65_536 - 7) / 2 - 1)).toBeUndefined();
    expect(at(32_768)).toBe('too_long');
  });

  it('a form nobody touched is empty, whatever incident it starts with', () => {
    expect(isEmpty(emptyAnswers(7))).toBe(true);
    expect(isEmpty({ ...emptyAnswers(7), what: 'x' })).toBe(false);
    expect(isEmpty({ ...emptyAnswers(7), custom: { custom_field_5: false } })).toBe(false);
  });

  it('a draft is called by what was typed first; a rating, a time and a choice are no words', () => {
    const of = (fields: Parameters<typeof answersOf>[0], known = [severity, where, when]) =>
      firstWords(answersOf(fields, known), known);
    expect(
      of({ description: '<p>Board fell</p>', custom_fields: { custom_field_2: 'Gate 2' } }),
    ).toBe('Board fell');
    expect(of({ description: ' ', custom_fields: { custom_field_2: 'Gate 2' } })).toBe('Gate 2');
    const chosen = { custom_field_1: 'Minor', custom_field_3: '2026-11-22T10:00:00Z' };
    expect(
      of({ description: `<p>${ratingText({ level: 1, risk: null })}</p>`, custom_fields: chosen }),
    ).toBe('');
    // Photo captions are not used as the title of a report.
    const captions = field(9, 'Photo captions', 'text');
    expect(
      of({ description: '', custom_fields: { custom_field_9: 'a.jpg: Gate' } }, [captions]),
    ).toBe('');
    // If the catalog lacks a field, it is unknown whether the field holds text.
    expect(of({ description: '', custom_fields: { custom_field_2: 'Gate 2' } }, [])).toBe('Gate 2');
  });

  it('a photo’s time: certain where the file names its zone, else the camera’s wall clock', () => {
    const at = Date.UTC(2026, 10, 20, 9, 32);
    expect(takenInput({ local: '2026-11-20T10:32:00', offset: '+01:00', at })).toBe(localInput(at));
    expect(takenInput({ local: '2026-11-20T10:32:00', offset: null, at: null })).toBe(
      '2026-11-20T10:32',
    );
  });

  it('finds the parts by what firms call them, in every language, whatever the case, the accents and the signs', () => {
    const spanish = rolesOf([
      field(1, 'Gravedad potencial', 'select', { options: ['Leve', 'Grave'] }),
      field(2, '¿Dónde?', 'string'),
      field(3, 'Fecha y hora', 'datetime'),
      field(4, 'ACCIÓN INMEDIATA', 'text'),
      field(5, 'Clima', 'string'),
    ]);
    const { severity, where, when, action, rest } = spanish;
    expect([severity?.id, where?.id, when?.id, action?.id]).toEqual([1, 2, 3, 4]);
    expect(rest.map(({ id }) => id)).toEqual([5]);
    const polish = rolesOf([
      field(1, 'Możliwe skutki', 'select', { options: ['Lekkie', 'Poważne'] }),
      field(2, 'Dokładne miejsce', 'string'),
      field(3, 'Czas zdarzenia', 'datetime'),
      field(4, 'Działanie natychmiastowe', 'text'),
      field(5, 'Podpisy zdjęć', 'text'),
    ]);
    const { captions } = polish;
    expect(
      [polish.severity, polish.where, polish.when, polish.action, captions].map((one) => one?.id),
    ).toEqual([1, 2, 3, 4, 5]);
    // The likeliest name wins wherever it is; an axis of the 5 x 5 matrix is no severity field.
    expect(rolesOf([field(1, 'Area', 'string'), field(2, 'Location', 'string')]).where?.id).toBe(2);
    const five = { options: ['1', '2', '3', '4', '5'] };
    const sides = rolesOf([
      field(1, 'Severity', 'select', five),
      field(2, 'Likelihood', 'select', five),
    ]);
    expect([sides.severity, sides.matrix?.severity.id]).toEqual([undefined, 1]);
  });

  it('a part is played by the field that the settings choose, of a type that can; none where they say so', () => {
    const fields = [
      field(1, 'Location', 'string'),
      field(2, 'Crew bus', 'string'),
      field(3, 'Event time', 'datetime'),
      field(4, 'Kind of day', 'select', { options: ['dry', 'wet'] }),
    ];
    const chosen = rolesOf(fields, { where: 2, when: null, severity: 4 });
    expect([chosen.where?.id, chosen.when, chosen.severity?.id]).toEqual([2, undefined, 4]);
    // A field that no longer has a role is listed below like every other field.
    expect(chosen.rest.map(({ id }) => id)).toEqual([1, 3]);
    // A chosen field that was deleted or changed its type is ignored.
    const gone = rolesOf(fields, { where: 99, severity: 1 });
    expect([gone.where?.id, gone.severity]).toEqual([1, undefined]);
  });

  it('a photo’s time: the earliest, and of the last month, or it is not filled in by itself', () => {
    const at = (local: string) => ({ taken_at: { local, at: null, offset: null } });
    const times = [at('2026-11-20T10:32:00'), { taken_at: null }, at('2026-11-20T09:10:00')];
    const earliest = earliestTaken(times as Parameters<typeof earliestTaken>[0]);
    expect(earliest?.local).toBe('2026-11-20T09:10:00');
    if (earliest === null) throw new Error('none');
    const then = new Date('2026-11-20T12:00').getTime();
    expect(mayBeNow(earliest, then)).toBe(true);
    expect(mayBeNow(earliest, then - 86_400_000)).toBe(false);
    expect(mayBeNow(earliest, then + 40 * 86_400_000)).toBe(false);
    expect(earliestTaken([{ taken_at: null }])).toBeNull();
  });

  it('offers what is active, and the one in use whatever it is', () => {
    const source = (id: number, active: boolean) => ({ id, name: `s${id}`, active, global: false });
    const catalog: Catalog = { ...emptyCatalog, harm_sources: [source(1, true), source(2, false)] };
    expect(optionsOf(catalog, 'harm_source_id', null).map((one) => one.id)).toEqual([1]);
    expect(optionsOf(catalog, 'harm_source_id', 2).map((one) => one.id)).toEqual([1, 2]);
    expect(optionsOf(null, 'harm_source_id', 2)).toEqual([]);
  });

  it('decisions §4.6: a closed incident is offered no more, is not begun with and not copied; one that is chosen stays', () => {
    const incident = (id: number, closed?: boolean) => ({
      id,
      number: id,
      title: `i${id}`,
      closed,
    });
    const one: Catalog = { ...emptyCatalog, incidents: [incident(1, true), incident(2, false)] };
    const ids = (chosen: number | null) =>
      optionsOf(one, 'incident_id', chosen).map(({ id }) => id);
    expect(ids(null)).toEqual([2]);
    expect(ids(1)).toEqual([1, 2]);
    expect(optionsOf(one, 'incident_id', 1)[0]?.note).toBe('1 · closed');
    // The last report's incident is closed: preselect the only open one; among several, none.
    expect(incidentToBegin(one, [1, null])).toBe(2);
    const two = { ...one, incidents: [...one.incidents, incident(3)] };
    expect(incidentToBegin(two, [1, 1])).toBeNull();
    expect(incidentToBegin(two, [1, 3])).toBe(3);
    expect(incidentToBegin({ ...one, incidents: [incident(1, true)] }, [1])).toBeNull();
    // A person must choose a private job each time, even if it is the only one.
    const hidden = { ...incident(4), private: true };
    expect(incidentToBegin({ ...two, incidents: [...two.incidents, hidden] }, [4, 3])).toBe(3);
    expect(incidentToBegin({ ...one, incidents: [hidden] }, [4])).toBeNull();
    // Without a list from the server any incident is accepted.
    expect(incidentToBegin(null, [undefined, 7])).toBe(7);
    const last = answersOf({ incident_id: 1, work_activity_id: 5 }, all);
    expect(repeatable(last, rolesOf(all), one).lookups).toEqual({ work_activity_id: 5 });
  });

  it('decisions §4.4: a typed id is a positive whole number or nothing', () => {
    expect(wholeNumber(' 12 ')).toBe(12);
    for (const text of ['', '0', '-1', '1.5', '1e3', '012', '9'.repeat(30)])
      expect(wholeNumber(text)).toBeNull();
  });

  it('how bad: three levels and 5 x 5 in fields where the catalog has them, and they agree', () => {
    const three = field(1, 'Potential severity', 'select', {
      options: ['Minor', 'Serious', 'Could have killed'],
    });
    const five = field(6, 'Severity', 'number');
    const likely = field(7, 'likelihood', 'select', { options: ['A', 'B', 'C', 'D', 'E'] });
    const roles = rolesOf([three, five, likely]);
    expect(roles.rest).toEqual([]);
    const empty = emptyAnswers(1);
    const rated = { ...empty, ...chooseRisk(empty, roles, { severity: 5, likelihood: 2 }) };
    expect(rated.custom).toEqual({
      custom_field_1: 'Could have killed',
      custom_field_6: '5',
      custom_field_7: 'B',
    });
    expect(riskOf(rated, roles)).toEqual({ severity: 5, likelihood: 2 });
    expect(fieldsOf({ ...rated, what: 'x' }, [three, five, likely]).description).toBe('<p>x</p>');
    const same = { ...rated, ...chooseLevel(rated, roles, 2) };
    expect(riskOf(same, roles)).toEqual({ severity: 5, likelihood: 2 });
    const other = { ...rated, ...chooseLevel(rated, roles, 0) };
    expect(riskOf(other, roles)).toBeNull();
    expect(other.custom).toMatchObject({ custom_field_1: 'Minor', custom_field_6: null });
  });

  it('how bad, without a field: at the end of the text, read back as it was, in any language', () => {
    const roles = rolesOf([]);
    let answers = { ...emptyAnswers(1), what: 'Board slid off' };
    answers = { ...answers, ...chooseRisk(answers, roles, { severity: 3, likelihood: 4 }) };
    expect(answers.rating).toEqual({ level: 1, risk: { severity: 3, likelihood: 4 } });
    const { description } = fieldsOf(answers, []);
    expect(description).toBe(
      '<p>Board slid off</p><p>It could have been serious (2 of 3). Risk 5 × 5: severity 3, likelihood 4.</p>',
    );
    expect(answersOf({ description, incident_id: 1 }, [])).toEqual(answers);
    for (const level of [0, 1, 2, null] as const)
      for (const risk of [null, { severity: 1, likelihood: 5 } as const]) {
        const text = ratingText({ level, risk });
        expect(splitRating(`Words\n\n${text}`)).toEqual(
          text === ''
            ? { what: 'Words\n\n', rating: { level: null, risk: null } }
            : { what: 'Words', rating: { level, risk } },
        );
      }
    const spanish = 'Pudo ser grave (2 de 3). Riesgo 5 × 5: gravedad 3, probabilidad 4.';
    expect(splitRating(spanish)).toEqual({ what: '', rating: answers.rating });
    const polish =
      'Mogło się skończyć poważnie (2 z 3). Ryzyko 5 × 5: skutki 3, prawdopodobieństwo 4.';
    expect(splitRating(polish)).toEqual({ what: '', rating: answers.rating });
    for (const text of ['It fell (2 of 3 planks).', 'Risk 5 × 5', 'Axis 5 × 5: see 9, 4.'])
      expect(splitRating(text).what).toBe(text);
  });

  it('an edit that leaves words and rating alone keeps the formatting; bands are those of a 5 x 5', () => {
    const before = { description: '<p>Board <b>slid</b></p><p>It could have killed (3 of 3).</p>' };
    const answers = answersOf(before, []);
    expect(answers).toMatchObject({ what: 'Board slid', rating: { level: 2, risk: null } });
    expect(fieldsOf(answers, [], before).description).toBe(before.description);
    expect(bandOf({ severity: 1, likelihood: 4 })).toBe('low');
    expect(bandOf({ severity: 3, likelihood: 3 })).toBe('medium');
    expect(bandOf({ severity: 5, likelihood: 3 })).toBe('high');
  });

  it('the same again: place, incident, company and work, nothing else', () => {
    const last = answersOf(
      {
        description: '<p>Words</p>',
        incident_id: 3,
        affected_company_id: 4,
        work_activity_id: null,
        affected_person_id: 9,
        harm_source_id: 2,
        custom_fields: { custom_field_2: 'North stair', custom_field_4: 3 },
      },
      all,
    );
    expect(repeatable(last, rolesOf(all), null)).toEqual({
      lookups: { incident_id: 3, affected_company_id: 4 },
      custom: { custom_field_2: 'North stair' },
    });
  });

  it('decisions §4.2: a field of a type nobody knows is heard as that, left alone, and never keeps a report from being saved', () => {
    const heard = customFieldDefinition.parse({
      id: 8,
      label: 'Crew',
      data_type: 'multi_list',
      options: [],
      required: true,
    });
    expect(heard.data_type).toBe('unknown');
    const known = field(9, 'Shift', 'string');
    const roles = rolesOf([heard, known]);
    expect([roles.unknown, roles.required, roles.rest]).toEqual([[heard], [], [known]]);
    const before = {
      description: '<p>x</p>',
      custom_fields: { custom_field_8: ['a', 'b'], custom_field_9: 'Night' },
    };
    const answers = { ...answersOf(before, [heard, known]), lookups: emptyAnswers(1).lookups };
    expect(answers.custom).toEqual({ custom_field_9: 'Night' });
    expect(troublesOf(answers, [heard, known])).toEqual({});
    expect(fieldsOf(answers, [heard, known], before).custom_fields).toEqual(before.custom_fields);
  });
});
