/**
 * Answers from intermediaries instead of the API: filters, gateways, captive portals, load balancers. A 4xx counts only in the
 * API's own shape, a 401 or 403 only if `/me` confirms it, a record only if it is the requested one.
 */
import { expect, it } from 'vitest';
import { systemClock, type Clock } from '../../src/host/lib/clock.ts';
import type { LooseInput } from '../../src/host/http/request.ts';
import type { Fault } from '../support/chaos.ts';
import { startServerWorld } from './fixtures/world.ts';

const html = '<!doctype html><html><body>Blocked</body></html>';
const answer = (status: number, type: string, body: string): Fault => ({
  kind: 'answer',
  status,
  headers: type === '' ? {} : { 'content-type': type },
  body,
});

/** Intermediary answers that once parked a report for good. */
const foreign: readonly (readonly [number, string, string])[] = [
  ...[400, 401, 402, 403, 404, 405, 409, 410, 412, 413, 421, 422, 451].map(
    (status) => [status, 'text/html', html] as const,
  ),
  ...[400, 401, 403, 404, 409, 422].map((status) => [status, '', ''] as const),
  [401, 'text/plain', 'Unauthorized'],
  [403, 'text/plain', 'Forbidden'],
  [404, 'application/json', '{"message":"no Route matched with those values"}'],
  [403, 'application/json', '{"error":"policy"}'],
  [422, 'application/json', '{"errors":"everything"}'],
];

it('A46: a foreign refusal ends, refuses and signs out nothing, whatever its status and shape', async () => {
  const world = await startServerWorld();
  const { project_id, company_id } = world.service.demo;
  const listed = await world.call('rest.request', {
    endpoint: 'near_misses.list',
    input: { params: { project_id } },
  });
  const [{ id, incident_id }] = listed.data as [{ id: number; incident_id: number }];
  const show = { endpoint: 'near_misses.show', input: { params: { project_id, id } } };
  const requests: { readonly endpoint: string; readonly input: LooseInput }[] = [
    {
      endpoint: 'near_misses.create',
      input: { params: { project_id }, body: { near_miss: { incident_id } } },
    },
    {
      endpoint: 'near_misses.update',
      input: { params: { project_id, id }, body: { near_miss: { description: 'x' } } },
    },
    { endpoint: 'near_misses.delete', input: { params: { project_id, id } } },
    show,
    {
      endpoint: 'uploads.create',
      input: { params: { company_id }, body: { response_filename: 'a.jpg' } },
    },
  ];
  for (const given of foreign) {
    world.chaos.plan = () => answer(...given);
    for (const request of requests) {
      const { kind } = await world.problem('rest.request', request);
      expect(kind, `${given.join(' ')} to ${request.endpoint}`).toBe('broken_reply');
    }
    expect(await world.call('session.get', {}), given.join(' ')).toMatchObject({ state: 'ready' });
    world.chaos.plan = () => null;
    expect(await world.call('rest.request', show)).toMatchObject({ status: 200 });
  }
});

it('A46: a foreign success ends no deletion', async () => {
  const world = await startServerWorld();
  const { project_id } = world.service.demo;
  const list = { endpoint: 'near_misses.list', input: { params: { project_id } } };
  const [{ id }] = (await world.call('rest.request', list)).data as [{ id: number }];
  const deletion = { endpoint: 'near_misses.delete', input: { params: { project_id, id } } };
  for (const [status, body] of [
    [200, '{"message":"We are down for maintenance"}'],
    [200, '{"errors":["blocked by policy"]}'],
    [200, '[]'],
    [200, '{"id":999999}'],
    [202, '{"queued":true}'],
  ] as const) {
    world.chaos.plan = () => answer(status, 'application/json', body);
    expect(await world.problem('rest.request', deletion), body).toMatchObject({
      kind: 'broken_reply',
      looks_like: 'wrong_shape',
    });
  }
});

