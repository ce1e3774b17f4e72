/** [ours] The history of a near miss (decisions §15), on both databases. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HistoryEntry } from '../../src/contract/rest/history/near-miss-history.ts';
import { UNNAMED } from '../../src/contract/text/who-saw.ts';
import { startTestService, type Client } from '../support/service.ts';
import { bin, list } from './following-race.ts';
import { fieldFor } from './near-miss-records.ts';
import { CANARY, makeWorld, sendFile, type World } from './matrix-world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld(await startTestService({ 'allow-private-webhooks': true }));
});
afterAll(() => world.t.stop());

const make = async (client: Client, more: object = {}): Promise<number> => {
  const incident = { title: 'Of the history' };
  const incident_id = (await client.post('~/incidents', { incident })).json.id as number;
  const near_miss = { incident_id, description: 'A board fell', ...more };
  const made = await client.post(list, { near_miss }, { 'user-agent': 'Reporter/1' });
  expect(made.status, made.text).toBe(201);
  return made.json.id as number;
};

const historyOf = async (client: Client, id: number, query = ''): Promise<HistoryEntry[]> => {
  const answer = await client.get(`${list}/${id}/history${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.json as HistoryEntry[];
};

const sha256 = (...parts: readonly (string | number)[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('hex');

/** True if every entry follows from the one before (decisions §15.2). */
const holds = (near_miss_id: number, entries: readonly HistoryEntry[]): boolean => {
  let before = '';
  return entries
    .filter(({ id }) => id > 0)
    .toReversed()
    .every(({ id, at, user, action, digest, salt, changes, hash, redacted }, index) => {
      const isContent = redacted || digest === sha256(salt ?? '', JSON.stringify(changes));
      const next = sha256(before, near_miss_id, id, Date.parse(at), user.id, action, digest ?? '');
      before = hash ?? '';
      return isContent && id === index + 1 && hash === next;
    });
};

