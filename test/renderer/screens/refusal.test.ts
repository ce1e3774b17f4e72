/** Which controls of the form a refusal concerns, and how long it is shown. */
import { describe, expect, it } from 'vitest';
import { emptyAnswers } from '../../../src/renderer/near-miss-form/answers.ts';
import { refusalsOf, standing } from '../../../src/renderer/near-miss-form/refusal.ts';

const refusals = refusalsOf({
  kind: 'refused',
  status: 422,
  messages: ['near_miss.work_activity_id is not active.'],
  fields: {
    'near_miss.work_activity_id': ['is not active.', 'is of another project'],
    'near_miss.description': ['is too long'],
    'near_miss.custom_field_7': ['is required'],
    base: ['is closed'],
  },
});

describe('refusalsOf', () => {
  it('names the control of each field, in the server’s words; what has no control is left out', () => {
    expect(refusals).toEqual({
      work_activity_id: 'is not active; is of another project',
      what: 'is too long',
      custom_field_7: 'is required',
    });
    expect(refusalsOf(null)).toEqual({});
    expect(
      refusalsOf({ kind: 'server_error', status: 500, messages: [], retry_after_ms: null }),
    ).toEqual({});
  });

  it('stands until what is in the field was changed', () => {
    const was = { ...emptyAnswers(1), what: 'Too long' };
    expect(standing(refusals, was, was)).toEqual(refusals);
    const lookups = { ...was.lookups, work_activity_id: 3 };
    const now = { ...was, what: 'Short', lookups, custom: { custom_field_7: 'Gate' } };
    expect(standing(refusals, was, now)).toEqual({});
  });
});
