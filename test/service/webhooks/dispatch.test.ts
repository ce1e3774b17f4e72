/** Sending: decisions §9.2-§9.5, §9.7 and failures S16, over real HTTP to real local endpoints, on a test clock. */
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { webhookDelivery, webhookNotification } from '../../../src/contract/rest/webhooks.ts';
import {
  answering,
  deliveriesOf,
  endpoint,
  HOOKS,
  makeHook,
  makeNearMiss,
  sender,
  until,
  type Endpoint,
} from './support.ts';

const got = (e: Endpoint, count: number) =>
  until(() => e.received.length >= count, `${count} notifications (${e.received.length} came)`);
/** Long enough for several polls of the outbox. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 150));

const HOUR = 3_600_000;

describe('decisions §9.5: many events that wait for one endpoint', () => {
  /** Pending events: the endpoint fails once, and is not retried before the clock moves. */
  const waiting = async (count: number, how: Parameters<Endpoint['answer']>[0]) => {
    const t = await sender({ 'webhook-first-retry': HOUR });
    const e = await endpoint(answering(503));
    const hook = await makeHook(t.demo, e.url);
    const ids = [await makeNearMiss(t.demo)];
    const ended = () => deliveriesOf(t.demo, hook.id);
    // The next attempt is an hour after the failure was recorded, which is later than it was received.
    await until(async () => (await ended()).length === 1, 'the first attempt');
    for (let n = 1; n < count; n += 1) ids.push(await makeNearMiss(t.demo));
    const connected = e.connections();
    e.answer(how);
    t.clock.set(t.clock.now() + 2 * HOUR);
    const told = () => e.received.slice(1).map(({ body }) => body.resource_id);
    return { t, e, ids, told, ended, connected };
  };

  it('decisions §9.5: they are told in order over one connection, and each has its delivery', async () => {
    const { e, ids, told, ended, connected } = await waiting(60, answering(200));
    await until(async () => (await ended()).length === 61, 'every delivery');
    expect(told()).toEqual(ids);
    // A turn ends with its events or its time.
    expect(e.connections() - connected).toBeLessThan(20);
  });

  it('decisions §9.5: an endpoint that ends its connection after each answer has not failed', async () => {
    const { ids, told, ended } = await waiting(8, (response) => {
      response.end();
      response.socket?.end();
    });
    await until(async () => (await ended()).length === 9, 'every delivery');
    expect(new Set(told())).toEqual(new Set(ids));
    const outcomes = (await ended()).map(({ outcome }) => outcome);
    expect(outcomes.toSorted()).toEqual([...ids.map(() => 'ok'), 'retried']);
  });

  it('decisions §9.5: one that fails among them holds those behind it back, and those before it are told', async () => {
    const { ids, told, ended } = await waiting(8, (response, count) => {
      response.writeHead(count === 4 ? 500 : 200).end();
    });
    await until(async () => (await ended()).length === 5, 'the failed attempt');
    await aWhile();
    expect(told()).toEqual(ids.slice(0, 4));
  });
});

