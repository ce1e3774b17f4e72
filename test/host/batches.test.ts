/**
 * Writes combined into batches (decisions §13; failures A71), against a real service behind a proxy that breaks on purpose. Every
 * promise of a single request holds for each write.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { ulid } from 'ulid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Problem, Result } from '../../src/contract/problem.ts';
import { createBatches } from '../../src/host/http/batches.ts';
import { createTransport } from '../../src/host/http/http-client.ts';
import { createLargeReplies } from '../../src/host/http/parse-in-worker.ts';
import { REPLY_WORKER } from '../../src/host/http/reply-worker-source.ts';
import {
  createApi,
  type Api,
  type ApiReply,
  type LooseInput,
  type Target,
} from '../../src/host/http/request.ts';
import { startChaos, type Chaos, type Plan, type Seen } from '../support/chaos.ts';
import { startServerHere, type Server } from '../support/server.ts';
import { clientOf, type Client } from '../support/service.ts';

const json = { 'content-type': 'application/json' };
const BATCH = '/rest/v1.0/batch';
const WAITS = 20_000;

let server: Server;
let chaos: Chaos;
let client: Client;
let api: Api;
let target: Target;
let stop: () => Promise<void>;
let ms = 0;

beforeAll(async () => {
  server = await startServerHere();
  chaos = await startChaos(server.url, () => null, true);
  client = clientOf(server.url, server.first);
  const transport = createTransport();
  const large = createLargeReplies(REPLY_WORKER);
  const clock = { now: () => Date.now(), monotonic: () => ms };
  api = createApi(transport, clock, large);
  const { token, company_id } = server.first;
  target = { base: chaos.url, token, company_id };
  stop = async () => {
    await transport.stop();
    await large.stop();
  };
});
afterAll(async () => {
  await stop();
  await chaos.close();
  await server.remove();
});
beforeEach(() => {
  chaos.seen.splice(0);
  chaos.plan = () => null;
});

const laptop = () => createBatches(api, { monotonic: () => ms });
const write = (text: string, more: object = {}): LooseInput => ({
  params: { project_id: server.first.project_id },
  body: { near_miss: { incident_id: 1, description: text, ...more } },
  idempotency_key: ulid(),
});
const writes = (many: number, text: string): LooseInput[] =>
  Array.from({ length: many }, (_, index) => write(`${text} ${index}.`));
const sendAll = (
  inputs: readonly LooseInput[],
  batches = laptop(),
  to: Target = target,
): Promise<Result<ApiReply>[]> =>
  Promise.all(inputs.map((input) => batches.request(to, 'near_misses.create', input)));

const kinds = (results: readonly Result<ApiReply>[]): string[] =>
  results.map((result) => (result.ok ? 'ok' : result.problem.kind));
const all = (many: number, kind: string): string[] => Array.from({ length: many }, () => kind);
const total = async (text: string): Promise<number> =>
  Number(
    (
      await client.get(
        `~/incidents/near_misses?per_page=1&filters[query]=${encodeURIComponent(text)}`,
      )
    ).headers.get('total'),
  );
/** A filter before the service: answers with a page of its own if a request has this text. */
const startFilter = async (text: string) => {
  let count = 0;
  const filter = createServer((request, reply) => {
    void (async () => {
      count += 1;
      const body = await buffer(request);
      if (body.includes(text)) return reply.writeHead(403).end('<html>Blocked</html>');
      const { method = 'GET', url = '', headers } = request;
      const { authorization = '', 'service-company-id': company = '' } = headers;
      const key = String(headers['idempotency-key'] ?? '');
      const answer = await fetch(server.url + url, {
        method,
        body: new Uint8Array(body),
        headers: {
          ...json,
          authorization,
          'service-company-id': String(company),
          ...(key === '' ? {} : { 'idempotency-key': key }),
        },
      });
      return reply.writeHead(answer.status, json).end(await answer.text());
    })();
  });
  await new Promise<void>((resolve) => filter.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(filter.address() as AddressInfo).port}`,
    count: () => count,
    close: async () => {
      filter.closeAllConnections();
      await new Promise((resolve) => filter.close(resolve));
    },
  };
};

const isBatch = ({ path }: Seen): boolean => path === BATCH;
const batchesSeen = (): number => chaos.seen.filter(isBatch).length;
const singlesSeen = (): number => chaos.seen.length - batchesSeen();

/** An error in the shape of the API. */
const NO = '{"errors":["No."]}';
const answerBatches =
  (status: number, body: string): Plan =>
  (seen) =>
    isBatch(seen) ? { kind: 'answer', status, headers: json, body } : null;

describe('writes at the same time', () => {
  it('decisions §13.1: are one request, and each gets its own record in their order', async () => {
    const inputs = writes(50, 'together');
    const results = await sendAll(inputs);
    expect(chaos.seen.map(({ method, path, status }) => [method, path, status])).toEqual([
      ['POST', BATCH, 207],
    ]);
    const texts = results.map((result) => (result.ok ? result.value.data : null));
    expect(texts).toMatchObject(
      inputs.map((_, index) => ({ description_plain_text: `together ${index}.` })),
    );
    const [first] = results;
    if (!first?.ok) throw new Error('not written');
    const { id } = first.value.data as { readonly id: number };
    const shown = await client.get(`~/incidents/near_misses/${id}`);
    expect(first.value).toMatchObject({
      status: 201,
      etag: shown.headers.get('etag'),
      replayed: false,
      server_time: expect.any(Number) as number,
    });
  });

  it('decisions §13.1: a write alone, a read, and a write without a key are requests as before', async () => {
    const batches = laptop();
    await sendAll(writes(1, 'alone'), batches);
    const { idempotency_key: _, ...unkeyed } = write('unkeyed');
    await sendAll([unkeyed, unkeyed], batches);
    const { project_id } = server.first;
    const list = { params: { project_id } };
    await Promise.all([1, 2].map(() => batches.request(target, 'near_misses.list', list)));
    expect(batchesSeen()).toBe(0);
    expect(singlesSeen()).toBe(5);
  });

  it('decisions §13.4: more than a hundred, or than half a megabyte, are several batches', async () => {
    await sendAll(writes(130, 'many'));
    expect(batchesSeen()).toBe(2);
    expect(await total('many')).toBe(130);
    chaos.seen.splice(0);
    const long = 'x'.repeat(40_000);
    expect(kinds(await sendAll(Array.from({ length: 30 }, () => write(long))))).toEqual(
      all(30, 'ok'),
    );
    for (const { received } of chaos.seen) expect(received).toBeLessThan(600_000);
    expect(batchesSeen()).toBe(3);
  });
});

describe('failures A71: a batch that does not come through', () => {
  it('decisions §13.2: a refused one among fifty has its own problem, the others are sent', async () => {
    const inputs = writes(50, 'among');
    inputs[20] = write('refused', { incident_id: 987_654 });
    const results = await sendAll(inputs);
    expect(kinds(results)).toEqual(inputs.map((_, index) => (index === 20 ? 'refused' : 'ok')));
    const problem = results[20]?.ok === false ? results[20].problem : null;
    expect(problem).toMatchObject({
      status: 422,
      fields: { 'near_miss.incident_id': expect.any(Array) as string[] },
    });
    expect(batchesSeen()).toBe(1);
  });

  it.each([
    ['cut in the middle of the request', { kind: 'cut_request', after: 3_000 }, 0],
    ['cut in the middle of the answer', { kind: 'cut_reply', after: 300 }, 20],
    ['not answered', { kind: 'cut_reply', after: -1 }, 20],
  ] as const)(
    'failures A71: %s: the outcome of each is unknown; sent again, one by one, every write is there once',
    async (name, fault, executed) => {
      const batches = laptop();
      const inputs = writes(20, name);
      let struck = false;
      chaos.plan = (seen) => {
        if (!isBatch(seen) || struck) return null;
        struck = true;
        return fault;
      };
      for (const result of await sendAll(inputs, batches)) {
        const problem: Problem | null = result.ok ? null : result.problem;
        expect(['offline', 'broken_reply']).toContain(problem?.kind);
      }
      await expect.poll(() => total(name), { timeout: WAITS }).toBe(executed);
      const again = await sendAll(inputs, batches);
      expect(kinds(again)).toEqual(all(20, 'ok'));
      expect(again.filter((result) => result.ok && result.value.replayed)).toHaveLength(executed);
      expect([batchesSeen(), singlesSeen()]).toEqual([1, 20]);
      expect(await total(name)).toBe(20);
      // What comes afterwards is sent together again.
      await sendAll(writes(5, 'afterwards'), batches);
      expect(batchesSeen()).toBe(2);
    },
  );

  it('failures A71: a filter refuses every request with one of the texts: it is found by halving, the others are sent', async () => {
    const inputs = writes(48, 'filtered');
    inputs[31] = write('poison');
    const filter = await startFilter('poison');
    const results = await sendAll(inputs, laptop(), { ...target, base: filter.url });
    await filter.close();
    expect(kinds(results)).toEqual(inputs.map((_, at) => (at === 31 ? 'broken_reply' : 'ok')));
    expect(filter.count()).toBeLessThan(16);
    expect(await total('filtered')).toBe(47);
    expect(await total('poison')).toBe(0);
  });

  it('failures A71: a server that refuses everything is not asked for each', async () => {
    chaos.plan = () => ({ kind: 'answer', status: 500, headers: json, body: NO });
    expect(kinds(await sendAll(writes(48, 'down')))).toEqual(all(48, 'server_error'));
    expect(chaos.seen.length).toBeLessThan(16);
  });

  it.each([
    [429, 'busy'],
    [502, 'server_error'],
  ])('failures A71: a %i of the whole is the answer to each', async (status, kind) => {
    chaos.plan = () => ({ kind: 'answer', status, headers: json, body: NO });
    expect(kinds(await sendAll(writes(20, 'whole')))).toEqual(all(20, kind));
    expect(chaos.seen).toHaveLength(1);
  });

  it('failures A71: a token that is refused is refused for each, after one write alone', async () => {
    const results = await sendAll(writes(20, 'signed out'), laptop(), { ...target, token: 'old' });
    expect(kinds(results)).toEqual(all(20, 'signed_out'));
    expect([batchesSeen(), singlesSeen()]).toEqual([1, 1]);
  });

  it.each([
    ...[401, 403, 410, 413, 421, 422, 451, 500].map((status) => [status, NO] as const),
    [403, '<html>Blocked</html>'] as const,
  ])(
    'failures A71: only batches are refused, by a %i with %s: every write is sent alone, and soon without another batch',
    async (status, body) => {
      chaos.plan = answerBatches(status, body);
      const batches = laptop();
      const text = ulid();
      expect(kinds(await sendAll(writes(40, text), batches))).toEqual(all(40, 'ok'));
      expect(await total(text)).toBe(40);
      expect(batchesSeen()).toBeLessThan(8);
      expect(singlesSeen()).toBe(40);
      chaos.seen.splice(0);
      await sendAll(writes(5, 'afterwards'), batches);
      expect(batchesSeen()).toBe(0);
    },
  );

  it('failures A71: batches are refused and so are the first writes alone: the others are sent all the same', async () => {
    chaos.plan = answerBatches(413, NO);
    const text = ulid();
    const inputs = writes(16, text);
    for (const at of [0, 1, 2]) inputs[at] = write('refused alone', { incident_id: 987_654 });
    const results = await sendAll(inputs);
    expect(kinds(results)).toEqual(inputs.map((_, at) => (at < 3 ? 'refused' : 'ok')));
    for (const result of results.slice(0, 3))
      expect(result).toMatchObject({ problem: { status: 422 } });
    expect(await total(text)).toBe(13);
  });

  it.each([
    ['breaks', { kind: 'cut_request', after: 0 }, 'offline'],
    ['answers with 500', { kind: 'answer', status: 500, headers: json, body: '' }, 'server_error'],
    ['is busy', { kind: 'answer', status: 429, headers: json, body: '' }, 'busy'],
  ] as const)(
    'failures A71: a batch is too large and then the server %s: no write has the refusal of the batch',
    async (_name, fault, kind) => {
      chaos.plan = ({ number }) =>
        number === chaos.seen[0]?.number
          ? { kind: 'answer', status: 413, headers: json, body: NO }
          : fault;
      expect(kinds(await sendAll(writes(16, 'then')))).toEqual(all(16, kind));
    },
  );
});

describe('decisions §13.1: a server without batches', () => {
  it.each([404, 405])(
    'decisions §13.1: a %i in its own shape: one by one, remembered, asked again after ten minutes',
    async (status) => {
      chaos.plan = answerBatches(status, '{"errors":["Not found."]}');
      const batches = laptop();
      for (const text of ['first', 'second'])
        expect(kinds(await sendAll(writes(10, text), batches))).toEqual(all(10, 'ok'));
      expect([batchesSeen(), singlesSeen()]).toEqual([1, 20]);
      ms += 600_001;
      chaos.plan = () => null;
      await sendAll(writes(10, 'third'), batches);
      expect([batchesSeen(), singlesSeen()]).toEqual([2, 20]);
    },
  );

  it('decisions §13.1: a 404 of somebody else is believed for a minute only', async () => {
    chaos.plan = answerBatches(404, '{"message":"no Route matched"}');
    const batches = laptop();
    expect(kinds(await sendAll(writes(10, 'gateway'), batches))).toEqual(all(10, 'ok'));
    chaos.plan = () => null;
    ms += 60_001;
    await sendAll(writes(10, 'gateway gone'), batches);
    expect([batchesSeen(), singlesSeen()]).toEqual([2, 10]);
  });

  it('decisions §13.4: a rate limit in the middle keeps back what is beyond it', async () => {
    const limited = await startServerHere(['--rate-limit=12']);
    const other = { ...target, base: limited.url, token: limited.first.token };
    const inputs = writes(20, 'limited').map((input) => ({
      ...input,
      params: { project_id: limited.first.project_id },
    }));
    const results = await sendAll(inputs, laptop(), other);
    await limited.remove();
    expect(kinds(results)).toEqual(inputs.map((_, at) => (at < 12 ? 'ok' : 'busy')));
    const [last] = results.slice(-1);
    const wait = last?.ok === false && last.problem.kind === 'busy' && last.problem.retry_after_ms;
    expect(wait).toBeGreaterThan(0);
  });
});
