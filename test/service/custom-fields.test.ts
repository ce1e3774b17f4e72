/** Custom fields of a near miss: decisions §3.6, §1.3. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';
import { fieldFor, list, recordsOf } from './near-miss-records.ts';

let t: TestService;
// eslint-disable-next-line @typescript-eslint/no-explicit-any
let catalog: any;
const { create, made } = recordsOf(() => t.demo);
const definition = (label: string): string => fieldFor(catalog, label);

beforeAll(async () => {
  t = await startTestService();
  catalog = (await t.demo.get('~/catalog')).json;
});
afterAll(() => t.stop());

describe('decisions §3.6: custom fields', () => {
  /** `typed` if it differs from the text (decisions §3.6). */
  const good: readonly (readonly [string, unknown, string, string, (number | boolean)?])[] = [
    ['Potential severity', 'Could have killed', 'select', 'Could have killed'],
    ['Location', 'Deck B', 'string', 'Deck B'],
    ['Event time', '2026-01-31T08:15:00+01:00', 'datetime', '2026-01-31T08:15:00+01:00'],
    ['Immediate action', 'a\nb', 'text', 'a\nb'],
    ['People nearby', '3', 'number', '3', 3],
    ['People nearby', 2.5, 'number', '2.5', 2.5],
    ['Work stopped', 'false', 'boolean', 'false', false],
    ['Work stopped', true, 'boolean', 'true', true],
    ['Follow-up date', '2026-02-28', 'date', '2026-02-28'],
  ];
  for (const [label, sent, data_type, value, typed_value = value] of good)
    it(`decisions §3.6: ${label} = ${JSON.stringify(sent)} is kept and answered as ${data_type} (reference R-near-misses-11)`, async () => {
      const row = await made({ [definition(label)]: sent });
      expect(row.custom_fields).toEqual({
        [definition(label)]: { data_type, value, typed_value },
      });
    });

  const bad: readonly (readonly [string, unknown])[] = [
    ['Potential severity', 'Enormous'],
    ['Location', 'x'.repeat(1001)],
    ['Location', ['a']],
    ['Location', { a: 1 }],
    ['Event time', 'yesterday'],
    ['Event time', '2026-01-31'],
    ['People nearby', 'many'],
    ['People nearby', '0x10'],
    ['People nearby', '1e999'],
    ['Work stopped', 'yes'],
    ['Follow-up date', '2026-02-30'],
    ['Follow-up date', '28.02.2026'],
  ];
  for (const [label, sent] of bad)
    it(`decisions §3.6: ${label} = ${JSON.stringify(sent).slice(0, 30)} is a 422 on it`, async () => {
      const answer = await create({ [definition(label)]: sent });
      expect([answer.status, Object.keys(answer.json.errors)]).toEqual([
        422,
        [`near_miss.${definition(label)}`],
      ]);
    });

  it('decisions §3.6: what a record has may be sent back: a choice that went, the emptiness of what became required', async () => {
    const definitions = `/rest/v1.0/companies/${t.demo.company_id}/custom_field_definitions`;
    const define = async (custom_field_definition: object) =>
      (await t.demo.post(definitions, { custom_field_definition })).json.id as number;
    const redefine = (id: number, custom_field_definition: object) =>
      t.demo.patch(`${definitions}/${id}`, { custom_field_definition });
    const select = await define({ label: 'Ground', data_type: 'select', options: ['Dry', 'Wet'] });
    const text = await define({ label: 'Shift', data_type: 'string' });
    const [ground, shift] = [`custom_field_${select}`, `custom_field_${text}`];
    const row = await made({ [ground]: 'Dry' });
    await redefine(select, { options: ['Wet'] });
    await redefine(text, { required: true });
    const change = (near_miss: object) => t.demo.patch(`${list}/${row.id}`, { near_miss });
    const same = await change({ description: 'corrected', [ground]: 'Dry', [shift]: null });
    expect([same.status, same.json.custom_fields]).toEqual([
      200,
      { [ground]: { data_type: 'select', value: 'Dry', typed_value: 'Dry' } },
    ]);
    expect((await create({ [ground]: 'Dry' })).status).toBe(422);
    expect((await change({ [shift]: 'Night', [ground]: 'Wet' })).status).toBe(200);
    for (const gone of [{ [ground]: 'Dry' }, { [shift]: '' }])
      expect((await change(gone)).status).toBe(422);
    await redefine(text, { required: false, active: false });
  });

  it('decisions §3.6: null and "" clear a value', async () => {
    for (const empty of [null, '']) {
      const row = await made({ [definition('Location')]: 'here' });
      const cleared = await t.demo.patch(`${list}/${row.id}`, {
        near_miss: { [definition('Location')]: empty },
      });
      expect(cleared.json.custom_fields).toEqual({});
    }
  });

  it('decisions §3.6: another company’s definition is unknown', async () => {
    const theirs = (await t.other.get('~/catalog')).json.custom_field_definitions[0].id;
    expect((await create({ [`custom_field_${theirs}`]: 'Minor' })).status).toBe(422);
  });

  it('decisions §3.6: a required field may not be emptied, but a record without it is accepted', async () => {
    const id = Number(definition('Location').slice('custom_field_'.length));
    const require = (required: number) =>
      t.service.app.store.write(async (tx) => {
        await tx
          .updateTable('custom_field_definitions')
          .set({ required })
          .where('id', '=', id)
          .execute();
      });
    await require(1);
    expect((await create()).status).toBe(201);
    for (const empty of [null, '']) {
      const answer = await create({ [definition('Location')]: empty });
      expect(answer.json.errors).toHaveProperty([`near_miss.${definition('Location')}`]);
    }
    await require(0);
  });
});