describe('decisions §9.4: what is sent', () => {
  it('decisions §9.4: the body, the hook’s headers, and a signature that the standardwebhooks library verifies (reference R-webhooks-4, R-webhooks-5)', async () => {
    const t = await sender();
    t.clock.set(Date.now());
    const e = await endpoint();
    const hook = await makeHook(t.demo, e.url, {
      headers: { Authorization: 'Bearer my-secret', 'X-Two': '2' },
    });
    const id = await makeNearMiss(t.demo);
    await got(e, 1);
    const [one] = e.received;
    if (!one) throw new Error('nothing came');
    expect(webhookNotification.safeParse(one.body).error).toBeUndefined();
    expect(one.body).toEqual({
      id: expect.any(Number),
      ulid: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      timestamp: new Date(t.clock.now()).toISOString(),
      user_id: 1,
      company_id: t.demo.company_id,
      project_id: t.demo.project_id,
      api_version: 'v2',
      event_type: 'create',
      resource_name: 'Near Misses',
      resource_id: id,
      metadata: {
        source_user_id: 1,
        source_company_id: t.demo.company_id,
        source_project_id: t.demo.project_id,
        source_application_id: null,
        source_operation_id: null,
      },
    });
    expect([one.method, one.url]).toEqual(['POST', '/hook']);
    expect(one.headers).toMatchObject({
      authorization: 'Bearer my-secret',
      'x-two': '2',
      'content-type': 'application/json; charset=utf-8',
      'webhook-id': one.body.ulid,
    });
    const headers = one.headers as Record<string, string>;
    const receiver = new Webhook(hook.signing_secret);
    expect(receiver.verify(one.text, headers)).toEqual(one.body);
    expect(() => receiver.verify(one.text.replace('create', 'delete'), headers)).toThrow();
    expect(() =>
      new Webhook(Buffer.alloc(32).toString('base64')).verify(one.text, headers),
    ).toThrow();
  });

  it('decisions §9.2, §9.4: two hooks with one address tell it each by itself, in one shape for each version', async () => {
    const t = await sender();
    const e = await endpoint();
    const versions = { one: 'v2', two: 'v4.0' };
    const secrets = new Map<string, string>();
    for (const [name, api_version] of Object.entries(versions)) {
      const hook = await makeHook(t.demo, e.url, { headers: { 'x-hook': name }, triggers: [] });
      const trigger = { resource_name: 'Near Misses', event_type: 'create' };
      const made = await t.demo.post(`${HOOKS}/${hook.id}/triggers`, { api_version, trigger });
      expect(made.status).toBe(201);
      secrets.set(name, hook.signing_secret);
    }
    // The library refuses old signatures.
    t.clock.set(Date.now());
    await makeNearMiss(t.demo);
    await got(e, 2);
    const told = Object.entries(versions).map(([name, api_version]) => {
      const one = e.received.find(({ headers }) => headers['x-hook'] === name);
      if (!one) throw new Error(`nothing came of hook ${name}`);
      const headers = one.headers as Record<string, string>;
      new Webhook(secrets.get(name) ?? '').verify(one.text, headers);
      expect(one.body).toMatchObject({ api_version, metadata: { source_user_id: 1 } });
      return { ...one.body, api_version: '' };
    });
    expect(told[0]).toEqual(told[1]);
  });

  it('decisions §9.4: a notification has the api_version of its trigger, which may follow the hook’s', async () => {
    const t = await sender();
    const e = await endpoint();
    const hook = await makeHook(t.demo, e.url);
    const scope = { company_id: t.demo.company_id };
    const added = await t.demo.post(`${HOOKS}/${hook.id}/triggers`, {
      ...scope,
      api_version: 'v9',
      trigger: { resource_name: 'Near Misses', event_type: 'update' },
    });
    expect(added.status).toBe(201);
    const told = async (n: number) => {
      await got(e, n);
      return e.received.map(({ body }) => [body.event_type, body.api_version] as const);
    };
    const id = await makeNearMiss(t.demo);
    const path = `~/incidents/near_misses/${id}`;
    await t.demo.patch(path, { near_miss: { description: 'again' } });
    expect(await told(2)).toEqual([
      ['create', 'v2'],
      ['update', 'v9'],
    ]);
    const changed = await t.demo.patch(`${HOOKS}/${hook.id}`, { hook: { api_version: 'v3' } });
    expect(changed.status).toBe(200);
    await makeNearMiss(t.demo);
    await t.demo.patch(path, { near_miss: { description: 'once more' } });
    expect((await told(4)).slice(2)).toEqual([
      ['create', 'v3'],
      ['update', 'v9'],
    ]);
  });

  it('decisions §9.2, §9.4, reference Events 1: create, update, delete, restore (an update), of what a trigger names (reference R-events-1)', async () => {
    const t = await sender();
    const e = await endpoint();
    await makeHook(t.demo, e.url, {
      triggers: [
        ['Near Misses', 'CREATE'],
        ['Near Misses', 'update'],
        ['Near Misses', 'Delete'],
        ['Incidents', 'create'],
      ],
    });
    const id = await makeNearMiss(t.demo);
    const path = `~/incidents/near_misses/${id}`;
    await t.demo.patch(path, { near_miss: { description: 'changed' } });
    await t.demo.patch(path, { near_miss: {} });
    await t.demo.delete(path);
    await t.demo.patch(`~/recycle_bin/incidents/near_misses/${id}/restore`, {});
    const incident = (await t.demo.post('~/incidents', { incident: { title: 'x' } })).json.id;
    await t.demo.post('~/incidents/near_misses', { near_miss: { incident_id: 4711 } });
    await got(e, 5);
    await aWhile();
    expect(
      e.received.map(({ body }) => [body.resource_name, body.resource_id, body.event_type]),
    ).toEqual([
      ['Near Misses', id, 'create'],
      ['Near Misses', id, 'update'],
      ['Near Misses', id, 'delete'],
      ['Near Misses', id, 'update'],
      ['Incidents', incident, 'create'],
    ]);
  });

  it('reference Events 2: a company’s hook hears of its projects, a project’s of that project, another company’s of neither', async () => {
    const t = await sender();
    const [company, project, other] = [await endpoint(), await endpoint(), await endpoint()];
    await makeHook(t.demo, company.url);
    await makeHook(t.demo, project.url, { project_id: t.demo.project_id });
    await makeHook(t.other, other.url);
    await makeNearMiss(t.demo);
    await got(company, 1);
    await got(project, 1);
    await aWhile();
    expect([company, project, other].map((e) => e.received.length)).toEqual([1, 1, 0]);
    expect(company.received[0]?.body.ulid).toBe(project.received[0]?.body.ulid);
  });
});

