/** What "Copy diagnostics" gives away: states and counts, and nothing that names anybody or anything. */
import { expect, it } from 'vitest';
import { diagnosticsOf } from '../../../src/renderer/screens/settings/diagnostics.ts';

it('names no person, company, project, address, account or token', () => {
  const text = diagnosticsOf({
    info: {
      version: '1.2.3',
      shell: 'browser',
      platform: 'linux',
      node: '24',
      default_server: 'https://safety.secret-firm.example',
      embedded: true,
    },
    session: {
      state: 'signed_out',
      kind: 'server',
      address: 'https://safety.secret-firm.example',
      account: 'secret-account',
      company: { id: 4711, name: 'Secret Firm' },
      project: { id: 4712, name: 'Secret Bridge' },
      user: { id: 4713, name: 'Secret Person', login: 'secret@firm.example' },
      vault: { kind: 'memory', state: 'locked' },
    },
    online: false,
    counts: { records: 3, entries: 5, photos: 2, bytes: 0, parked: 1, sending: 0, quarantined: 0 },
    hold: 'signed_out',
    repaired: { rebuilt: 2, records: 1, quarantined: 0, damaged: 4, replaced_database: true },
    at: new Date(0),
  });
  expect(text).not.toMatch(/secret|471/iu);
  expect(text).toContain('Vault: memory, locked');
  expect(text).toContain('3 records, 5 entries, 2 photos, 1 need the user');
  expect(text).toContain('server, https');
  expect(text).toContain(
    'At start: 2 rebuilt, 0 unreadable, 4 damaged lines in the journal, database replaced',
  );
});
