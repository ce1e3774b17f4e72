/** Unusual but valid responses. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/host/lib/clock.ts';
import { createLargeReplies } from '../../src/host/http/parse-in-worker.ts';
import { REPLY_WORKER } from '../../src/host/http/reply-worker-source.ts';
import { createApi, type LooseInput } from '../../src/host/http/request.ts';
import { createTransport } from '../../src/host/http/http-client.ts';
import { startServerWorld } from './fixtures/world.ts';

const startServer = async (headers: readonly (readonly [string, string])[]) => {
  const server = createServer((_request, answer) => {
    answer.writeHead(200, headers.flat());
    answer.end(JSON.stringify({ id: 7, description: 'slipped' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const transport = createTransport();
  const large = createLargeReplies(REPLY_WORKER);
  onTestFinished(async () => {
    await transport.stop();
    await large.stop();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const target = { base: `http://127.0.0.1:${port}`, token: 't', company_id: 3 };
  const api = createApi(transport, systemClock, large);
  return () => api.request(target, 'near_misses.show', { params: { project_id: 5, id: 7 } });
};

it('failures A8: a header that a proxy wrote a second time says what it says once', async () => {
  const date = new Date(1_700_000_000_000).toUTCString();
  const ask = await startServer([
    ['Content-Type', 'application/json'],
    ['Content-Type', 'application/json'],
    ['ETag', '"v1"'],
    ['ETag', '"v1"'],
    ['Date', date],
    ['Date', date],
  ]);
  expect(await ask()).toMatchObject({
    ok: true,
    value: { etag: '"v1"', server_time: 1_700_000_000_000, data: { id: 7 } },
  });
});

it('outbox promise 5: an ETag that cannot be sent back is none, so that no edit is refused for it', async () => {
  for (const etag of [`"${'x'.repeat(300)}"`, '"caf\u00e9"']) {
    const ask = await startServer([
      ['Content-Type', 'application/json'],
      ['ETag', etag],
    ]);
    expect(await ask()).toMatchObject({ ok: true, value: { etag: null, data: { id: 7 } } });
  }
});

it('outbox promise 3: a proxy that lost the server for a while ends no deletion, refuses no report, makes no record gone', async () => {
  const world = await startServerWorld();
  const { project_id } = world.service.demo;
  const listed = await world.call('rest.request', {
    endpoint: 'near_misses.list',
    input: { params: { project_id } },
  });
  const [{ id, incident_id }] = listed.data as [{ id: number; incident_id: number }];
  const there = { endpoint: 'near_misses.show', input: { params: { project_id, id } } };
  const requests: { readonly endpoint: string; readonly input: LooseInput }[] = [
    { endpoint: 'near_misses.delete', input: { params: { project_id, id } } },
    {
      endpoint: 'near_misses.create',
      input: { params: { project_id }, body: { near_miss: { incident_id } } },
    },
    there,
    {
      endpoint: 'uploads.show',
      input: { params: { company_id: world.service.demo.company_id, uuid: randomUUID() } },
    },
  ];
  const says = [
    ['text/plain', '404 page not found'],
    ['text/html', '<html><body>404 Not Found</body></html>'],
  ] as const;
  for (const [type, body] of says)
    for (const request of requests) {
      world.chaos.plan = () => ({
        kind: 'answer',
        status: 404,
        headers: { 'content-type': type },
        body,
      });
      expect(await world.problem('rest.request', request)).toMatchObject({ kind: 'broken_reply' });
    }
  world.chaos.plan = () => null;
  expect((await world.call('rest.request', there)).status).toBe(200);
});

it('a server of another make that says in words of its own what it has not is connected to and counts as there', async () => {
  const world = await startServerWorld();
  const { token, company_id } = world.service.demo;
  world.chaos.plan = ({ path }) =>
    /\/(me|uploads\/.*)$/.test(path)
      ? { kind: 'answer', status: 404, headers: { 'content-type': 'text/plain' }, body: 'no' }
      : null;
  const address = world.chaos.url;
  expect(await world.call('session.try', { address, token, company_id })).toMatchObject({
    me: null,
  });
  expect(await world.call('reach.check', {})).toEqual({ server_time: null });
});

it('an exchange that was given up before it began leaves no timer behind', async () => {
  const transport = createTransport();
  onTestFinished(() => transport.stop());
  const timers = () => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;
  const before = timers();
  const outgoing = { method: 'GET', url: 'http://127.0.0.1:1/', headers: {} };
  const signal = AbortSignal.abort();
  const given = await transport.exchange({ ...outgoing, signal }, async () => {
    throw new Error('it began');
  });
  expect(given).toEqual({ ok: false, problem: { kind: 'cancelled' } });
  expect(timers()).toBe(before);
});
