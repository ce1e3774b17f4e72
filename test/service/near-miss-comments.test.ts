/** [ours] Comments on a near miss (decisions §18), on both databases. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  COMMENT_MAX,
  COMMENTS_MAX,
  type NearMissComment,
} from '../../src/contract/rest/history/near-miss-comments.ts';
import { startTestService, type Client } from '../support/service.ts';
import { bin, list } from './following-race.ts';
import { makeWorld, type World } from './matrix-world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld(await startTestService({ 'allow-private-webhooks': true }));
});
afterAll(() => world.t.stop());

const OWNER = 'maria.kovacs@northline.example';

const make = async (client: Client, incident: object = {}): Promise<number> => {
  const title = 'Of the comments';
  const incident_id = (await client.post('~/incidents', { incident: { title, ...incident } })).json
    .id as number;
  const near_miss = { incident_id, description: 'A board fell' };
  return (await client.post(list, { near_miss })).json.id as number;
};

const say = (client: Client, id: number, text: unknown, headers = {}) =>
  client.post(`${list}/${id}/comments`, { comment: { text } }, headers);

const commentsOf = async (client: Client, id: number): Promise<NearMissComment[]> => {
  const answer = await client.get(`${list}/${id}/comments`);
  expect(answer.status, answer.text).toBe(200);
  return answer.json as NearMissComment[];
};

describe('decisions §18.1: writing and reading', () => {
  it('decisions §18.1: who said what and when, newest first, in pages', async () => {
    const { owner, colleague } = world;
    const id = await make(owner);
    const first = await say(owner, id, '  Which scaffold? <b>\n  ');
    expect(first.status, first.text).toBe(201);
    expect(first.json).toMatchObject({
      text: 'Which scaffold? <b>',
      created_by: { login: OWNER },
      removed_at: null,
      removed_by: null,
    });
    await say(colleague, id, 'Tower 2, ñandú 🦺');
    const both = await commentsOf(colleague, id);
    expect(both.map(({ text }) => text)).toEqual(['Tower 2, ñandú 🦺', 'Which scaffold? <b>']);
    const page = await owner.get(`${list}/${id}/comments?per_page=1&page=2`);
    expect([page.json, page.headers.get('total')]).toEqual([[first.json], '2']);
  });

  it('decisions §18.1, §1.5: what is empty, too long or no text is a 422, and a repeated key writes one', async () => {
    const { owner } = world;
    const id = await make(owner);
    for (const text of [undefined, null, 7, '', ' \n', 'x'.repeat(COMMENT_MAX + 1), 'a\u0000b']) {
      const refused = await say(owner, id, text);
      expect([text, refused.status]).toEqual([text, 422]);
      expect(Object.keys(refused.json.errors)).toEqual(['comment.text']);
    }
    expect((await owner.post(`${list}/${id}/comments`, {})).status).toBe(422);
    const key = { 'Idempotency-Key': `comment-${id}` };
    const text = 'x'.repeat(COMMENT_MAX);
    const answers = await Promise.all([1, 2, 3].map(() => say(owner, id, text, key)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(await commentsOf(owner, id)).toHaveLength(1);
  });

  it('decisions §18.1: three at once are all counted, and beyond the limit there are no more', async () => {
    const { owner, colleague, t } = world;
    const id = await make(owner);
    await Promise.all([say(owner, id, 'one'), say(colleague, id, 'two'), say(owner, id, 'three')]);
    expect((await owner.get(`${list}/${id}`)).json.comment_count).toBe(3);
    const [one] = await commentsOf(owner, id);
    const { company_id } = owner;
    const created_by = one?.created_by.id ?? 0;
    const like = { company_id, near_miss_id: id, text: 'x', created_by, created_at: 1 };
    const rows = Array.from({ length: COMMENTS_MAX - 3 }, (_, n) => ({
      ...like,
      removed_at: null,
      removed_by: null,
      id: 1e6 + n,
    }));
    await t.service.app.store.write(async (tx) => {
      await tx.insertInto('near_miss_comments').values(rows).execute();
    }, company_id);
    const refused = await say(owner, id, 'one more');
    expect([refused.status, Object.keys(refused.json.errors)]).toEqual([422, ['comment']]);
  });

  it('decisions §18.1, §4.5: a private incident hides them, and on a recycled near miss they are read only', async () => {
    const { owner, colleague } = world;
    const hidden = await make(owner, { private: true });
    await say(owner, hidden, 'Between us');
    expect((await colleague.get(`${list}/${hidden}/comments`)).status).toBe(404);
    expect((await say(colleague, hidden, 'Me too')).status).toBe(404);
    const id = await make(owner);
    const { json } = await say(owner, id, 'Before');
    await owner.delete(`${list}/${id}`);
    expect((await say(owner, id, 'After')).status).toBe(404);
    expect((await owner.delete(`${list}/${id}/comments/${json.id}`)).status).toBe(404);
    expect(await commentsOf(colleague, id)).toEqual([json]);
    expect((await owner.get(`${bin}/${id}`)).json.comment_count).toBe(1);
  });
});

describe('decisions §18.2: removal', () => {
  it('decisions §18.2: the text goes from table, history and events, and that there was one stays', async () => {
    const { owner, t } = world;
    const id = await make(owner);
    const { json } = await say(owner, id, 'Bob Sensitive did it');
    const path = `${list}/${id}/comments/${json.id}`;
    const gone = await owner.delete(path);
    expect(gone.status).toBe(200);
    expect(gone.json).toMatchObject({
      id: json.id,
      text: null,
      created_by: json.created_by,
      removed_by: { login: OWNER },
    });
    const before = (await owner.get(`${list}/${id}`)).json;
    expect((await owner.delete(path)).json).toEqual(gone.json);
    expect((await owner.get(`${list}/${id}`)).json).toEqual(before);
    expect(before.comment_count).toBe(0);
    expect(await commentsOf(owner, id)).toEqual([gone.json]);
    const other = await make(owner);
    expect((await owner.delete(`${list}/${other}/comments/${json.id}`)).status).toBe(404);
    expect((await owner.get(`${list}/${id}/history`)).text).not.toContain('Sensitive');
    for (const table of ['near_miss_comments', 'near_miss_history', 'events']) {
      const rows = await t.database.query(`select * from ${table}`);
      expect(JSON.stringify(rows)).not.toContain('Sensitive');
    }
  });
});

describe('decisions §18.3: a comment is a change of the near miss', () => {
  it('decisions §18.3, §14.2, §15.1: a reader who follows sees it, the history and the events report it', async () => {
    const { owner, colleague, t } = world;
    const id = await make(owner);
    const before = await owner.get(`${list}/${id}`);
    const { json } = await say(colleague, id, 'Fixed');
    const after = await owner.get(`${list}/${id}`);
    expect(after.json.comment_count).toBe(1);
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    const { updated_at } = before.json;
    const more = await owner.get(
      `${list}?sort=updated_at&filters[updated_at]=${updated_at}...&after_id=${id}&page=1`,
    );
    expect(more.json).toMatchObject([{ id, comment_count: 1 }]);
    const [entry] = (await owner.get(`${list}/${id}/history`)).json;
    expect(entry).toMatchObject({
      action: 'updated',
      at: after.json.updated_at,
      user: { login: 'colleague@example.com' },
      changes: [{ field: 'comments', from: null, to: json.id }],
    });
    const events = await t.database.query(
      `select event_type from events where resource_name = 'Near Misses' and resource_id = ${id} order by id`,
    );
    expect(events.map(({ event_type }) => event_type)).toEqual(['create', 'update']);
  });

  it('decisions §18.1, §18.3: its time is the change of the near miss, so a clock that goes back keeps the order', async () => {
    const { owner, colleague, t } = world;
    const id = await make(owner);
    const changed = async () => (await owner.get(`${list}/${id}`)).json.updated_at as string;
    const first = await say(owner, id, 'first');
    expect(first.json.created_at).toBe(await changed());
    t.clock.advance(-60_000);
    const second = await say(colleague, id, 'second');
    expect(second.json.created_at).toBe(await changed());
    expect((await commentsOf(owner, id)).map(({ text }) => text)).toEqual(['second', 'first']);
    const gone = await owner.delete(`${list}/${id}/comments/${first.json.id}`);
    expect(gone.json.removed_at).toBe(await changed());
    t.clock.advance(60_000);
  });
});