describe('decisions §15.1: what the history says', () => {
  it('decisions §4.12: the change to somebody who stays unnamed does not repeat the name; the chain holds', async () => {
    const { owner } = world;
    const saw = fieldFor((await owner.get('~/catalog')).json, 'Who saw it');
    const id = await make(owner, { [saw]: 'Ulrike Sterz' });
    await owner.patch(`${list}/${id}`, { near_miss: { [saw]: UNNAMED, description: 'Twice' } });
    await owner.patch(`${list}/${id}`, { near_miss: { [saw]: 'Ada Winter' } });
    // As another program may write it: the window reads it as unnamed too.
    const padded = ` ${UNNAMED} `;
    await owner.patch(`${list}/${id}`, { near_miss: { [saw]: padded } });
    const entries = await historyOf(owner, id);
    expect(entries.map(({ changes }) => changes.find(({ field }) => field === saw))).toEqual([
      { field: saw, from: null, to: padded },
      { field: saw, from: UNNAMED, to: 'Ada Winter' },
      { field: saw, from: null, to: UNNAMED },
      undefined,
    ]);
    expect(JSON.stringify(entries)).not.toContain('Sterz');
    expect(holds(id, entries)).toBe(true);
  });

  it('decisions §15.1: who changed which field from what to what, through which program', async () => {
    const { owner, colleague } = world;
    const id = await make(owner);
    const path = `${list}/${id}`;
    const source = (
      await owner.post(`/rest/v1.0/companies/${owner.company_id}/harm_sources`, {
        harm_source: { name: `Of the history ${id}` },
      })
    ).json.id as number;
    const near_miss = { description: 'Two boards fell', harm_source_id: source };
    const changed = await colleague.patch(path, { near_miss }, { 'user-agent': 'Editor/2' });
    await colleague.patch(path, { near_miss });
    await owner.delete(path);
    const recycled = await historyOf(owner, id);
    await owner.patch(`${bin}/${id}/restore`, {});
    const [restored, gone, edited, made] = await historyOf(colleague, id);
    expect(recycled).toEqual([gone, edited, made]);
    expect(made).toMatchObject({ id: 0, action: 'created', client: 'Reporter/1', changes: [] });
    expect(edited).toMatchObject({
      id: 1,
      at: changed.json.updated_at,
      action: 'updated',
      client: 'Editor/2',
      user: { login: 'colleague@example.com' },
      redacted: false,
      changes: [
        { field: 'description', from: 'A board fell', to: 'Two boards fell' },
        { field: 'harm_source_id', from: null, to: source },
      ],
    });
    expect([gone?.action, restored?.action]).toEqual(['recycled', 'restored']);
    expect(gone?.user.id).not.toBe(edited?.user.id);
  });

  it('decisions §15.1: photos, and the custom fields of the follow-up', async () => {
    const { owner } = world;
    const id = await make(owner);
    const path = `${list}/${id}`;
    const upload = await sendFile(owner);
    await owner.patch(path, { near_miss: { upload_uuids: [upload] } });
    const [photo] = (await owner.get(path)).json.attachments;
    await owner.delete(`${path}/attachments/${photo.id}`);
    const fields = (await owner.get('~/catalog')).json.custom_field_definitions as {
      id: number;
      label: string;
    }[];
    const field = fields.find(({ label }) => label === 'Follow-up')?.id;
    await owner.patch(path, { near_miss: { [`custom_field_${field}`]: 'Fix the scaffold' } });
    const entries = await historyOf(owner, id);
    expect(entries.map(({ changes }) => changes)).toEqual([
      [{ field: `custom_field_${field}`, from: null, to: 'Fix the scaffold' }],
      [{ field: 'attachments', from: `${CANARY}.jpg`, to: null }],
      [{ field: 'attachments', from: null, to: `${CANARY}.jpg` }],
      [],
    ]);
    expect(holds(id, entries)).toBe(true);
  });

  it('decisions §15.1: pages, and a total that counts the creation', async () => {
    const { owner } = world;
    const id = await make(owner);
    for (const n of [1, 2, 3])
      await owner.patch(`${list}/${id}`, { near_miss: { description: `Change ${n}` } });
    const first = await owner.get(`${list}/${id}/history?per_page=2`);
    expect(first.headers.get('total')).toBe('4');
    const ids = async (query: string) => (await historyOf(owner, id, query)).map((one) => one.id);
    expect(await ids('?per_page=2')).toEqual([3, 2]);
    expect(await ids('?per_page=2&page=2')).toEqual([1, 0]);
    expect(await ids('?per_page=2&page=3')).toEqual([]);
  });

  it('decisions §15.1: a write that is refused leaves no entry, one that is replayed a single one', async () => {
    const { owner } = world;
    const id = await make(owner);
    const path = `${list}/${id}`;
    const body = { near_miss: { description: 'Once' } };
    const key = { 'Idempotency-Key': `history-${id}` };
    expect((await owner.patch(path, body, { 'If-Match': '"no"' })).status).toBe(412);
    await owner.patch(path, body, key);
    await owner.patch(path, body, key);
    expect((await historyOf(owner, id)).map(({ action }) => action)).toEqual([
      'updated',
      'created',
    ]);
  });
});

describe('decisions §15.3: redaction', () => {
  it('decisions §15.2, §15.3: the content goes, the chain holds, and the redaction is an entry', async () => {
    const { owner, t } = world;
    const id = await make(owner);
    const path = `${list}/${id}`;
    await owner.patch(path, { near_miss: { description: 'Bob Smith fell' } });
    await owner.patch(path, { near_miss: { description: 'Somebody fell' } });
    const before = await historyOf(owner, id);
    expect(holds(id, before)).toBe(true);
    expect(holds(id, before.toSpliced(1, 1))).toBe(false);
    for (const entry of [1, 2]) {
      const answer = await owner.delete(`${path}/history/${entry}`);
      expect(answer.json).toMatchObject({ id: entry, redacted: true, changes: [], salt: null });
    }
    expect((await owner.delete(`${path}/history/1`)).status).toBe(200);
    expect((await owner.delete(`${path}/history/0`)).status).toBe(404);
    expect((await owner.delete(`${path}/history/99`)).status).toBe(404);
    const after = await historyOf(owner, id);
    expect(after.map(({ action }) => action)).toEqual([
      'redacted',
      'redacted',
      'updated',
      'updated',
      'created',
    ]);
    expect(after[0]?.changes).toEqual([{ field: 'history', from: 2, to: null }]);
    expect(after.slice(2, 4).map(({ hash }) => hash)).toEqual(
      before.slice(0, 2).map(({ hash }) => hash),
    );
    expect(holds(id, after)).toBe(true);
    const left = await t.database.query(
      `select count(*) as n from near_miss_history where changes like '%Smith%'`,
    );
    expect(Number(left[0]?.['n'])).toBe(0);
  });
});
