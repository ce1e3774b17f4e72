/** [ours] Lists in the order of their changes (decisions §14), on both databases. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startTestService, type Answer, type Client } from '../support/service.ts';
import { makeVictim, makeWorld, type World } from './matrix-world.ts';
import { bin, list, race, readOn, type Position, type Row } from './following-race.ts';
import { slow } from '../support/slow.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld(
    await startTestService({ 'allow-private-webhooks': true, 'webhook-max-hooks': 1000 }),
  );
});
afterAll(() => world.t.stop());

type Rows = readonly { readonly id: number; readonly updated_at?: string; deleted_at?: string }[];

/** Reads a list to its end. */
const toTheEnd = async (client: Client, path = list): Promise<Position> => {
  const position = await readOn(client, null, new Map(), { path });
  if (position === null) throw new Error(`${path} is empty`);
  return position;
};

const since = async (client: Client, position: Position, path = list): Promise<readonly Row[]> => {
  const seen = new Map<number, Row>();
  await readOn(client, position, seen, { path });
  return [...seen.values()];
};

const make = async (client: Client, description: string, incident_id?: number): Promise<number> => {
  const incidents = (await client.get('~/incidents')).json as Rows;
  const near_miss = { incident_id: incident_id ?? incidents[0]?.id, description };
  const made = await client.post(list, { near_miss });
  expect(made.status, made.text).toBe(201);
  return made.json.id as number;
};

describe('decisions §14.1: the order of the commits', () => {
  slow(
    'decisions §14.1: 100 writes by 8 clients while 2 readers follow: nothing is missed',
    async () => {
      const t = await startTestService({}, { now: Date.now, set: () => {}, advance: () => {} });
      onTestFinished(() => t.stop());
      expect(await race(t, { writes: 100, writers: 8, readers: 2 })).toMatchObject({ missed: 0 });
    },
  );

  it('decisions §14.1: a clock that is set back does not move a change before an earlier one', async () => {
    const { t, owner } = world;
    const first = await make(owner, 'Before the clock was set back');
    t.clock.advance(-3_600_000);
    const position = await toTheEnd(owner);
    const second = await make(owner, 'After it');
    t.clock.advance(3_600_000);
    expect(position.id).toBe(first);
    expect((await since(owner, position)).map(({ id }) => id)).toEqual([second]);
  });

  it('decisions §14.2: sort and filter by updated_at, and id as tie-break', async () => {
    const { owner } = world;
    const upward = (await owner.get(`${list}?sort=updated_at&per_page=1000`)).json as Rows;
    const key = (row: Rows[number]) => [Date.parse(row.updated_at ?? ''), row.id] as const;
    const sorted = [...upward].sort((a, b) => {
      const [[x, i], [y, j]] = [key(a), key(b)];
      return x - y || i - j;
    });
    expect(upward.map(({ id }) => id)).toEqual(sorted.map(({ id }) => id));
    const times = upward.map(({ updated_at }) => updated_at ?? '');
    const downward = (await owner.get(`${list}?sort=-updated_at&per_page=1000`)).json as Rows;
    expect(downward.map(({ updated_at }) => updated_at)).toEqual(times.toReversed());
    const middle = times[Math.floor(times.length / 2)] ?? '';
    const found = await owner.get(`${list}?filters[updated_at]=${middle}...&per_page=1000`);
    expect(found.json).toHaveLength(times.filter((time) => time >= middle).length);
    expect(found.headers.get('total')).toBe(String(found.json.length));
  });

  it('decisions §14.2: a position without a start, and deleted records beside other filters, are a 422', async () => {
    const { owner } = world;
    for (const [query, name] of [
      ['after_id=3', 'after_id'],
      ['after_id=3&sort=updated_at', 'after_id'],
      ['after_id=3&filters[updated_at]=2026-01-01...', 'after_id'],
      ['after_id=3&sort=updated_at&filters[updated_at]=...2026-01-01', 'after_id'],
      ['include_deleted=true', 'include_deleted'],
      ['include_deleted=true&sort=updated_at&incident_id=1', 'include_deleted'],
      ['include_deleted=true&sort=updated_at&filters[query]=x', 'include_deleted'],
      ['include_deleted=perhaps&sort=updated_at', 'include_deleted'],
      ['filters[updated_at]=yesterday', 'filters.updated_at'],
    ] as const) {
      const answer = await owner.get(`${list}?${query}`);
      expect([answer.status, Object.keys(answer.json.errors)], query).toEqual([422, [name]]);
    }
  });
});

