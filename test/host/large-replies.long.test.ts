/** Large responses: bounded, parsed off the journal's thread, and re-requested in smaller pages. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ulid } from 'ulid';
import { expect, it, onTestFinished } from 'vitest';
import type { HostMethod } from '../../src/contract/host.ts';
import { everyPage, everyRow } from '../../src/contract/rest/protocol/every-page.ts';
import { fail, ok } from '../../src/contract/problem.ts';
import { createLargeReplies } from '../../src/host/http/parse-in-worker.ts';
import { startWorld, type World } from './fixtures/world.ts';
import { REPLY_WORKER } from '../../src/host/http/reply-worker-source.ts';

const MIB = 1024 * 1024;

/** A server with the test's list of near misses, and a host connected to it. */
const connected = async (list: (url: URL) => Buffer) => {
  let sent = 0;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://here');
    response.setHeader('content-type', 'application/json');
    if (url.pathname.endsWith('/me')) return void response.writeHead(404).end('{"errors":["no"]}');
    if (url.searchParams.get('per_page') === '1') return void response.end('[]');
    response.end(list(url), () => (sent += 1));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  const world = await startWorld();
  await world.call('session.connect', {
    kind: 'server',
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    company_id: 3,
    project_id: 5,
    token: 'a-token',
  });
  return { world, sent: () => sent };
};

const listOf = (world: World, query: Record<string, unknown> = {}) =>
  world.reply('rest.request' satisfies HostMethod, {
    endpoint: 'near_misses.list',
    input: { params: { project_id: 5 }, query },
  });

/** The slowest allowed list: the maximum number of rows, each with as many parts as fit. */
const worstList = (): Buffer => {
  const parts = Array.from({ length: 22 }, (_, at) => `{"id":${at + 1}}`).join(',');
  const text = 'x'.repeat(1_380);
  const row = (id: number) => `{"id":${id},"description":"${text}","attachments":[${parts}]}`;
  const rows = Array.from({ length: 10_000 }, (_, at) => row(at + 1));
  return Buffer.from(`[${rows.join(',')}]`);
};

const operation = (seq: number) => ({
  id: ulid(),
  seq,
  account: 'here/1/2',
  kind: 'near_miss.create',
  version: 1,
  lane: `lane-${seq}`,
  created_at: 1,
  payload: { text: 'x'.repeat(500) },
});

it('failures A8, A36: saving goes on while the worst answer that is allowed is judged', async () => {
  const body = worstList();
  expect(body.length).toBeGreaterThan(15 * MIB);
  expect(body.length).toBeLessThan(16 * MIB);
  const { world, sent } = await connected(() => body);
  let over = false;
  const answer = listOf(world).finally(() => (over = true));
  let afterSent = 0;
  for (let seq = 1; !over; seq += 1) {
    const whole = sent() > 0;
    await world.call('journal.append', { operations: [operation(seq)] });
    if (whole && !over) afterSent += 1;
  }
  const { result } = await answer;
  expect(result.ok && (result.value as { data: unknown[] }).data.length).toBe(10_000);
  // If the journal's thread parsed it, there would be one or two.
  expect(afterSent).toBeGreaterThan(20);
});

it('failures A8: an answer of more than 16 MB is no success, nor is one of more rows than a page may have', async () => {
  const bodies: Record<string, Buffer> = {
    '1': Buffer.from(`[${`{"id":1,"description":"${'x'.repeat(MIB)}"},`.repeat(17)}{"id":1}]`),
    '2': Buffer.from(`[${'{"id":1},'.repeat(10_000)}{"id":1}]`),
    '3': Buffer.from(`[${`{"id":1,"description":"${'x'.repeat(2 * MIB)}"}`}]`),
  };
  const { world } = await connected(
    (url) => bodies[url.searchParams.get('page') ?? ''] ?? Buffer.alloc(0),
  );
  for (const page of Object.keys(bodies)) {
    const { result } = await listOf(world, { page: Number(page) });
    expect(result, page).toMatchObject({
      ok: false,
      problem: { kind: 'broken_reply', looks_like: 'too_large' },
    });
  }
});

it('a large answer is judged as a small one is: what it says, what it lacks, and that it is no JSON', async () => {
  const text = 'é'.repeat(100_000);
  const whole = { id: 7, description: text, attachments: [{ id: 1 }, { id: 2 }] };
  const large = createLargeReplies(REPLY_WORKER);
  onTestFinished(() => large.stop());
  const judge = (name: 'near_misses.list' | 'near_misses.show', body: string) =>
    large.judge(name, { status: 200, header: () => 'application/json' }, Buffer.from(body));
  expect(await judge('near_misses.show', JSON.stringify(whole))).toEqual(ok(whole));
  const rows = Array.from({ length: 400 }, (_, id) => ({ id: id + 1, description: 'words' }));
  const [first, second] = await Promise.all([
    judge('near_misses.list', JSON.stringify(rows)),
    judge('near_misses.list', JSON.stringify([whole])),
  ]);
  expect(first).toEqual(ok(rows));
  expect(second).toEqual(ok([whole]));
  expect(await judge('near_misses.list', '[]')).toEqual(ok([]));
  expect(await judge('near_misses.list', text)).toMatchObject({
    problem: { looks_like: 'garbage' },
  });
  expect(await judge('near_misses.show', '{"id":"x"}')).toMatchObject({
    problem: { looks_like: 'wrong_shape' },
  });
});

it('an answer of very many values is refused before it takes memory, and the next one is judged', async () => {
  const large = createLargeReplies(REPLY_WORKER);
  onTestFinished(() => large.stop());
  const answer = { status: 200, header: () => 'application/json' };
  const heavy = Buffer.from(`[{"id":1,"x":[${'[],'.repeat(5 * MIB)}[]]}]`);
  expect(await large.judge('near_misses.list', answer, heavy)).toMatchObject({
    problem: { kind: 'broken_reply', looks_like: 'too_large', detail: 'more than 500000 values' },
  });
  expect(await large.judge('near_misses.list', answer, Buffer.from('[{"id":1}]'))).toMatchObject({
    ok: true,
  });
});

it('a page that is too large is asked for again in smaller ones: every row comes once, in order', async () => {
  const rows = Array.from({ length: 2_345 }, (_, at) => at);
  const asked: number[] = [];
  /** No response may combine the heavy row with more than ten others. */
  const ask = async ({ page, per_page }: { page: number; per_page: number }) => {
    asked.push(per_page);
    const data = rows.slice((page - 1) * per_page, page * per_page);
    if (data.includes(1_234) && data.length > 10)
      return fail({ kind: 'broken_reply', status: 200, looks_like: 'too_large', detail: '' });
    return ok({ data, paging: { has_next: page * per_page < rows.length } });
  };
  for (const size of [1_000, 500, 300, 7 * 11]) {
    asked.length = 0;
    expect(await everyRow(size, ask)).toEqual(ok(rows));
    expect(asked[0]).toBe(size);
    expect(Math.min(...asked)).toBeLessThanOrEqual(10);
  }
});

it('a single row that is too large ends the list with that problem', async () => {
  const problem = {
    kind: 'broken_reply',
    status: 200,
    looks_like: 'too_large',
    detail: '',
  } as const;
  const all = [];
  for await (const answer of everyPage(100, async () => fail(problem))) all.push(answer);
  expect(all).toEqual([fail(problem)]);
});
