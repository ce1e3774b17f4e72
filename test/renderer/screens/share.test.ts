/** The shared text of a near miss: the event and its facts without names, and a mail that mail programs accept. */
import { expect, it } from 'vitest';
import { linkSchema } from '../../../src/contract/text/rich-text.ts';
import type { NearMiss } from '../../../src/contract/rest/near-misses.ts';
import { emptyFields, rowOf } from '../../../src/renderer/data/model/near-miss-rows.ts';
import { mailToShare, textToShare } from '../../../src/renderer/screens/common/share.ts';

const sharedOf = (description: string) => {
  const row = rowOf(
    {
      key: 'one',
      account: 'a',
      project_id: 10,
      company_id: 1,
      server_id: null,
      server: null,
      created_at: Date.UTC(2026, 2, 4),
      updated_at: 1,
      seen_at: 1,
      removed_at: null,
      fields: {
        ...emptyFields,
        incident_id: 1,
        description,
        custom_fields: { custom_field_7: 'Serious' },
      },
    },
    null,
  );
  const server = { incident_created_by: { id: 3, name: 'Maria Kovacs' } } as unknown as NearMiss;
  const names = { ...row.names, affected_person: 'Jo Green', affected_company: 'Rope Access' };
  return {
    row: { ...row, server, names },
    definitions: [
      {
        id: 7,
        label: 'Potential severity',
        data_type: 'select' as const,
        required: false,
        options: ['Minor', 'Serious'],
      },
    ],
    photos: 2,
    project: 'Harbour Bridge East',
  };
};

it('says what happened, its facts and how many photos, and names nobody', () => {
  const text = textToShare(sharedOf('<p>A plank fell</p><ul><li>nobody under it</li></ul>'));
  expect(text).toContain('Harbour Bridge East');
  expect(text).toContain('A plank fell');
  expect(text).toContain('nobody under it');
  expect(text).toContain('Potential severity: Serious');
  expect(text).toContain('Affected company: Rope Access');
  expect(text).toContain('2 photos');
  expect(text).not.toMatch(/Kovacs|Jo Green/);
});

it('a mail is a link that the host opens, however long the text and whatever stands in it', () => {
  for (const text of [
    'A plank fell',
    'Ünïcödé 👷🏽 & =? "x" '.repeat(500),
    '\ud800 half a pair',
    'x'.repeat(50_000),
  ]) {
    const link = mailToShare(sharedOf(`<p>${text.replace('&', '&amp;')}</p>`));
    expect(linkSchema.safeParse(link).success).toBe(true);
    const asked = new URLSearchParams(link.slice('mailto:?'.length));
    expect(asked.get('subject')).not.toBe('');
    expect(asked.get('body')).toContain(text.toWellFormed().slice(0, 12));
    if (text.length > 1_000) expect(asked.get('body')).toMatch(/…$/);
  }
});
