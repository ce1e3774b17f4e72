/** The capture form between what is typed and what is sent, without a screen. */
import { describe, expect, it } from 'vitest';
import type { Catalog, CustomFieldDefinition } from '../../../src/contract/rest/catalog.ts';
import { emptyCatalog } from '../../../src/renderer/data/catalog.ts';
import {
  answersOf,
  emptyAnswers,
  fieldsOf,
  isEmpty,
  localInput,
  optionsOf,
  rolesOf,
  takenInput,
  troublesOf,
  wholeNumber,
} from '../../../src/renderer/screens/capture/answers.ts';

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
    const changed = fieldsOf({ ...answersOf(before, all), what: 'Other' }, all, before);
    expect(changed.description).toBe('<p>Other</p>');
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

  it('a photo’s time: certain where the file names its zone, else the camera’s wall clock', () => {
    const at = Date.UTC(2026, 10, 20, 9, 32);
    expect(takenInput({ local: '2026-11-20T10:32:00', offset: '+01:00', at })).toBe(localInput(at));
    expect(takenInput({ local: '2026-11-20T10:32:00', offset: null, at: null })).toBe(
      '2026-11-20T10:32',
    );
  });

  it('offers what is active, and the one in use whatever it is', () => {
    const source = (id: number, active: boolean) => ({ id, name: `s${id}`, active, global: false });
    const catalog: Catalog = { ...emptyCatalog, harm_sources: [source(1, true), source(2, false)] };
    expect(optionsOf(catalog, 'harm_source_id', null).map((one) => one.id)).toEqual([1]);
    expect(optionsOf(catalog, 'harm_source_id', 2).map((one) => one.id)).toEqual([1, 2]);
    expect(optionsOf(null, 'harm_source_id', 2)).toEqual([]);
  });

  it('decisions §4.4: a typed id is a positive whole number or nothing', () => {
    expect(wholeNumber(' 12 ')).toBe(12);
    for (const text of ['', '0', '-1', '1.5', '1e3', '012', '9'.repeat(30)])
      expect(wholeNumber(text)).toBeNull();
  });
});
