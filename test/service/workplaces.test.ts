/** [ours] The first calls of clients made for similar APIs (decisions §4.9). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashToken, mintToken } from '../../src/service/domain/tokens.ts';
import { clientOf, startTestService, type Client } from '../support/service.ts';
import { makeWorld, type World } from './matrix-world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld(await startTestService({ 'allow-private-webhooks': true }));
});
afterAll(() => world.t.stop());

const COMPANIES = '/rest/v1.0/companies';
const PROJECTS = '/rest/v1.0/projects';
const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);

/** Asks as a client that does not know its company yet. */
const askAlone = (path: string, { url, token }: Pick<Client, 'url' | 'token'>) =>
  fetch(url + path, { headers: { authorization: `Bearer ${token}` } });

describe('decisions §4.9: companies', () => {
  it('decisions §4.9: a token alone lists its companies, and no other', async () => {
    for (const who of [world.owner, world.colleague, world.stranger]) {
      const alone = await askAlone(COMPANIES, who);
      const listed = await who.get(COMPANIES);
      expect([alone.status, await alone.json()]).toEqual([200, listed.json]);
      expect(idsOf(listed.json)).toEqual([who.company_id]);
      const { id, name, created_at } = (await who.get(`${COMPANIES}/${who.company_id}`)).json;
      expect(listed.json).toEqual([{ id, name, created_at }]);
      expect([listed.headers.get('per-page'), listed.headers.get('total')]).toEqual(['100', '1']);
    }
    expect((await fetch(world.t.url + COMPANIES)).status).toBe(401);
  });

  it('decisions §4.9, §4.3: of a user of two companies, a token of one shows that one', async () => {
    const { t, owner, stranger } = world;
    const name = 'two.companies@example.com';
    const [whole, limited] = await t.service.app.store.write(async (tx) => {
      const id = 990_001;
      const now = t.clock.now();
      await tx.insertInto('users').values({ id, login: name, name, created_at: now }).execute();
      for (const { company_id } of [owner, stranger])
        await tx.insertInto('company_users').values({ company_id, user_id: id }).execute();
      const tokens = [await mintToken(tx, id, now), await mintToken(tx, id, now)];
      await tx
        .updateTable('tokens')
        .set({ company_id: owner.company_id })
        .where('token_hash', '=', hashToken(tokens[1] ?? ''))
        .execute();
      return tokens;
    });
    const shown = async (token = '') => {
      const { companies, projects } = await (
        await askAlone('/rest/v1.0/me', { ...t, token })
      ).json();
      const listed = await (await askAlone(COMPANIES, { ...t, token })).json();
      const places = new Set(projects.map((one: { company_id: number }) => one.company_id));
      return [idsOf(listed).sort(), idsOf(companies).sort(), [...places].sort()];
    };
    const both = [owner.company_id, stranger.company_id].sort();
    const one = [owner.company_id];
    expect(await shown(whole)).toEqual([both, both, both]);
    expect(await shown(limited)).toEqual([one, one, one]);
    const paged = await clientOf(t.url, { ...owner, token: whole ?? '' }).get(
      `${COMPANIES}?per_page=1&page=2`,
    );
    expect(paged.json).toHaveLength(1);
    expect(paged.headers.get('link')).toContain('rel="last"');
  });
});

describe('decisions §4.9: projects', () => {
  it('decisions §4.9: the list and the record have the fields of company data, and the company', async () => {
    const { owner, next_door } = world;
    const listed = await owner.get(`${PROJECTS}?company_id=${owner.company_id}`);
    expect(idsOf(listed.json).sort()).toEqual([owner.project_id, next_door.project_id].sort());
    const { id, name } = (await owner.get(`${COMPANIES}/${owner.company_id}`)).json;
    const known = await owner.get(`${COMPANIES}/${owner.company_id}/projects`);
    const company = { id, name };
    expect(listed.json).toEqual(known.json.map((one: object) => ({ ...one, company })));
    for (const one of listed.json) {
      const shown = await owner.get(`${PROJECTS}/${one.id}`);
      expect([shown.status, shown.json]).toEqual([200, one]);
      const etag = shown.headers.get('etag') ?? '';
      const again = await owner.get(`${PROJECTS}/${one.id}?company_id=${id}`, {
        'if-none-match': etag,
      });
      expect(again.status).toBe(304);
    }
  });

  it('decisions §4.9, §2: the list is paged and filtered like that of company data', async () => {
    const { owner, next_door } = world;
    const query = `company_id=${owner.company_id}`;
    const page = await owner.get(`${PROJECTS}?${query}&per_page=1&page=2`);
    expect([page.json.length, page.headers.get('total')]).toEqual([1, '2']);
    expect(page.headers.get('link')).toContain(`${PROJECTS}?${query}&per_page=1&page=1`);
    const found = await owner.get(`${PROJECTS}?${query}&filters[query]=next`);
    expect(idsOf(found.json)).toEqual([next_door.project_id]);
    expect((await owner.get(`${PROJECTS}?${query}&filters[colour]=red`)).status).toBe(422);
    expect((await owner.get(`${PROJECTS}?${query}&per_page=0`)).status).toBe(422);
  });

  it('decisions §4.9, §1.1: another company is a 403, its project a 404, no company a 422', async () => {
    const { owner, stranger } = world;
    const missing = await owner.get(PROJECTS);
    expect([missing.status, Object.keys(missing.json.errors)]).toEqual([422, ['company_id']]);
    const theirs = `company_id=${stranger.company_id}`;
    expect((await owner.get(`${PROJECTS}?${theirs}`)).status).toBe(403);
    expect((await owner.get(`${PROJECTS}/${owner.project_id}?${theirs}`)).status).toBe(403);
    for (const id of [stranger.project_id, 4711, '012', 'x']) {
      const answer = await owner.get(`${PROJECTS}/${id}`);
      expect([answer.status, answer.json], String(id)).toEqual([404, { errors: ['Not found.'] }]);
    }
    const alone = await askAlone(`${PROJECTS}?company_id=${owner.company_id}`, owner);
    expect(alone.status).toBe(400);
  });
});

describe('decisions §4.9: users', () => {
  it('decisions §4.9, §1.1: the users of the company, paged; of another company a 403', async () => {
    const { owner, stranger } = world;
    const path = `${COMPANIES}/${owner.company_id}/users`;
    const listed = await owner.get(path);
    const { user } = (await owner.get('/rest/v1.0/me')).json;
    const logins = listed.json.map(({ login }: { login: string }) => login);
    const standing = { level: 'admin', project_ids: null, active: true };
    expect(listed.json).toContainEqual({ ...user, ...standing });
    expect(logins).toContain('colleague@example.com');
    const theirs = (await stranger.get('/rest/v1.0/me')).json.user.login as string;
    expect(logins).not.toContain(theirs);
    const pages = [];
    for (let page = 1; page <= listed.json.length; page += 1)
      pages.push(...(await owner.get(`${path}?per_page=1&page=${page}`)).json);
    expect(pages).toEqual(listed.json);
    expect((await stranger.get(path)).status).toBe(403);
  });
});
