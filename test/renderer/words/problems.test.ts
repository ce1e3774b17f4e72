/** Every problem has words, the words keep their promises, and no code or address reaches a reader. */
import { describe, expect, it } from 'vitest';
import { languages } from '../../../src/contract/languages.ts';
import { inputFaults, type Problem, problemSchema } from '../../../src/contract/problem.ts';
import {
  fieldName,
  photoProblem,
  problemLine,
  problemWords,
  serverSays,
} from '../../../src/renderer/words/problems.ts';
import { speak } from '../../../src/renderer/words/words.ts';

/** Every kind with every variant, derived from the contract's schema. */
const all: readonly Problem[] = [
  ...(['refused', 'dns', 'reset', 'unreachable', 'tls'] as const).map((reason): Problem => ({
    kind: 'offline',
    reason,
    detail: 'ECONNREFUSED 10.0.0.1:443',
  })),
  { kind: 'timeout', after_ms: 30_000 },
  { kind: 'signed_out', detail: 'token expired' },
  { kind: 'no_access', messages: ['You are no longer a member of this company.'] },
  ...[400, 403, 413, 415, 422].map((status): Problem => ({
    kind: 'refused',
    status,
    messages: [],
    fields: { 'near_miss.work_activity_id': ['is no longer in use'] },
  })),
  { kind: 'conflict', status: 412, messages: [] },
  { kind: 'gone', status: 404, messages: [] },
  { kind: 'busy', retry_after_ms: 28_000 },
  { kind: 'busy', retry_after_ms: null },
  { kind: 'server_error', status: 503, messages: ['oops'], retry_after_ms: null },
  ...(['html', 'redirect', 'garbage', 'wrong_shape', 'too_large', 'truncated'] as const).map(
    (looks_like): Problem => ({ kind: 'broken_reply', status: 200, looks_like, detail: '<html>' }),
  ),
  { kind: 'cancelled' },
  { kind: 'not_connected' },
  ...(['absent', 'locked', 'asking', 'hung', 'denied', 'too_long'] as const).map(
    (state): Problem => ({
      kind: 'vault',
      state,
    }),
  ),
  { kind: 'no_space', detail: '/home/x: ENOSPC' },
  ...(['missing', 'changed', 'unreadable'] as const).map((reason): Problem => ({
    kind: 'photo_damaged',
    photo_id: '01',
    reason,
  })),
  { kind: 'outcome_unknown', records: 1 },
  { kind: 'outcome_unknown', records: 3 },
  { kind: 'no_photo_place', chosen: true },
  { kind: 'no_photo_place', chosen: false },
  { kind: 'bad_input', messages: [], fields: { description: ['is too long'] } },
  { kind: 'bad_input', messages: ['the query'], fields: { per_page: ['Too big'] } },
  ...inputFaults.map((fault): Problem => ({
    kind: 'bad_input',
    messages: ['no words of the host'],
    fields: {},
    fault,
  })),
  { kind: 'bug', detail: 'TypeError at x.ts:12' },
];

describe('words for problems', () => {
  it('covers every kind of the contract', () => {
    const kinds = problemSchema.options.map((option) => option.shape.kind.value);
    expect(new Set(all.map((problem) => problem.kind))).toEqual(new Set(kinds));
  });

  it.each(all.map((problem) => [JSON.stringify(problem), problem] as const))(
    'says what happened and what to do, in sentences, without codes: %s',
    (_name, problem) => {
      const { what, safe, todo } = problemWords(problem);
      for (const sentence of [what, safe, todo]) expect(sentence).toMatch(/^[A-Z].*[.]$/su);
      expect(problemLine(problem)).not.toMatch(
        /undefined|null|NaN|E[A-Z]{4,}|\d{3}\b|<html>|\.ts|\/home|_id\b/u,
      );
    },
  );

  it('failures A10: the server’s own words are passed on', () => {
    const what = problemWords({
      kind: 'refused',
      status: 422,
      messages: [],
      fields: { 'near_miss.work_activity_id': ['is no longer in use'] },
    }).what;
    expect(what).toBe('The server says: work activity “is no longer in use”.');
  });

  it('failures A8: a captive portal is named as such', () => {
    const portal: Problem = { kind: 'broken_reply', status: 200, looks_like: 'html', detail: '' };
    expect(problemWords(portal).what).toContain('Wi-Fi');
  });

  it('failures A6: a busy server’s wait is told', () => {
    expect(problemWords({ kind: 'busy', retry_after_ms: 28_000 }).todo).toContain('28 seconds');
  });

  it.each(languages)('words of the host are shown in no language: %s', async (language) => {
    await speak(language);
    const lines = all.map(problemLine);
    await speak('en');
    for (const line of lines) expect(line).not.toMatch(/words of the host|the query|Too big/u);
    expect(new Set(lines).size).toBeGreaterThan(inputFaults.length);
  });

  it.each(languages)(
    'failures A16: a photo that a full disk refused is to be added again, not saved: %s',
    async (language) => {
      await speak(language);
      const { what, todo } = photoProblem({ kind: 'no_space', detail: '' });
      await speak('en');
      expect(`${what} ${todo}`).toBe(
        {
          en: 'The disk is full. Free up some space, then add it again.',
          es: 'El disco está lleno. Libere espacio y agréguela de nuevo.',
          pl: 'Dysk jest pełny. Zwolnij miejsce i dodaj ponownie.',
        }[language],
      );
    },
  );

  it('names fields as people do, each message once and not endlessly', () => {
    expect(fieldName('near_miss.affected_person_id')).toBe('affected person');
    expect(fieldName('near_miss.custom_field_12')).toBe('custom field 12');
    expect(serverSays({ messages: ['no', 'no.'] })).toBe('“no”');
    expect(
      serverSays({ messages: Array.from({ length: 50 }, (_, n) => `m${n}`) }).length,
    ).toBeLessThan(40);
  });
});