it('A46: a 404 page to a list is no word of the server, unless the server answers and merely lacks the address', async () => {
  const world = await startServerWorld();
  const { project_id } = world.service.demo;
  const problemOf = async (endpoint: string) =>
    (await world.problem('rest.request', { endpoint, input: { params: { project_id } } })).kind;
  const optional = ['recycled_near_misses.list', 'catalog.show', 'incidents.list'];
  world.chaos.plan = () => answer(404, 'text/html', html);
  for (const endpoint of ['near_misses.list', ...optional])
    expect([endpoint, await problemOf(endpoint)]).toEqual([endpoint, 'broken_reply']);
  const isMain = (path: string): boolean => /\d\/incidents\/near_misses\?/.test(path);
  world.chaos.plan = ({ path }) => (isMain(path) ? null : answer(404, 'text/html', html));
  for (const endpoint of optional)
    expect([endpoint, await problemOf(endpoint)]).toEqual([endpoint, 'gone']);
});

const ours = (status: number, message: string): Fault =>
  answer(status, 'application/json', JSON.stringify({ errors: [message] }));
const isMe = (path: string): boolean => path.startsWith('/rest/v1.0/me');

it('A47: one 401 in the API’s own words does not sign out while `/me` still knows the token', async () => {
  const world = await startServerWorld();
  world.chaos.plan = ({ path }) => (isMe(path) ? null : ours(401, 'expired'));
  const { project_id } = world.service.demo;
  const request = { endpoint: 'near_misses.list', input: { params: { project_id } } };
  expect(await world.problem('rest.request', request)).toMatchObject({
    kind: 'broken_reply',
    status: 401,
  });
  expect(await world.call('session.get', {})).toMatchObject({ state: 'ready' });
});

it('A47: a refused token is tried again now and then, and counts as soon as the server takes it', async () => {
  let passed = 0;
  const clock: Clock = { ...systemClock, monotonic: () => systemClock.monotonic() + passed };
  const world = await startServerWorld({ clock });
  world.chaos.plan = () => ours(401, 'expired');
  expect(await world.problem('reach.check', {})).toMatchObject({ kind: 'signed_out' });
  expect(await world.call('session.get', {})).toMatchObject({ state: 'signed_out' });
  world.chaos.plan = () => null;
  passed += 31_000;
  await expect.poll(async () => (await world.call('session.get', {})).state).toBe('ready');
  expect((await world.call('reach.check', {})).server_time).not.toBeNull();
});

it('A47: a 403 to everything is no access for now; a 403 to one request refuses that request', async () => {
  const world = await startServerWorld();
  const { project_id } = world.service.demo;
  const request = { endpoint: 'near_misses.list', input: { params: { project_id } } };
  world.chaos.plan = () => ours(403, 'no longer in this company');
  expect(await world.problem('rest.request', request)).toEqual({
    kind: 'no_access',
    messages: ['no longer in this company'],
  });
  expect(await world.problem('reach.check', {})).toMatchObject({ kind: 'no_access' });
  world.chaos.plan = ({ path }) => (isMe(path) ? null : ours(403, 'not in this project'));
  expect(await world.problem('rest.request', request)).toMatchObject({
    kind: 'refused',
    status: 403,
  });
});

it('A48: an answer that shows another record than was asked for is a broken reply', async () => {
  const world = await startServerWorld();
  const { project_id } = world.service.demo;
  const listed = await world.call('rest.request', {
    endpoint: 'near_misses.list',
    input: { params: { project_id } },
  });
  const [{ id }, other] = listed.data as [{ id: number }, object];
  world.chaos.plan = ({ path }) =>
    path.includes(`/near_misses/${id}`)
      ? answer(200, 'application/json', JSON.stringify(other))
      : null;
  for (const [endpoint, body] of [
    ['near_misses.show', undefined],
    ['near_misses.update', { near_miss: { description: 'x' } }],
  ] as const)
    expect(
      await world.problem('rest.request', {
        endpoint,
        input: { params: { project_id, id }, body },
      }),
    ).toMatchObject({ kind: 'broken_reply', looks_like: 'wrong_shape' });
});
