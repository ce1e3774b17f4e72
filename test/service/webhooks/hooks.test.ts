/** Hooks, triggers, namespaces, resources: reference "Webhooks management" and "Events", decisions §9.1-§9.3, §9.6. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  webhookHook,
  webhookHookCreated,
  webhookTrigger,
} from '../../../src/contract/rest/webhooks.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { HOOKS } from './support.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

const URL_OK = 'https://93.184.215.14/hook';
const create = (hook: object = {}, scope: object = { company_id: t.demo.company_id }) =>
  t.demo.post(HOOKS, { ...scope, hook: { destination_url: URL_OK, ...hook } });

const fieldsOf = (answer: { json: { errors: object } }) => Object.keys(answer.json.errors);

describe('decisions §9.1, §9.2: hooks', () => {
  it('decisions §9.2: create answers every field and, this once, the signing secret (reference R-webhooks-2, R-webhooks-6)', async () => {
    // Stamps of the sample data may be a millisecond ahead of the clock (decisions §14.1).
    t.clock.advance(1_000);
    const made = await create({
      api_version: 'v2',
      namespace: 'spotter-test',
      destination_headers: { Authorization: 'Bearer abcdefghij12345' },
    });
    expect(made.status).toBe(201);
    expect(webhookHookCreated.safeParse(made.json).error).toBeUndefined();
    const now = new Date(t.clock.now()).toISOString();
    const { signing_secret, ...hook } = made.json;
    expect(signing_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(hook).toEqual({
      id: expect.any(Number),
      api_version: 'v2',
      namespace: 'spotter-test',
      destination_url: URL_OK,
      destination_headers: { Authorization: '*****12345' },
      company_id: t.demo.company_id,
      project_id: null,
      failing_since: null,
      disabled_at: null,
      created_at: now,
      updated_at: now,
    });
    const shown = await t.demo.get(`${HOOKS}/${hook.id}?namespace=spotter-test`);
    expect([shown.status, shown.json]).toEqual([200, hook]);
    expect(shown.headers.get('etag')).toMatch(/^"[\w-]+"$/);
    expect(webhookHook.safeParse(shown.json).error).toBeUndefined();
  });

  it('decisions §9.1: exactly one of company_id and project_id, in a body and in a query (reference R-webhooks-1, R-webhooks-2)', async () => {
    for (const scope of [{}, { company_id: t.demo.company_id, project_id: t.demo.project_id }])
      expect((await create({}, scope)).status).toBe(422);
    for (const query of ['', `?company_id=${t.demo.company_id}&project_id=${t.demo.project_id}`])
      expect((await t.demo.get(HOOKS + query)).status).toBe(422);
    expect((await create({}, { company_id: t.other.company_id })).status).toBe(403);
    expect((await create({}, { project_id: t.other.project_id })).status).toBe(404);
    expect((await create({}, { project_id: 4711 })).status).toBe(404);
    const made = await create({}, { project_id: t.demo.project_id });
    expect(made.json).toMatchObject({ company_id: null, project_id: t.demo.project_id });
    const byProject = await t.demo.get(`${HOOKS}?project_id=${t.demo.project_id}`);
    expect(byProject.json.map(({ id }: { id: number }) => id)).toEqual([made.json.id]);
    const path = `${HOOKS}/${made.json.id}`;
    expect((await t.demo.get(`${path}?project_id=${t.demo.project_id}`)).status).toBe(200);
    expect((await t.demo.get(`${path}?company_id=${t.demo.company_id}`)).status).toBe(404);
  });

  it('decisions §9.1, reference Events 3: a hook of another namespace is a 404; core is the default (reference R-events-5, R-events-6, R-events-7)', async () => {
    const core = (await create()).json;
    const own = (await create({ namespace: 'acme-portal' })).json;
    expect(core.namespace).toBe('core');
    const path = `${HOOKS}/${own.id}`;
    const bodies: [string, string, object | undefined][] = [
      ['GET', path, undefined],
      ['PATCH', path, { hook: { api_version: 'v9' } }],
      ['DELETE', path, undefined],
      ['GET', `${path}/triggers`, undefined],
      [
        'POST',
        `${path}/triggers`,
        { api_version: 'v2', trigger: { resource_name: 'Incidents', event_type: 'create' } },
      ],
      ['GET', `${path}/deliveries`, undefined],
    ];
    for (const [method, to, body] of bodies)
      for (const query of ['', '?namespace=core', '?namespace=acme'])
        expect(
          (await t.demo.ask(method, to + query, body ? { body } : {})).status,
          method + to + query,
        ).toBe(404);
    const ids = async (namespace: string) =>
      (await t.demo.get(`${HOOKS}?company_id=1&namespace=${namespace}`)).json.map(
        ({ id }: { id: number }) => id,
      ) as number[];
    expect(await ids('acme-portal')).toEqual([own.id]);
    expect(await ids('core')).not.toContain(own.id);
    expect((await t.demo.get(`${path}?namespace=acme-portal`)).json).toMatchObject({ id: own.id });
  });

  it('decisions §9.2: a namespace is a-z and dashes only (reference R-events-4)', async () => {
    for (const namespace of ['', 'Core', 'a1', 'a_b', 'ä', 'a b', 'a\n', 5])
      expect(fieldsOf(await create({ namespace }))).toEqual(['hook.namespace']);
    const listed = await t.demo.get(`${HOOKS}?company_id=1&namespace=A`);
    expect([listed.status, fieldsOf(listed)]).toEqual([422, ['namespace']]);
  });

  it('S30, decisions §9.2: headers go to the origin they were given for; another address needs them again in full', async () => {
    const secret = { Authorization: 'Bearer password-of-the-erp' };
    const made = (await create({ destination_headers: secret })).json;
    const path = `${HOOKS}/${made.id}`;
    const move = (hook: object) => t.demo.patch(path, { hook });
    const elsewhere = 'https://93.184.215.15/hook';
    for (const hook of [
      { destination_url: elsewhere },
      { destination_url: elsewhere, destination_headers: made.destination_headers },
      { destination_url: URL_OK.replace('https:', 'http:') },
      { destination_url: URL_OK.replace('/hook', ':8443/hook') },
    ]) {
      const refused = await move(hook);
      expect([refused.status, fieldsOf(refused)], JSON.stringify(hook)).toEqual([
        422,
        ['hook.destination_headers'],
      ]);
    }
    expect((await t.demo.get(path)).json).toMatchObject({ destination_url: URL_OK });
    // Another path of the same origin is the same receiver.
    const near = await move({ destination_url: new URL('/other', URL_OK).href });
    expect([near.status, near.json.destination_headers]).toEqual([200, made.destination_headers]);
    const moved = await move({ destination_url: elsewhere, destination_headers: {} });
    expect([moved.status, moved.json.destination_headers]).toEqual([200, {}]);
  });

  it('decisions §9.2, §1.7: update changes what is sent, keeps a masked value, and honours If-Match (reference R-webhooks-6)', async () => {
    const made = (
      await create({
        destination_headers: { Authorization: 'Bearer first-secret', 'X-A': 'short' },
      })
    ).json;
    expect(made.destination_headers).toEqual({ Authorization: '*****ecret', 'X-A': '*****' });
    const path = `${HOOKS}/${made.id}`;
    const etag = (await t.demo.get(path)).headers.get('etag') ?? '';
    const changed = await t.demo.patch(
      path,
      { hook: { api_version: 'v3', destination_headers: made.destination_headers } },
      { 'if-match': etag },
    );
    expect(changed.json).toMatchObject({
      api_version: 'v3',
      destination_url: URL_OK,
      destination_headers: made.destination_headers,
    });
    expect(changed.json).not.toHaveProperty('signing_secret');
    const late = await t.demo.patch(path, { hook: {} }, { 'if-match': etag });
    expect(late.status).toBe(412);
    const emptied = await t.demo.patch(path, { hook: { destination_headers: null } });
    expect(emptied.json.destination_headers).toEqual({});
    expect(
      (await t.demo.patch(path, { hook: { destination_url: 'ftp://x.example' } })).status,
    ).toBe(422);
    expect((await t.demo.patch(path, {})).status).toBe(422);
  });

  it('decisions §9.1, §1.1: another company sees none of it', async () => {
    const made = (await create()).json;
    const path = `${HOOKS}/${made.id}`;
    expect((await t.other.get(path)).status).toBe(404);
    expect((await t.other.patch(path, { hook: {} })).status).toBe(404);
    expect((await t.other.delete(path)).status).toBe(404);
    expect((await t.other.get(`${path}/deliveries`)).status).toBe(404);
    expect((await t.other.get(`${HOOKS}?company_id=${t.demo.company_id}`)).status).toBe(403);
    expect((await t.demo.get(path)).status).toBe(200);
  });

  it('decisions §9.1: delete removes the hook, its triggers and its deliveries (reference R-webhooks-6)', async () => {
    const made = (await create()).json;
    const path = `${HOOKS}/${made.id}`;
    const trigger = { resource_name: 'Incidents', event_type: 'create' };
    const added = await t.demo.post(`${path}/triggers`, { api_version: 'v2', trigger });
    expect((await t.demo.delete(path)).status).toBe(204);
    expect((await t.demo.get(path)).status).toBe(404);
    expect((await t.demo.delete(`/rest/v1.0/webhooks/triggers/${added.json.id}`)).status).toBe(404);
  });

  it('decisions §9.1, §2: the list is paged (reference R-webhooks-6)', async () => {
    for (let index = 0; index < 3; index += 1) await create({ namespace: 'paged' });
    const answer = await t.demo.get(`${HOOKS}?company_id=1&namespace=paged&per_page=2&page=2`);
    expect(answer.json).toHaveLength(1);
    expect(answer.headers.get('total')).toBe('3');
    expect(answer.headers.get('link')).toMatch(/namespace=paged.*rel="first"/);
  });

  it('decisions §9.7: filters[status] and filter[status] that differ are refused; the same in both is fine', async () => {
    const { id } = (await create({})).json;
    for (const path of [`${HOOKS}/${id}/deliveries`, `/vapid/webhooks/hooks/${id}/deliveries`]) {
      const asked = (filters: string, filter: string) =>
        t.demo.get(`${path}?filters[status]=${filters}&filter[status]=${filter}`);
      const refused = await asked('successful', 'failing');
      expect([refused.status, fieldsOf(refused)]).toEqual([422, ['filter.status']]);
      expect((await asked('any', 'failing')).status).toBe(422);
      expect((await asked('failing', 'failing')).status).toBe(200);
      const twice = await t.demo.get(`${path}?filter[status]=any&filter[status]=failing`);
      expect([twice.status, fieldsOf(twice)]).toEqual([422, ['filter.status']]);
    }
  });

  it('decisions §9.3: what is offered can be heard of, and nothing else', async () => {
    const hook = (await create({ namespace: 'offered' })).json;
    const offered = (await t.demo.get('/rest/v1.0/webhooks/resources')).json as {
      name: string;
      event_types: string[];
    }[];
    for (const { name, event_types } of offered)
      for (const event_type of ['create', 'update', 'delete']) {
        const answer = await t.demo.post(`${HOOKS}/${hook.id}/triggers?namespace=offered`, {
          company_id: 1,
          api_version: 'v2',
          trigger: { resource_name: name, event_type },
        });
        const said = event_types.includes(event_type) ? 201 : 422;
        expect(answer.status, `${name} ${event_type}`).toBe(said);
      }
  });

  it('decisions §9.1: all of it is there under /vapid/webhooks as well', async () => {
    const vapid = '/vapid/webhooks/hooks';
    const made = (await t.demo.post(vapid, { company_id: 1, hook: { destination_url: URL_OK } }))
      .json;
    expect((await t.demo.get(`${HOOKS}/${made.id}`)).json.id).toBe(made.id);
    expect((await t.demo.get(`${vapid}/${made.id}`)).status).toBe(200);
    expect((await t.demo.get(`${vapid}/${made.id}/deliveries?company_id=1`)).json).toEqual([]);
    const trigger = { resource_name: 'Incidents', event_type: 'create' };
    const added = await t.demo.post(`${vapid}/${made.id}/triggers`, { api_version: 'v2', trigger });
    expect(added.status).toBe(201);
    expect((await t.demo.get(`${vapid}/${made.id}/triggers`)).json).toHaveLength(1);
    expect((await t.demo.delete(`/vapid/webhooks/triggers/${added.json.id}`)).status).toBe(204);
    expect((await t.demo.get('/vapid/webhooks/resources')).json).toHaveLength(6);
    expect((await t.demo.patch(`${vapid}/${made.id}`, { hook: {} })).status).toBe(200);
    expect((await t.demo.delete(`${vapid}/${made.id}`)).status).toBe(204);
  });

  it('decisions §10: --webhook-max-hooks bounds the hooks of a company', async () => {
    const own = await startTestService({ 'webhook-max-hooks': 1 });
    try {
      const body = { company_id: 1, hook: { destination_url: URL_OK } };
      expect((await own.demo.post(HOOKS, body)).status).toBe(201);
      expect((await own.demo.post(HOOKS, body)).json.errors.hook[0]).toMatch(/at most 1/);
    } finally {
      await own.stop();
    }
  });
});

describe('decisions §9.2, §9.3: triggers and resources', () => {
  it('decisions §9.2: event_type in any case in, lower case out; every field answered; 404s and 422s (reference R-webhooks-7, R-webhooks-8, R-webhooks-9)', async () => {
    const hook = (await create({ namespace: 'triggers' })).json;
    const path = `${HOOKS}/${hook.id}/triggers?namespace=triggers`;
    const post = (trigger: object, more: object = { company_id: 1, api_version: 'v2' }) =>
      t.demo.post(path, { ...more, trigger });
    const made = await post({ resource_name: 'Near Misses', event_type: 'UpDate' });
    expect([made.status, made.json]).toEqual([
      201,
      {
        id: expect.any(Number),
        webhook_hook_id: hook.id,
        api_version: 'v2',
        resource_name: 'Near Misses',
        event_type: 'update',
        company_id: 1,
        project_id: null,
      },
    ]);
    expect(webhookTrigger.safeParse(made.json).error).toBeUndefined();
    const twice = await post({ resource_name: 'Near Misses', event_type: 'update' });
    expect([twice.status, fieldsOf(twice)]).toEqual([422, ['trigger']]);
    for (const [trigger, field] of [
      [{ resource_name: 'Nonsense', event_type: 'create' }, 'trigger.resource_name'],
      [{ resource_name: 'Incidents', event_type: 'restore' }, 'trigger.event_type'],
      [{ resource_name: 'Incidents', event_type: 'delete' }, 'trigger.event_type'],
      [{ resource_name: 'Project Memberships', event_type: 'Update' }, 'trigger.event_type'],
      [{ event_type: 'create' }, 'trigger.resource_name'],
    ] as const)
      expect(fieldsOf(await post(trigger))).toEqual([field]);
    const ok = { resource_name: 'Incidents', event_type: 'create' };
    expect(fieldsOf(await post(ok, {}))).toEqual(['api_version']);
    expect((await post(ok, { api_version: 'v2', company_id: 1, project_id: 1 })).status).toBe(422);
    expect((await post(ok, { api_version: 'v2', project_id: 1 })).status).toBe(404);
    expect((await t.demo.get(path)).json).toEqual([made.json]);
    const one = `/rest/v1.0/webhooks/triggers/${made.json.id}`;
    expect((await t.demo.delete(one)).status).toBe(404);
    expect((await t.other.delete(`${one}?namespace=triggers`)).status).toBe(404);
    expect((await t.demo.delete(`${one}?namespace=triggers`)).status).toBe(204);
    expect((await t.demo.get(path)).json).toEqual([]);
  });

  it('decisions §9.2: a hook stays in its namespace: a PATCH that names another is refused, and changes nothing', async () => {
    const hook = (await create({ namespace: 'staying' })).json;
    const path = `${HOOKS}/${hook.id}?namespace=staying`;
    const moved = await t.demo.patch(path, { hook: { namespace: 'going', api_version: 'v7' } });
    expect([moved.status, fieldsOf(moved)]).toEqual([422, ['hook.namespace']]);
    expect((await t.demo.get(path)).json).toMatchObject({
      namespace: 'staying',
      api_version: hook.api_version,
    });
    const same = await t.demo.patch(path, { hook: { namespace: 'staying', api_version: 'v7' } });
    expect([same.status, same.json.api_version]).toEqual([200, 'v7']);
  });

  it('decisions §9.3: what is offered happens: an incident is created and changed, never deleted', async () => {
    const { json } = await t.demo.get('/rest/v1.0/webhooks/resources');
    const events = (json as { name: string; event_types: string[] }[]).map(
      ({ name, event_types }) => [name, event_types] as const,
    );
    expect(Object.fromEntries(events)).toMatchObject({
      Incidents: ['create', 'update'],
      'Near Misses': ['create', 'update', 'delete'],
    });
  });

  it('decisions §9.3: resources are the six names', async () => {
    const { json } = await t.demo.get('/rest/v1.0/webhooks/resources');
    expect(json.map(({ name }: { name: string }) => name)).toEqual([
      'Near Misses',
      'Incidents',
      'Project Insurances',
      'Time And Material Entry Attachments',
      'Project Memberships',
      'Company Uploads',
    ]);
  });
});

describe('decisions §9.6, failures: what a hook may hold', () => {
  it('decisions §9.6: destination_url must be http(s), without credentials', async () => {
    for (const destination_url of [
      'gopher://93.184.215.14/x',
      'file:///etc/passwd',
      'ftp://93.184.215.14/',
      'javascript:alert(1)',
      'data:text/plain,x',
      'https://user:secret@93.184.215.14/',
      'https://user@93.184.215.14/',
      'not a url',
      '',
      'http://',
      `https://93.184.215.14/${'x'.repeat(2100)}`,
      5,
    ])
      expect(fieldsOf(await create({ destination_url })), String(destination_url)).toEqual([
        'hook.destination_url',
      ]);
  });

  it('failures, destination_headers: hop-by-hop, ours, and line breaks are refused on their name', async () => {
    const refused: [string, string][] = [
      ['Host', 'x'],
      ['Content-Length', '1'],
      ['Transfer-Encoding', 'chunked'],
      ['Connection', 'close'],
      ['keep-alive', 'x'],
      ['TE', 'trailers'],
      ['Trailer', 'x'],
      ['Upgrade', 'h2c'],
      ['Expect', '100-continue'],
      ['Proxy-Authorization', 'x'],
      ['webhook-signature', 'v1,x'],
      ['X-A', 'a\r\nX-B: c'],
      ['X-A', 'a\nb'],
      ['X-A', 'a\rb'],
      ['X-A', 'smörgås'],
      ['X A', 'b'],
      ['X-A\r\nX-B', 'b'],
      ['X:', 'b'],
    ];
    for (const [name, value] of refused) {
      const answer = await create({ destination_headers: { [name]: value } });
      expect([answer.status, fieldsOf(answer)]).toEqual([
        422,
        [`hook.destination_headers.${name}`],
      ]);
    }
    expect((await create({ destination_headers: { 'X-A': '1', 'x-a': '2' } })).status).toBe(422);
    expect((await create({ destination_headers: { 'X-A': 5 } })).status).toBe(422);
    expect((await create({ destination_headers: { 'X-A': 'x'.repeat(9000) } })).status).toBe(422);
  });

  it('failures, destination_headers: neither they nor the signing secret are in the database or any file in the clear', async () => {
    const canary = 'canary-7f3a9c-header-value';
    const { signing_secret } = (await create({ destination_headers: { 'X-Key': canary } })).json;
    const rows = JSON.stringify(
      await t.service.app.store.read.selectFrom('webhook_hooks').selectAll().execute(),
    );
    expect(rows).toContain('destination_headers');
    expect(rows.includes(canary) || rows.includes(String(signing_secret))).toBe(false);
    for (const entry of readdirSync(t.data_dir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const bytes = readFileSync(join(entry.parentPath, entry.name));
      expect(bytes.includes(canary), entry.name).toBe(false);
      expect(bytes.includes(String(signing_secret)), entry.name).toBe(false);
    }
    // Windows lacks these modes; there the folder's access list decides (src/disk).
    if (process.platform !== 'win32')
      expect(statSync(join(t.data_dir, 'webhook.key')).mode & 0o777).toBe(0o600);
  });

  it('failures, destination_headers: with another key nothing is shown and nothing breaks; a bad key is said', async () => {
    const key = Buffer.alloc(32, 7).toString('base64');
    const own = await startTestService({ 'webhook-key': key });
    const body = {
      company_id: 1,
      hook: { destination_url: URL_OK, destination_headers: { a: 'b'.repeat(20) } },
    };
    const { id } = (await own.demo.post(HOOKS, body)).json;
    expect((await own.demo.get(`${HOOKS}/${id}`)).json.destination_headers).toEqual({
      a: '*****bbbbb',
    });
    await own.stop();
    await expect(startTestService({ 'webhook-key': 'too short' })).rejects.toThrow(/32 bytes/);
  });
});