describe('decisions §14.3: what a reader learns of', () => {
  it('decisions §14.3: a record that was changed, recycled and restored', async () => {
    const { owner } = world;
    const id = await make(owner, 'Followed');
    let position = await toTheEnd(owner);
    await owner.patch(`${list}/${id}`, { near_miss: { description: 'Followed on' } });
    expect(await since(owner, position)).toMatchObject([
      { id, description_plain_text: 'Followed on', deleted_at: null },
    ]);
    position = await toTheEnd(owner);
    await owner.delete(`${list}/${id}`);
    expect(await since(owner, position)).toMatchObject([{ id, deleted_at: expect.any(String) }]);
    expect((await owner.get(`${list}?sort=-updated_at&per_page=1`)).json[0].id).not.toBe(id);
    position = await toTheEnd(owner);
    await owner.patch(`${bin}/${id}/restore`, {});
    expect(await since(owner, position)).toMatchObject([{ id, deleted_at: null }]);
  });

  it('decisions §14.3: what was deleted for good, as its id and time and nothing else, on every list that deletes', async () => {
    const { owner } = world;
    const victim = await makeVictim(world, false);
    const project = `/rest/v1.0/projects/${victim.project}`;
    const vendor = `${project}/vendors/${victim.vendor}/insurances`;
    const hooks = '/rest/v1.0/webhooks/hooks';
    const scope = `project_id=${victim.project}`;
    const hook = { api_version: 'v1', destination_url: 'http://127.0.0.1:8099/followed' };
    const files = `${project}/time_and_material_entry_attachments`;
    const gone = async (
      path: string,
      create: () => Promise<Answer>,
      remove: (id: number) => Promise<{ status: number }>,
    ) => {
      const joined = path.includes('?') ? '&' : '?';
      const created = await create();
      expect(created.status, created.text).toBe(201);
      const made = created.json.id as number;
      const query = `${path}${joined}sort=updated_at&include_deleted=true&per_page=10000`;
      const answered = await owner.get(query);
      expect(answered.status, answered.text).toBe(200);
      const before = answered.json as Rows;
      const row = before.at(-1);
      expect(row, path).toMatchObject({ id: made, updated_at: expect.any(String) });
      expect((await remove(made)).status, path).toBeLessThan(300);
      const from = `&filters[updated_at]=${row?.updated_at}...&after_id=${made}`;
      const after = (await owner.get(query + from)).json as Rows;
      expect(after, path).toEqual([{ id: made, deleted_at: expect.any(String) }]);
      expect(Date.parse(after[0]?.deleted_at ?? ''), path).toBeGreaterThan(
        Date.parse(row?.updated_at ?? ''),
      );
      const plainly = (await owner.get(`${path}${joined}sort=updated_at&per_page=10000`)).json;
      expect(
        (plainly as Rows).map(({ id }) => id),
        path,
      ).not.toContain(made);
    };
    await gone(
      vendor,
      () => owner.post(vendor, { insurance: { name: 'Followed' } }),
      (id) => owner.delete(`${vendor}/${id}`),
    );
    await gone(
      `${hooks}?${scope}`,
      () => owner.post(hooks, { project_id: victim.project, hook }),
      (id) => owner.delete(`${hooks}/${id}`),
    );
    const kept = (await owner.post(hooks, { project_id: victim.project, hook })).json.id;
    const trigger = { resource_name: 'Near Misses', event_type: 'create' };
    await gone(
      `${hooks}/${kept}/triggers`,
      () => owner.post(`${hooks}/${kept}/triggers`, { api_version: 'v1', trigger }),
      (id) => owner.delete(`/rest/v1.0/webhooks/triggers/${id}`),
    );
    await gone(
      files,
      () =>
        owner.post(files, {
          time_and_material_entry_id: victim.entry,
          time_and_material_entry_attachment: { documents: [victim.document] },
        }),
      (id) => owner.delete(`${files}/${id}`),
    );
  });

  it('decisions §14.2: company data, projects, people and members are followed too', async () => {
    const { owner } = world;
    const of = `/rest/v1.0/companies/${owner.company_id}`;
    for (const path of [
      `${of}/people`,
      `${of}/custom_field_definitions`,
      `/rest/v1.0/projects?company_id=${owner.company_id}`,
      '~/project_memberships',
      '~/incidents',
    ]) {
      const joined = path.includes('?') ? '&' : '?';
      const all = (await owner.get(`${path}${joined}sort=updated_at&per_page=10000`)).json as Rows;
      const last = all.at(-1);
      expect(last?.updated_at, path).toEqual(expect.any(String));
      const from = `${joined}sort=updated_at&filters[updated_at]=${last?.updated_at}...`;
      expect((await owner.get(`${path}${from}&after_id=${last?.id}`)).json, path).toEqual([]);
      expect(((await owner.get(path + from)).json as Rows).at(-1)?.id, path).toBe(last?.id);
    }
    const people = `${of}/people`;
    const all = (await owner.get(`${people}?sort=updated_at&per_page=10000`)).json as Rows;
    const first = all[0]?.id ?? 0;
    const last = all.at(-1);
    await owner.patch(`${people}/${first}`, { person: { name: 'Renamed and followed' } });
    const from = `filters[updated_at]=${last?.updated_at}...&after_id=${last?.id}`;
    expect((await owner.get(`${people}?sort=updated_at&${from}`)).json).toMatchObject([
      { id: first, name: 'Renamed and followed' },
    ]);
  });
});

