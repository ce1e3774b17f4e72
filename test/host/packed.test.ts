/**
 * Compressed responses and unchanged lists (304), as the host reads them: from a misbehaving server and from a real service.
 */
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/host/lib/clock.ts';
import { createKeptLists } from '../../src/host/http/etag-cache.ts';
import { createLargeReplies } from '../../src/host/http/parse-in-worker.ts';
import { REPLY_WORKER } from '../../src/host/http/reply-worker-source.ts';
import { createApi, type LooseInput } from '../../src/host/http/request.ts';
import { createTransport, usualLimits } from '../../src/host/http/http-client.ts';
import { startChaos, type Fault, type Plan } from '../support/chaos.ts';
import { startServerWorld } from './fixtures/world.ts';
import { slow } from '../support/slow.ts';

const json = { 'content-type': 'application/json' };
const list: [string, LooseInput] = ['near_misses.list', { params: { project_id: 5 } }];

const client = async (plan: Plan) => {
  const server = await startChaos(null, plan, true);
  const transport = createTransport(usualLimits);
  const large = createLargeReplies(REPLY_WORKER);
  onTestFinished(async () => {
    await Promise.all([transport.stop(), large.stop()]);
    await server.close();
  });
  const api = createApi(transport, systemClock, large);
  const target = (token: string) => ({ base: server.url, token, company_id: 3 });
  return {
    server,
    ask: (token = 'a-token') => api.request(target(token), ...list),
  };
};

const said = (encoding: string, body: Buffer, headers = {}): Fault => ({
  kind: 'answer',
  status: 200,
  headers: { ...json, 'content-encoding': encoding, ...headers },
  body,
});

const rows = [{ id: 7, description: 'slipped '.repeat(2000) }];
const plain = Buffer.from(JSON.stringify(rows));

const problemOf = async (fault: Fault) => {
  const { ask } = await client(() => fault);
  const result = await ask();
  return result.ok ? { kind: 'none' } : result.problem;
};

describe('packed answers', () => {
  it.each([
    ['br', brotliCompressSync],
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['GZIP', gzipSync],
  ] as const)('%s is asked for and unpacked', async (encoding, pack) => {
    const { server, ask } = await client(() => said(encoding, pack(plain)));
    expect(await ask()).toMatchObject({ ok: true, value: { status: 200, data: rows } });
    expect(server.seen[0]?.headers['accept-encoding']).toBe('br, gzip');
  });

  it('failures A8: a small answer that unpacks to more than 16 MB is refused, and never held whole', async () => {
    // Gzip members one after another unpack to their contents one after another, so one tenth is packed once.
    const tenth = gzipSync(Buffer.alloc(60 * 1024 * 1024, ' '));
    const bomb = Buffer.concat(Array.from({ length: 10 }, () => tenth));
    expect(bomb.length).toBeLessThan(1024 * 1024);
    const before = process.memoryUsage().rss;
    expect(await problemOf(said('gzip', bomb))).toMatchObject({
      kind: 'broken_reply',
      looks_like: 'too_large',
      detail: 'more than 16777216 bytes',
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
  });

  it('failures A8: bytes never packed so are garbage; those that end early are cut off; what nobody asked for is refused', async () => {
    expect(await problemOf(said('gzip', plain))).toMatchObject({ looks_like: 'garbage' });
    expect(await problemOf(said('br', plain))).toMatchObject({ looks_like: 'garbage' });
    for (const [encoding, packed] of [
      ['gzip', gzipSync(plain)],
      ['br', brotliCompressSync(plain)],
    ] as const)
      expect(
        await problemOf(said(encoding, packed.subarray(0, packed.length - 9))),
        encoding,
      ).toMatchObject({ kind: 'broken_reply', looks_like: 'truncated' });
    expect(await problemOf(said('zstd', plain))).toMatchObject({
      looks_like: 'garbage',
      detail: 'content encoding zstd',
    });
  });
});

describe('lists that did not change', () => {
  const headers = { etag: '"one"', 'per-page': '100', total: '1' };

  it('are asked for by their ETag, and a 304 is the answer of before, with its counts', async () => {
    const { server, ask } = await client(({ headers: asked }) =>
      asked['if-none-match'] === '"one"'
        ? { kind: 'answer', status: 304, headers: { etag: '"one"' } }
        : said('gzip', gzipSync(plain), headers),
    );
    const first = await ask();
    const again = await ask();
    expect(server.seen.map(({ status, headers: of }) => [status, of['if-none-match']])).toEqual([
      [200, undefined],
      [304, '"one"'],
    ]);
    expect(again).toMatchObject({
      ok: true,
      value: { status: 200, data: rows, etag: '"one"', paging: { total: 1, per_page: 100 } },
    });
    expect(first).toMatchObject({ ok: true, value: { data: rows } });
    // Another token may see another list.
    await ask('another-token');
    expect(server.seen[2]?.headers['if-none-match']).toBeUndefined();
  });

  it('are not kept where they were no answer: a 304 to nobody is no success', async () => {
    const { server, ask } = await client(({ number }) =>
      number === 1
        ? said('gzip', gzipSync(Buffer.from('[{"id":"seven"}]')), headers)
        : { kind: 'answer', status: 304, headers: { etag: '"one"' } },
    );
    expect(await ask()).toMatchObject({ ok: false, problem: { looks_like: 'wrong_shape' } });
    expect(await ask()).toMatchObject({ ok: false, problem: { kind: 'broken_reply' } });
    expect(server.seen[1]?.headers['if-none-match']).toBeUndefined();
  });

  it('are bounded in memory: the one that was used least lately goes first', async () => {
    const kept = createKeptLists(5000);
    // Random bytes do not compress.
    const some = (size: number) => Buffer.from(crypto.getRandomValues(new Uint8Array(size)));
    for (const place of ['a', 'b']) await kept.keep(place, `"${place}"`, {}, some(2000));
    expect(kept.get('a')?.etag).toBe('"a"');
    await kept.keep('c', '"c"', {}, some(2000));
    expect(['a', 'b', 'c'].map((place) => kept.get(place)?.etag)).toEqual([
      '"a"',
      undefined,
      '"c"',
    ]);
    await kept.keep('c', '"larger"', {}, some(6000));
    expect(kept.get('c')).toBeNull();
  });

  slow(
    'against a real service: the second refresh of 250 near misses is 304; after a change the new state comes',
    async () => {
      const { call, chaos, service } = await startServerWorld();
      const { project_id } = service.demo;
      const account = (await call('session.get', {})).account ?? '';
      const ask = async () => {
        const input = { params: { project_id }, query: { per_page: 500 } };
        const reply = await call('rest.request', { endpoint: 'near_misses.list', account, input });
        return reply as { data: { id: number; description: string }[]; paging: unknown };
      };
      chaos.seen.length = 0;
      const first = await ask();
      const again = await ask();
      expect(chaos.seen.map(({ status }) => status)).toEqual([200, 304]);
      expect(again.data).toEqual(first.data);
      expect(again.paging).toEqual(first.paging);
      expect(first.data.length).toBeGreaterThanOrEqual(250);
      const [row] = first.data;
      await service.demo.patch(`~/incidents/near_misses/${row?.id}`, {
        near_miss: { description: 'changed' },
      });
      const third = await ask();
      expect(chaos.seen.map(({ status }) => status)).toEqual([200, 304, 200]);
      expect(third.data.find(({ id }) => id === row?.id)?.description).toBe('changed');
    },
  );
});
