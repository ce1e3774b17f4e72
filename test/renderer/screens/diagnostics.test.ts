/** The content of "Copy diagnostics": states, counts and kinds of errors, and nothing that names anybody or anything. */
import { expect, it } from 'vitest';
import { NO_POLICY } from '../../../src/contract/policy.ts';
import { settingsSchema } from '../../../src/contract/settings.ts';
import { diagnosticsOf, kindOf } from '../../../src/renderer/screens/settings/diagnostics.ts';

it('names no person, company, project, address, account or token, whatever the errors say', () => {
  const text = diagnosticsOf({
    info: {
      version: '1.2.3',
      shell: 'browser',
      platform: 'linux',
      node: '24',
      default_server: 'https://safety.secret-firm.example',
      policy: {
        ...NO_POLICY,
        server: 'https://safety.secret-firm.example',
        ignored: ['Secret'],
      },
      port_taken: null,
      embedded: true,
      local_company: false,
    },
    session: {
      state: 'signed_out',
      kind: 'server',
      address: 'https://safety.secret-firm.example',
      account: 'secret-account',
      company: { id: 4711, name: 'Secret Firm' },
      project: { id: 4712, name: 'Secret Bridge' },
      user: { id: 4713, name: 'Secret Person', login: 'secret@firm.example' },
      level: null,
      signed_in_with: null,
      vault: { kind: 'memory', state: 'locked' },
      left: [],
    },
    settings: settingsSchema.parse({
      photo_places: { 'secret-account 4712': { kind: 'custom_field', id: 4714 } },
      last_incident: { '4712': 4715 },
    }),
    language: 'es',
    online: false,
    counts: {
      records: 3,
      operations: 5,
      photos: 2,
      bytes: 0,
      parked: 1,
      sending: 0,
      sending_records: 0,
      quarantined: 0,
      again: 0,
      trouble: null,
    },
    hold: { kind: 'signed_out', detail: 'secret-token was refused' },
    problems: [
      { kind: 'offline', reason: 'dns', detail: 'safety.secret-firm.example' },
      { kind: 'offline', reason: 'dns', detail: 'safety.secret-firm.example' },
      { kind: 'refused', status: 422, messages: ['secret'], fields: { secret: ['4711'] } },
      { kind: 'broken_reply', status: 200, looks_like: 'html', detail: '<secret>' },
    ],
    repaired: {
      drafts: 0,
      new_place: false,
      rebuilt: 2,
      records: 1,
      quarantined: 0,
      damaged: 4,
      unfinished: 1,
      replaced_database: true,
    },
    host: {
      journal: { bytes: 812, operations: 5 },
      said: [{ at: 0, level: 'warn', message: 'journal not compacted', code: 'ENOSPC' }],
    },
    troubles: [{ at: 0, where: 'TypeError at index-3f2a.js:12:34' }],
    at: 0,
  });
  expect(text).not.toMatch(/secret|471\d/iu);
  expect(text).toContain('Vault: memory, locked');
  expect(text).toContain('Language: es (setting system), theme system');
  expect(text).toContain('3 records, 5 operations, 2 photos, 1 need the user');
  expect(text).toContain('server, https');
  expect(text).toContain('Sending held up by: signed_out');
  expect(text).toContain('still here: offline dns x2, refused 422 x1, broken_reply html x1');
  expect(text).toContain('Journal: 812 B, 5 operations');
  expect(text).toContain('host warn: journal not compacted (ENOSPC)');
  expect(text).toContain('window error: TypeError at index-3f2a.js:12:34');
  expect(text).toContain(
    'At start: 2 rebuilt, 0 unreadable, 4 damaged lines in the journal and 1 unfinished, database replaced',
  );
});

it('tells a problem by its kind and its closed choice, never by its words', () => {
  expect(kindOf({ kind: 'vault', state: 'hung' })).toBe('vault hung');
  expect(kindOf({ kind: 'bug', detail: 'secret' })).toBe('bug');
  expect(kindOf({ kind: 'photo_damaged', photo_id: 'secret', reason: 'changed' })).toBe(
    'photo_damaged changed',
  );
});