describe('decisions §14.4: a private incident', () => {
  const incidents = '~/incidents';

  it('decisions §14.4: a colleague who loses sight of it gets ids and times, and gets it back when it is open again', async () => {
    const { owner, colleague } = world;
    const incident = (await owner.post(incidents, { incident: { title: 'Open at first' } })).json
      .id as number;
    const id = await make(owner, 'Seen by all', incident);
    let position = await toTheEnd(colleague);
    let ofIncidents = await toTheEnd(colleague, incidents);
    await owner.patch(`${incidents}/${incident}`, { incident: { private: true } });
    expect(await since(colleague, position)).toEqual([{ id, deleted_at: expect.any(String) }]);
    expect(await since(colleague, ofIncidents, incidents)).toEqual([
      { id: incident, deleted_at: expect.any(String) },
    ]);
    position = await toTheEnd(colleague);
    ofIncidents = await toTheEnd(colleague, incidents);
    // What happens to it from then on, and what is new in it, nobody else learns.
    await owner.patch(`${list}/${id}`, { near_miss: { description: 'A secret' } });
    const later = await make(owner, 'Another secret', incident);
    expect(await since(colleague, position)).toEqual([]);
    await owner.patch(`${incidents}/${incident}`, { incident: { private: false } });
    expect((await since(colleague, position)).map((row) => row.id).sort()).toEqual(
      [id, later].sort(),
    );
    expect(await since(colleague, ofIncidents, incidents)).toMatchObject([{ id: incident }]);
  });

  it('decisions §14.4: one that was private from the start leaves no trace', async () => {
    const { owner, colleague } = world;
    const position = await toTheEnd(colleague);
    const incident = (
      await owner.post(incidents, { incident: { title: 'Always secret', private: true } })
    ).json.id as number;
    const id = await make(owner, 'Never shown', incident);
    await owner.patch(`${incidents}/${incident}`, { incident: { title: 'Still secret' } });
    await owner.delete(`${list}/${id}`);
    expect(await since(colleague, position)).toEqual([]);
  });

  it('decisions §14.4: a person who is listed sees its near misses, and one who is struck off loses them', async () => {
    const { owner, colleague } = world;
    const { login, name } = (await colleague.get('/rest/v1.0/me')).json.user;
    const people = `/rest/v1.0/companies/${owner.company_id}/people`;
    const person = (await owner.post(people, { person: { name, login } })).json.id;
    const incident = (await owner.post(incidents, { incident: { title: 'Of two', private: true } }))
      .json.id as number;
    const id = await make(owner, 'Of two people', incident);
    let position = await toTheEnd(colleague);
    await owner.patch(`${incidents}/${incident}`, { incident: { people_ids: [person] } });
    expect(await since(colleague, position)).toMatchObject([
      { id, description_plain_text: 'Of two people' },
    ]);
    position = await toTheEnd(colleague);
    await owner.patch(`${incidents}/${incident}`, { incident: { people_ids: [] } });
    expect(await since(colleague, position)).toEqual([{ id, deleted_at: expect.any(String) }]);
  });
});

it('decisions §14.2: the reference mode knows nothing of it', async () => {
  const t = await startTestService({ plain: true });
  onTestFinished(() => t.stop());
  expect((await t.demo.get(`${list}?sort=updated_at`)).status).toBe(422);
  expect((await t.demo.get(`${list}?filters[updated_at]=2026-01-01...`)).status).toBe(422);
  const plainly = await t.demo.get('~/project_memberships?sort=updated_at&per_page=1');
  expect(plainly.json[0]).not.toHaveProperty('updated_at');
});
