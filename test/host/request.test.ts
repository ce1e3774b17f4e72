/** The REST client against a deliberately misbehaving server: every response is a success by the contract or a Problem. */
import { createServer as createTcp, type AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { everyRow } from '../../src/contract/rest/protocol/every-page.ts';
import type { Problem } from '../../src/contract/problem.ts';
import { systemClock } from '../../src/host/lib/clock.ts';
import { retryAfter } from '../../src/host/http/reply.ts';
import { createLargeReplies } from '../../src/host/http/parse-in-worker.ts';
import { createApi, type LooseInput } from '../../src/host/http/request.ts';
import {
  createTransport,
  usualLimits,
  type TransportLimits,
} from '../../src/host/http/http-client.ts';
import { startChaos, type Fault, type Plan } from '../support/chaos.ts';
import { REPLY_WORKER } from '../../src/host/http/reply-worker-source.ts';

const token = 'a-token-of-this-test';
const nearMiss = { id: 7, description: 'slipped' };
const json = { 'content-type': 'application/json' };
const key = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

const answer = (status: number, body: unknown, headers: Record<string, string> = json): Fault => ({
  kind: 'answer',
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

const client = async (plan: Plan | Fault, limits: Partial<TransportLimits> = {}) => {
  const server = await startChaos(null, typeof plan === 'function' ? plan : () => plan, true);
  const transport = createTransport({ ...usualLimits, ...limits });
  onTestFinished(async () => {
    await transport.stop();
    await server.close();
  });
  const large = createLargeReplies(REPLY_WORKER);
  onTestFinished(() => large.stop());
  const api = createApi(transport, systemClock, large);
  const target = { base: server.url, token, company_id: 3 };
  return {
    server,
    target,
    api,
    ask: (name: string, input: LooseInput, signal?: AbortSignal) =>
      api.request(target, name, input, signal),
  };
};

const create: [string, LooseInput] = [
  'near_misses.create',
  { params: { project_id: 5 }, body: { near_miss: { incident_id: 1 } }, idempotency_key: key },
];
const show: [string, LooseInput] = ['near_misses.show', { params: { project_id: 5, id: 7 } }];

const problemOf = async (plan: Plan | Fault, ask = show, limits = {}): Promise<Problem> => {
  const { ask: request } = await client(plan, limits);
  const result = await request(...ask);
  expect(result.ok).toBe(false);
  return result.ok ? { kind: 'bug', detail: 'a success' } : result.problem;
};

it('sends method, path, query, token, company and key as the contract says, and reads the headers back', async () => {
  const { server, ask } = await client(
    answer(201, nearMiss, {
      ...json,
      etag: '"v1"',
      'idempotency-replayed': 'true',
      date: 'Wed, 04 Mar 2026 05:06:07 GMT',
    }),
  );
  const made = await ask(...create);
  expect(made).toMatchObject({
    ok: true,
    value: {
      status: 201,
      data: nearMiss,
      etag: '"v1"',
      replayed: true,
      server_time: Date.UTC(2026, 2, 4, 5, 6, 7),
    },
  });
  const [seen] = server.seen;
  expect(seen?.method).toBe('POST');
  expect(seen?.path).toBe('/rest/v1.0/projects/5/incidents/near_misses');
  expect(seen?.headers).toMatchObject({
    authorization: `Bearer ${token}`,
    'service-company-id': '3',
    'idempotency-key': key,
    'content-type': 'application/json',
  });
  expect(JSON.parse(String(seen?.body))).toEqual({ near_miss: { incident_id: 1 } });
});

it('decisions §2.2: Per-Page, Total and Link tell whether a page follows; without them a full page does', async () => {
  const list = (headers: Record<string, string>, rows: number): Fault =>
    answer(
      200,
      Array.from({ length: rows }, (_, id) => ({ id: id + 1 })),
      { ...json, ...headers },
    );
  const pages = async (fault: Fault, page = 1) => {
    const { ask } = await client(fault);
    const result = await ask('near_misses.list', {
      params: { project_id: 5 },
      query: { page, per_page: 2 },
    });
    return result.ok ? result.value.paging : result.problem;
  };
  const link = '<http://x/?page=2>; rel="next", <http://x/?page=9>; rel="last"';
  expect(await pages(list({ 'per-page': '2', total: '5', link }, 2))).toEqual({
    per_page: 2,
    total: 5,
    has_next: true,
  });
  const last = '<http://x/?page=1>; rel="first", <http://x/?page=2>; rel="last"';
  expect(await pages(list({ 'per-page': '2', total: '4', link: last }, 2), 2)).toMatchObject({
    has_next: false,
  });
  expect(await pages(list({ 'per-page': '2', total: '3' }, 2))).toMatchObject({ has_next: true });
  expect(await pages(list({}, 2))).toEqual({ per_page: null, total: null, has_next: true });
  expect(await pages(list({}, 1))).toMatchObject({ has_next: false });
});

it('refuses what the contract does not allow before anything is sent', async () => {
  const { server, ask } = await client(answer(200, nearMiss));
  const bad: [string, LooseInput][] = [
    ['near_misses.steal', { params: {} }],
    ['toString', { params: {} }],
    ['near_misses.show', { params: { project_id: 5 } }],
    ['near_misses.show', { params: { project_id: 5, id: '../../me' } }],
    ['uploads.show', { params: { company_id: 3, uuid: '..' } }],
    ['near_misses.list', { params: { project_id: 5 }, query: { per_page: 0 } }],
    ['near_misses.list', { params: { project_id: 5 }, query: { filters: { unknown: 1 } } }],
    ['near_misses.create', { params: { project_id: 5 }, body: { near_miss: {} } }],
    ['near_misses.show', { params: { project_id: 5, id: 7 }, if_match: 'a\r\nx: y' }],
  ];
  for (const [name, input] of bad)
    expect(await ask(name, input), name).toMatchObject({
      ok: false,
      problem: { kind: 'bad_input' },
    });
  expect(server.seen).toHaveLength(0);
});

it.each([
  [400, { errors: ['no'] }, { kind: 'refused', status: 400, messages: ['no'] }],
  [401, { errors: ['who?'] }, { kind: 'signed_out', detail: 'who?' }],
  [403, { errors: ['no'] }, { kind: 'refused', status: 403 }],
  [404, { errors: ['not found'] }, { kind: 'gone', status: 404 }],
  [407, { errors: ['sign in to the proxy'] }, { kind: 'offline', reason: 'proxy_sign_in' }],
  [409, { errors: ['changed'] }, { kind: 'conflict', status: 409 }],
  [410, { errors: ['gone'] }, { kind: 'gone', status: 410 }],
  [412, { errors: ['changed'] }, { kind: 'conflict', status: 412 }],
  [
    422,
    { errors: { 'near_miss.incident_id': ['bad'] } },
    { kind: 'refused', fields: { 'near_miss.incident_id': ['bad'] } },
  ],
  [429, {}, { kind: 'busy', retry_after_ms: null }],
  [500, { errors: ['oops'] }, { kind: 'server_error', status: 500, messages: ['oops'] }],
  [503, {}, { kind: 'server_error', status: 503, messages: [] }],
  [502, { message: 'upstream is away' }, { messages: ['upstream is away'] }],
  [
    500,
    { type: 'about:blank', title: 'Broken', detail: 'The disk is gone' },
    { messages: ['The disk is gone'] },
  ],
  [500, ['code', 17], { kind: 'server_error', messages: [] }],
  [100 + 899, {}, { kind: 'server_error', status: 999 }],
])('failures A5, A10, A24: %i becomes its problem', async (status, body, expected) => {
  expect(await problemOf(answer(status, body), create)).toMatchObject(expected);
});

it('failures A6: Retry-After in seconds, as a date, garbage and 10^9', async () => {
  const now = Date.UTC(2026, 0, 1);
  expect(retryAfter('7', now)).toBe(7_000);
  expect(retryAfter('Thu, 01 Jan 2026 00:01:00 GMT', now)).toBe(60_000);
  expect(retryAfter('Wed, 31 Dec 2025 00:00:00 GMT', now)).toBe(0);
  expect(retryAfter('1000000000', now)).toBe(3_600_000);
  for (const garbage of ['soon', '', '-5', '1e3', 'NaN', '2026-01-01'])
    expect(retryAfter(garbage, now)).toBeNull();
  const busy = await problemOf(answer(429, {}, { ...json, 'retry-after': '1000000000' }));
  expect(busy).toEqual({ kind: 'busy', retry_after_ms: 3_600_000 });
  const down = await problemOf(answer(503, {}, { ...json, 'retry-after': '2' }));
  expect(down).toMatchObject({ kind: 'server_error', retry_after_ms: 2_000 });
});

it('failures A6, A23: a Retry-After that is a date is measured by the clock of whoever wrote it', async () => {
  const now = Date.now();
  const day = 24 * 3_600_000;
  const at = (ms: number) => new Date(ms).toUTCString();
  const date = at(now + day);
  const busy = answer(429, {}, { ...json, date, 'retry-after': at(now + day + 5_000) });
  expect(await problemOf(busy)).toEqual({ kind: 'busy', retry_after_ms: 5_000 });
});

it('failures A24: a server that knows no pages and gives the same rows to every page is read once, not for ever', async () => {
  const rows = Array.from({ length: 100 }, (_, at) => ({ ...nearMiss, id: at + 1 }));
  const { api, target, server } = await client((seen) =>
    // Bounds a reader that would never stop.
    seen.number > 5 ? answer(500, {}) : answer(200, rows),
  );
  const all = await everyRow(100, (query) =>
    api.call(target, 'near_misses.list', { params: { project_id: 5 }, query }),
  );
  expect(all.ok && all.value.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  expect(server.seen).toHaveLength(2);
});

const html = '<!doctype html><html><body>Welcome to the hotel</body></html>';
it.each([
  ['HTML with 200', answer(200, html, { 'content-type': 'text/html' }), 'html'],
  ['HTML that calls itself JSON', answer(201, html), 'html'],
  ['HTML with 401', answer(401, html, { 'content-type': 'text/html' }), 'html'],
  ['HTML with 511', answer(511, html, { 'content-type': 'text/html' }), 'html'],
  ['garbage', answer(201, '{"id": 7'), 'garbage'],
  ['JSON under another type', answer(201, nearMiss, { 'content-type': 'text/plain' }), 'garbage'],
  ['another shape', answer(201, { id: 'seven' }), 'wrong_shape'],
  ['nothing at all', answer(201, '', json), 'garbage'],
  ['a redirect', answer(302, '', { location: 'http://127.0.0.1:9/login' }), 'redirect'],
])('failures A8: %s is no success', async (_name, fault, looks_like) => {
  expect(await problemOf(fault, create)).toMatchObject({ kind: 'broken_reply', looks_like });
});

it('decisions §1.4, failures A4, A8: a delete succeeds by 204 and by a whole record with 200, by nothing else that says 200', async () => {
  const remove: [string, LooseInput] = [
    'near_misses.delete',
    { params: { project_id: 5, id: 7 }, idempotency_key: key },
  ];
  for (const [fault, looks_like] of [
    [answer(200, html, { 'content-type': 'text/html' }), 'html'],
    [answer(200, '{"id": 7, "descr'), 'garbage'],
    [answer(200, '', json), 'garbage'],
    [answer(200, '', {}), 'garbage'],
  ] as const)
    expect(await problemOf(fault, remove)).toMatchObject({ kind: 'broken_reply', looks_like });
  for (const fine of [answer(204, '', {}), answer(200, nearMiss)]) {
    const { ask } = await client(fine);
    expect(await ask(...remove)).toMatchObject({ ok: true });
  }
});

it('failures A8: a redirect is never followed', async () => {
  const { server, ask } = await client(answer(307, '', { location: '/elsewhere' }));
  await ask(...create);
  expect(server.seen).toHaveLength(1);
});

it('failures A8: a body of 100 MB is not read', async () => {
  const chunk = Buffer.alloc(64 * 1024, 0x20);
  let written = 0;
  const raw = createTcp((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(
        'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 104857600\r\n\r\n',
      );
      const more = (): void => {
        while (!socket.destroyed && written < 104_857_600) {
          written += chunk.length;
          if (!socket.write(chunk)) return void socket.once('drain', more);
        }
      };
      more();
    });
  });
  await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void raw.close());
  const { api } = await client(answer(200, nearMiss));
  const base = `http://127.0.0.1:${(raw.address() as AddressInfo).port}`;
  const result = await api.request({ base, token, company_id: 3 }, ...show);
  expect(result).toMatchObject({
    ok: false,
    problem: { kind: 'broken_reply', looks_like: 'too_large' },
  });
  expect(written).toBeLessThan(40 * 1024 * 1024);
});

it('failures A3: an answer cut in its body is `truncated`, one cut before its head is offline', async () => {
  const backend = await startChaos(null, () => answer(201, nearMiss));
  onTestFinished(() => backend.close());
  const { server, ask } = await client(() => ({ kind: 'cut_reply', after: 5 }));
  server.target = backend.url;
  expect(await ask(...create)).toMatchObject({
    ok: false,
    problem: { kind: 'broken_reply', looks_like: 'truncated' },
  });
  server.plan = () => ({ kind: 'cut_reply', after: -1 });
  expect(await ask(...create)).toMatchObject({
    ok: false,
    problem: { kind: 'offline', reason: 'reset' },
  });
  expect(backend.seen).toHaveLength(2); // the client never retries a write
});

it('failures A4, A24: refused, unknown name and TLS are told apart', async () => {
  const { api, server } = await client(answer(200, nearMiss));
  const ask = async (base: string) => {
    const result = await api.request({ base, token, company_id: 3 }, ...show);
    return result.ok ? null : result.problem;
  };
  expect(await ask('http://127.0.0.1:1')).toMatchObject({ kind: 'offline', reason: 'refused' });
  expect(await ask('http://no-such-host.invalid')).toMatchObject({
    kind: 'offline',
    reason: 'dns',
  });
  expect(await ask(server.url.replace('http:', 'https:'))).toMatchObject({
    kind: 'offline',
    reason: 'tls',
  });
});

it('failures A7: no byte for the idle deadline, or a drip past the overall one, is a timeout', async () => {
  const stalled = await problemOf({ kind: 'stall' }, create, { idle_ms: 150 });
  expect(stalled).toEqual({ kind: 'timeout', after_ms: 150 });
  const backend = await startChaos(null, () =>
    answer(200, { ...nearMiss, description: 'x'.repeat(400) }),
  );
  onTestFinished(() => backend.close());
  const { server, ask } = await client(() => ({ kind: 'drip', every_ms: 20 }), {
    idle_ms: 5_000,
    overall_ms: 400,
  });
  server.target = backend.url;
  expect(await ask(...show)).toMatchObject({
    ok: false,
    problem: { kind: 'timeout', after_ms: 400 },
  });
});

it('cancels by its signal', async () => {
  const { ask, server } = await client({ kind: 'stall' });
  const controller = new AbortController();
  const running = ask(...(create.slice(0, 2) as [string, LooseInput]), controller.signal);
  await expect.poll(() => server.seen.length).toBe(1);
  controller.abort();
  expect(await running).toEqual({ ok: false, problem: { kind: 'cancelled' } });
});

it('decisions §4.2: a 304 to If-None-Match is a success without data; without it a 304 is none', async () => {
  const { ask, server } = await client(answer(304, '', { etag: '"c1"' }));
  const catalog: LooseInput = { params: { project_id: 5 }, if_none_match: '"c1"' };
  expect(await ask('catalog.show', catalog)).toMatchObject({
    ok: true,
    value: { status: 304, etag: '"c1"' },
  });
  expect(server.seen[0]?.headers['if-none-match']).toBe('"c1"');
  expect(await ask('catalog.show', { params: { project_id: 5 } })).toMatchObject({
    ok: false,
    problem: { kind: 'broken_reply' },
  });
});