describe('decisions §9.5, failures S16: failing endpoints', () => {
  it('decisions §9.5: retried after 1 s doubling; its other events wait in order; other endpoints are unaffected', async () => {
    const t = await sender();
    const [bad, good] = [await endpoint(answering(500, {}, 'no')), await endpoint()];
    const { id } = await makeHook(t.demo, bad.url);
    await makeHook(t.demo, good.url);
    const records = [];
    for (let index = 0; index < 3; index += 1) records.push(await makeNearMiss(t.demo));
    await got(bad, 1);
    await got(good, 3);
    for (const [index, wait] of [1000, 2000, 4000].entries()) {
      await until(async () => (await deliveriesOf(t.demo, id)).length === index + 1);
      t.clock.advance(wait - 1);
      await aWhile();
      expect(bad.received, `not before ${wait} ms`).toHaveLength(index + 1);
      // The jitter is at most a fifth.
      if (index === 2) bad.answer(answering(200));
      t.clock.advance(wait / 5 + 1);
      await got(bad, index + 2);
    }
    await got(bad, 6);
    const order = bad.received.map(({ body }) => body.resource_id);
    expect(order).toEqual([records[0], records[0], records[0], ...records]);
    expect(new Set(bad.received.slice(0, 4).map(({ body }) => body.ulid)).size).toBe(1);
    await until(async () => (await deliveriesOf(t.demo, id)).length === 6);
    expect((await deliveriesOf(t.demo, id)).map(({ outcome }) => outcome)).toEqual([
      'ok',
      'ok',
      'ok',
      'retried',
      'retried',
      'retried',
    ]);
    expect((await t.demo.get(`${HOOKS}/${id}`)).json.failing_since).toBeNull();
  });

  it('decisions §9.5: Retry-After is obeyed, as seconds and as a date', async () => {
    const t = await sender();
    const e = await endpoint(answering(429, { 'retry-after': '90' }));
    const { id } = await makeHook(t.demo, e.url);
    await makeNearMiss(t.demo);
    await until(async () => (await deliveriesOf(t.demo, id)).length === 1);
    t.clock.advance(89_000);
    await aWhile();
    expect(e.received).toHaveLength(1);
    const at = new Date(t.clock.now() + 600_000).toUTCString();
    e.answer(answering(503, { 'retry-after': at }));
    t.clock.advance(1001);
    await until(async () => (await deliveriesOf(t.demo, id)).length === 2);
    t.clock.advance(590_000);
    await aWhile();
    expect(e.received).toHaveLength(2);
    e.answer(answering(204));
    t.clock.advance(10_000);
    await until(async () => (await deliveriesOf(t.demo, id, '?filters[status]=successful')).length);
  });

  it('decisions §9.5, failures S16: given up after 12 h, the last one failed; the events behind it too; then it recovers', async () => {
    const t = await sender();
    const e = await endpoint(answering(503, { 'retry-after': '1000000000' }));
    const { id } = await makeHook(t.demo, e.url);
    await makeNearMiss(t.demo, 'first');
    await makeNearMiss(t.demo, 'behind');
    await until(async () => (await deliveriesOf(t.demo, id)).length === 1);
    const since = new Date(t.clock.now()).toISOString();
    expect((await t.demo.get(`${HOOKS}/${id}`)).json.failing_since).toBe(since);
    t.clock.advance(12 * HOUR - 1);
    await makeNearMiss(t.demo, 'late');
    await aWhile();
    expect(e.received, 'not before the window ends').toHaveLength(1);
    t.clock.advance(1);
    await until(async () => (await deliveriesOf(t.demo, id)).length === 3);
    expect(
      (await deliveriesOf(t.demo, id)).map(({ outcome, response_status }) => [
        outcome,
        response_status,
      ]),
    ).toEqual([
      ['failed', null],
      ['failed', 503],
      ['retried', 503],
    ]);
    expect((await deliveriesOf(t.demo, id))[0]?.response_error).toContain(since);
    expect(e.received).toHaveLength(2);
    // The later event has its own retry window.
    e.answer(answering(200));
    t.clock.advance(1_000_000_000_000);
    await got(e, 3);
    await until(async () => (await deliveriesOf(t.demo, id))[0]?.outcome === 'ok');
    expect((await t.demo.get(`${HOOKS}/${id}`)).json.failing_since).toBeNull();
  });

  it('failures S16: 410 disables the hook, others go on; a change of the hook enables it again', async () => {
    const t = await sender();
    const [gone, good] = [await endpoint(answering(410)), await endpoint()];
    const { id } = await makeHook(t.demo, gone.url);
    await makeHook(t.demo, good.url);
    await makeNearMiss(t.demo);
    const path = `${HOOKS}/${id}`;
    await until(async () => (await t.demo.get(path)).json.disabled_at !== null);
    await t.restart();
    await makeNearMiss(t.demo);
    await got(good, 2);
    t.clock.advance(24 * HOUR);
    await aWhile();
    expect(gone.received).toHaveLength(1);
    expect((await deliveriesOf(t.demo, id)).map(({ outcome }) => outcome)).toEqual(['failed']);
    gone.answer(answering(200));
    expect((await t.demo.patch(path, { hook: {} })).json.disabled_at).toBeNull();
    const record = await makeNearMiss(t.demo);
    await got(gone, 2);
    expect(gone.received[1]?.body.resource_id).toBe(record);
  });

  it('failures S16: paused and flapping: the state survives a restart, which alone sends nothing twice', async () => {
    const t = await sender();
    const e = await endpoint(answering(500));
    const { id } = await makeHook(t.demo, e.url);
    const records = [await makeNearMiss(t.demo), await makeNearMiss(t.demo)];
    await until(async () => (await deliveriesOf(t.demo, id)).length === 1);
    await t.restart();
    await aWhile();
    expect(e.received, 'still paused').toHaveLength(1);
    e.answer((response, count) => response.writeHead(count % 2 === 1 ? 200 : 500).end());
    t.clock.advance(1300);
    await until(async () => (await deliveriesOf(t.demo, id)).length === 3);
    await t.restart();
    await aWhile();
    expect(e.received).toHaveLength(3);
    t.clock.advance(1300);
    await until(async () => (await deliveriesOf(t.demo, id)).length === 4);
    await t.restart();
    await aWhile();
    expect(e.received.map(({ body }) => body.resource_id)).toEqual([
      records[0],
      records[0],
      records[1],
      records[1],
    ]);
  });

  it('failures S25: the clock is put back by two hours: signatures are of now, failed deliveries are tried again in time', async () => {
    const t = await sender();
    const e = await endpoint(answering(500));
    const { id } = await makeHook(t.demo, e.url);
    await makeNearMiss(t.demo);
    await until(async () => (await deliveriesOf(t.demo, id)).length === 1);
    t.clock.advance(-2 * HOUR);
    const now = t.clock.now() / 1000;
    await aWhile();
    expect(e.received, 'not before its second').toHaveLength(1);
    e.answer(answering(200));
    t.clock.advance(1300);
    await got(e, 2);
    const signed = Number(e.received[1]?.headers['webhook-timestamp']);
    expect(Math.abs(signed - now)).toBeLessThan(5);
    await makeNearMiss(t.demo);
    await got(e, 3);
    expect(Math.abs(Date.parse(e.received[2]?.body.timestamp ?? '') / 1000 - now)).toBeLessThan(5);
  });

  it('failures S25: put back while nothing ran: what waits is tried after the start', async () => {
    const t = await sender();
    const e = await endpoint(answering(500, { 'retry-after': '3000' }));
    const { id } = await makeHook(t.demo, e.url);
    await makeNearMiss(t.demo);
    await until(async () => (await deliveriesOf(t.demo, id)).length === 1);
    await t.service.app.uploads.sweep();
    t.clock.advance(-2 * HOUR);
    e.answer(answering(200));
    await t.restart();
    await got(e, 2);
  });

  it('decisions §9.5: a laptop that was closed for days gives its waiting events the whole window', async () => {
    const t = await sender();
    const e = await endpoint(answering(500));
    const { id } = await makeHook(t.demo, 'http://127.0.0.1:65535/closed');
    await t.service.app.webhooks.stop();
    await makeNearMiss(t.demo);
    t.clock.advance(72 * HOUR);
    await t.demo.patch(`${HOOKS}/${id}`, { hook: { destination_url: e.url } });
    await t.restart();
    await until(async () => (await deliveriesOf(t.demo, id)).length === 1);
    expect((await deliveriesOf(t.demo, id))[0]?.outcome).toBe('retried');
    e.answer(answering(200));
    t.clock.advance(1300);
    await until(async () => (await deliveriesOf(t.demo, id))[0]?.outcome === 'ok');
  });

  it('decisions §9.5: stopping waits for the attempt under way, and its event is not sent again', async () => {
    const t = await sender({ 'webhook-timeout': 5000 });
    const e = await endpoint((response) => setTimeout(() => response.end(), 300));
    const { id } = await makeHook(t.demo, e.url);
    await makeNearMiss(t.demo);
    await got(e, 1);
    await t.restart();
    await aWhile();
    expect(e.received).toHaveLength(1);
    expect((await deliveriesOf(t.demo, id)).map(({ outcome }) => outcome)).toEqual(['ok']);
  });
});

