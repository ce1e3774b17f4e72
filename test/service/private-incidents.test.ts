/**
 * A private incident is visible only to its creator and the people it lists (decisions §4.5; failures S21): a colleague of the
 * same company calls every route for it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpointNames, endpoints, type EndpointName } from '../../src/contract/rest/index.ts';
import { startTestService, type Client } from '../support/service.ts';
import { askRow, rows, victimFor } from './matrix-rows.ts';
import { makeVictim, makeWorld, SECRET, snapshot, type World } from './matrix-world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld(
    await startTestService({
      'allow-private-webhooks': true,
      'webhook-max-hooks': 1000,
      'upload-sweep-interval': 86_400_000,
    }),
  );
});
afterAll(() => world.t.stop());

/** True if a path of this route names the incident or one of its near misses. */
const namesIt = (name: EndpointName): boolean =>
  /^(incidents|near_misses|recycled_near_misses|near_miss_attachments)\./.test(name) &&
  endpoints[name].path.includes('{id}');

describe('decisions §4.5, failures S21: a private incident', () => {
  for (const name of endpointNames) {
    const row = rows[name];
    if (row === undefined) continue;
    it(`failures S21: ${name} shows and changes nothing of it to a colleague`, async () => {
      const victim = await victimFor(world, name, true);
      const before = namesIt(name) ? await snapshot(world) : null;
      const seen = await askRow(name, row, victim, world.colleague, world.owner);
      expect(seen.text, name).not.toContain(SECRET);
      if (before !== null) {
        expect([seen.status, seen.json]).toEqual([404, { errors: ['Not found.'] }]);
        expect(await snapshot(world), `${name} wrote`).toBe(before);
        const own = await askRow(name, row, victim, world.owner, world.owner);
        expect(own.status, own.text).toBe(endpoints[name].status);
      }
    });
  }

  const list = '~/incidents/near_misses';
  const counts = async (who: Client) =>
    Promise.all(
      [
        '~/incidents',
        list,
        `${list}?filters[query]=${SECRET}`,
        '~/recycle_bin/incidents/near_misses',
      ].map(async (path) => Number((await who.get(path)).headers.get('total'))),
    );

  it('decisions §4.5: it moves no count, no filter and no catalog of a colleague, and its creator sees all of it', async () => {
    const { owner, colleague } = world;
    const catalog = (await colleague.get('~/catalog')).text;
    const [hidden, shown] = [await counts(colleague), await counts(owner)];
    const { incident, near_miss } = await makeVictim(world, true);
    expect(await counts(colleague)).toEqual(hidden);
    expect(await counts(owner)).toEqual(shown.map((count) => count + 1));
    const after = (await colleague.get('~/catalog')).json as { incidents: { id: number }[] };
    expect(after.incidents).toEqual((JSON.parse(catalog) as typeof after).incidents);
    const own = (await owner.get('~/catalog')).json as {
      incidents: { id: number; private: boolean }[];
    };
    expect(own.incidents.find(({ id }) => id === incident)?.private).toBe(true);
    expect((await owner.get(`${list}/${near_miss}`)).json).toMatchObject({
      incident_private: true,
    });
    const inIt = await colleague.get(`${list}?incident_id=${incident}`);
    expect([inIt.json, inIt.headers.get('total')]).toEqual([[], '0']);
  });

  it('decisions §4.5: naming it is a 422 for a colleague, as if it did not exist', async () => {
    const { owner, colleague } = world;
    const { incident } = await makeVictim(world, true);
    const body = (incident_id: number) => ({ near_miss: { incident_id } });
    const refused = await colleague.post(list, body(incident));
    const unknown = await colleague.post(list, body(987_654_321));
    expect([refused.status, refused.text]).toEqual([422, unknown.text]);
    expect((await owner.post(list, body(incident))).status).toBe(201);
    // Concurrent requests are looked up together, but each gets its own answer.
    const both = await Promise.all([
      colleague.post(list, body(incident)),
      owner.post(list, body(incident)),
      colleague.post(list, body(incident)),
    ]);
    expect(both.map(({ status }) => status)).toEqual([422, 201, 422]);
  });

  it('decisions §4.5, §11.6: a colleague cannot become a person whom it lists, nor make another user none', async () => {
    const { t, owner, colleague } = world;
    const people = `/rest/v1.0/companies/${t.demo.company_id}/people`;
    const { user } = (await colleague.get('/rest/v1.0/me')).json as { user: { login: string } };
    const make = async (name: string, login: string | null = null) =>
      (await owner.post(people, { person: { name, login, origin_id: name } })).json.id as number;
    const [listed, free] = [await make('Listed'), await make('Free')];
    const own = await make('The colleague', user.login);
    const opened = await owner.post('~/incidents', {
      incident: { title: SECRET, private: true, people_ids: [listed] },
    });
    const owner_login = (await owner.get('/rest/v1.0/me')).json.user.login as string;
    const all = (await owner.get(`${people}?per_page=1000`)).json as {
      id: number;
      login: string;
    }[];
    const owners = all.find(({ login }) => login === owner_login)?.id ?? 0;
    const rename = (id: number, login: string | null) =>
      colleague.patch(`${people}/${id}`, { person: { login } });
    const refused = async (id: number, login: string | null) => {
      const answer = await rename(id, login);
      expect([answer.status, Object.keys(answer.json.errors as object)]).toEqual([
        422,
        ['person.login'],
      ]);
    };
    await refused(own, 'nobody@example.com');
    await refused(own, null);
    await refused(listed, user.login);
    await refused(owners, 'nobody@example.com');
    for (const rows of [[{ id: own, login: null }], [{ origin_id: 'Listed', login: user.login }]]) {
      const answer = await colleague.post(`${people}/import`, { rows });
      expect([answer.status, Object.keys(answer.json.errors as object)]).toEqual([
        422,
        ['rows.0.login'],
      ]);
    }
    expect((await colleague.get(`~/incidents/${opened.json.id}`)).status).toBe(404);
    // Nobody signs in as these people, so their logins may be corrected. An unchanged value is no change.
    expect((await rename(free, 'free@example.com')).status).toBe(200);
    expect((await rename(free, null)).status).toBe(200);
    expect((await rename(own, user.login)).status).toBe(200);
  });

  it('decisions §4.5: the people whom it lists see it, and are named; somebody unknown is a 422', async () => {
    const { t, owner, colleague } = world;
    const { people } = (await owner.get('~/catalog')).json as {
      people: { id: number; login: string; name: string }[];
    };
    const [listed, other] = people;
    if (!listed || !other) throw new Error('the demo has no people');
    const opened = await owner.post('~/incidents', {
      incident: { title: SECRET, private: true, people_ids: [listed.id, listed.id] },
    });
    expect([opened.status, opened.json.people]).toEqual([201, [listed]]);
    const path = `~/incidents/${opened.json.id}`;
    const me = (await owner.get('/rest/v1.0/me')).json as { user: { name: string } };
    const catalog = (await owner.get('~/catalog')).json as {
      incidents: { id: number; visible_to?: string[] }[];
    };
    expect(catalog.incidents.find(({ id }) => id === opened.json.id)?.visible_to).toEqual([
      ...new Set([me.user.name, ...(listed.login === '' ? [] : [listed.name])]),
    ]);
    expect((await colleague.get(path)).status).toBe(404);
    // From now on the colleague is that person: the same login.
    const { store } = t.service.app;
    const rename = (login: string) =>
      store.write((tx) =>
        tx.updateTable('people').set({ login }).where('id', '=', listed.id).execute(),
      );
    await rename('colleague@example.com');
    const seen = await colleague.get(path);
    expect([seen.status, seen.json.title]).toEqual([200, SECRET]);
    const filed = await colleague.post(list, { near_miss: { incident_id: opened.json.id } });
    expect(filed.status).toBe(201);
    await rename(listed.login);
    expect((await colleague.get(path)).status).toBe(404);
    expect((await colleague.get(`${list}/${filed.json.id}`)).status).toBe(404);
    const unknown = { title: 'x', private: true, people_ids: [other.id, 987_654_321] };
    const refused = await owner.post('~/incidents', { incident: unknown });
    expect([refused.status, Object.keys(refused.json.errors as object)]).toEqual([
      422,
      ['incident.people_ids'],
    ]);
    const open = await owner.post('~/incidents', {
      incident: { title: 'x', people_ids: [other.id] },
    });
    expect([open.status, open.json.private, open.json.people]).toEqual([201, false, []]);
  });

  it('decisions §4.5: a hook hears of it when whoever set its address may see it', async () => {
    const { t, owner, colleague } = world;
    const hooks = '/rest/v1.0/webhooks/hooks';
    const hookOf = async (who: Client): Promise<number> => {
      const made = await who.post(hooks, {
        project_id: owner.project_id,
        hook: { destination_url: 'http://127.0.0.1:65535/' },
      });
      for (const [resource_name, event_type] of [
        ['Near Misses', 'create'],
        ['Near Misses', 'delete'],
        ['Incidents', 'create'],
      ])
        await who.post(`${hooks}/${made.json.id}/triggers`, {
          api_version: 'v1',
          trigger: { resource_name, event_type },
        });
      return made.json.id as number;
    };
    const [mine, theirs] = [await hookOf(owner), await hookOf(colleague)];
    const heard = async (hook_id: number): Promise<number> => {
      const db = t.service.app.store.read;
      const waiting = await db
        .selectFrom('webhook_pending')
        .select('event_id')
        .where('hook_id', '=', hook_id)
        .execute();
      return waiting.length;
    };
    await makeVictim(world, true);
    // One incident, two near misses, one of them deleted.
    expect([await heard(mine), await heard(theirs)]).toEqual([4, 0]);
    await makeVictim(world);
    expect([await heard(mine), await heard(theirs)]).toEqual([8, 4]);
    // A colleague who redirects the owner's hook receives none of it, not even pending events.
    await colleague.patch(`${hooks}/${mine}`, {
      hook: { destination_url: 'http://127.0.0.1:65534/' },
    });
    await makeVictim(world, true);
    expect([await heard(mine), await heard(theirs)]).toEqual([4, 4]);
  });
});