describe('decisions §9.7: deliveries', () => {
  it('decisions §9.7, reference Delivery: a bare array, newest first, paged, filtered by status in both spellings (reference R-webhooks-14, R-webhooks-16, R-webhooks-18, R-webhooks-19)', async () => {
    const t = await sender();
    const e = await endpoint(
      answering(502, { 'x-seen': 'yes', 'set-cookie': 'a=b' }, 'bad gateway \0 text'),
    );
    const { id } = await makeHook(t.demo, e.url);
    await makeNearMiss(t.demo);
    await until(async () => (await deliveriesOf(t.demo, id)).length === 1);
    e.answer(answering(200, {}, 'fine'));
    await makeNearMiss(t.demo);
    t.clock.advance(1300);
    await until(async () => (await deliveriesOf(t.demo, id)).length === 3);
    const all = await deliveriesOf(t.demo, id);
    for (const one of all) expect(webhookDelivery.safeParse(one).error).toBeUndefined();
    expect(all.map((one) => one.id)).toEqual(all.map((one) => one.id).sort((a, b) => b - a));
    expect(all[2]).toMatchObject({
      event_id: e.received[0]?.body.ulid,
      response_status: 502,
      response_headers: { 'x-seen': 'yes' },
      response_error: 'The endpoint answered 502.',
      response_body: 'bad gateway \ufffd text',
      outcome: 'retried',
    });
    expect(all[2]?.response_headers).not.toHaveProperty('set-cookie');
    expect(all[0]).toMatchObject({ response_error: null, response_body: 'fine', outcome: 'ok' });
    const path = `/vapid/webhooks/hooks/${id}/deliveries?company_id=${t.demo.company_id}`;
    for (const word of ['filters', 'filter'])
      for (const [status, count] of [
        ['any', 3],
        ['successful', 2],
        ['failing', 1],
      ] as const)
        expect((await t.demo.get(`${path}&${word}[status]=${status}`)).json).toHaveLength(count);
    expect((await t.demo.get(`${path}&filters[status]=all`)).status).toBe(422);
    expect((await t.demo.get(`${path}&filters[x]=1`)).status).toBe(422);
    const page = await t.demo.get(`${path}&per_page=2&page=2`);
    expect(page.json).toEqual([all[2]]);
    expect(page.headers.get('total')).toBe('3');
    expect((await t.demo.get(`${path}&per_page=0`)).status).toBe(422);
  });

  it('decisions §10: --webhook-deliveries-window is how long they are listed', async () => {
    const t = await sender();
    const e = await endpoint();
    const { id } = await makeHook(t.demo, e.url);
    await makeNearMiss(t.demo);
    await until(async () => (await deliveriesOf(t.demo, id)).length === 1);
    t.clock.advance(30 * 24 * HOUR);
    await t.restart();
    await aWhile();
    expect(await deliveriesOf(t.demo, id)).toHaveLength(1);
    t.clock.advance(1);
    await t.restart();
    await until(async () => (await deliveriesOf(t.demo, id)).length === 0);
  });
});
