/**
 * Long JSON responses are compressed for clients that accept it, and every list has an ETag, so refreshing an unchanged list is
 * a 304 (decisions §1.7). Uses Node's own client, because `fetch` decompresses silently.
 */
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src/contract/rest/protocol/endpoint.ts';
import { endpointNames, endpoints } from '../../src/contract/rest/index.ts';
import { startTestService, type TestService } from '../support/service.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService({}, undefined, true);
});
afterAll(() => t.stop());

interface Raw {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

const ask = (path: string, headers: Record<string, string>, method = 'GET'): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const url = `${t.url}${path.replace('~', `/rest/v1.0/projects/${t.demo.project_id}`)}`;
    const own = {
      authorization: `Bearer ${t.demo.token}`,
      'service-company-id': String(t.demo.company_id),
    };
    const asked = request(url, { method, headers: { ...own, ...headers } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          bytes: Buffer.concat(chunks),
        }),
      );
    });
    asked.on('error', reject).end();
  });

const list = '~/incidents/near_misses';

describe('packed answers', () => {
  // A page that is one string, and one that is streamed.
  it.each([
    ['br', 50, brotliDecompressSync],
    ['gzip', 50, gunzipSync],
    ['br', 250, brotliDecompressSync],
    ['gzip', 250, gunzipSync],
  ] as const)(
    '%s of %i near misses holds what the plain answer holds, in a fraction of it',
    async (encoding, per_page, unpack) => {
      const path = `${list}?per_page=${per_page}`;
      const plain = await ask(path, {});
      const packed = await ask(path, { 'accept-encoding': encoding });
      expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([
        undefined,
        encoding,
      ]);
      expect(packed.headers['vary']).toBe('accept-encoding');
      expect(unpack(packed.bytes).equals(plain.bytes)).toBe(true);
      expect(packed.bytes.length * 5).toBeLessThan(plain.bytes.length);
      expect(JSON.parse(plain.bytes.toString('utf8'))).toHaveLength(per_page);
    },
  );

  it('a short answer, one whose client takes no packing, and a photo stay as they are', async () => {
    const both = { 'accept-encoding': 'br, gzip' };
    const short = await ask('/rest/v1.0/me', both);
    expect([short.bytes.length < 1024, short.headers['content-encoding']]).toEqual([
      true,
      undefined,
    ]);
    const none = await ask(`${list}?per_page=50`, { 'accept-encoding': 'identity' });
    expect(none.headers['content-encoding']).toBeUndefined();
    const unknown = await ask(`${list}?per_page=50`, { 'accept-encoding': 'compress' });
    expect([unknown.status, unknown.headers['content-encoding']]).toEqual([200, undefined]);
    const rows = JSON.parse((await ask(`${list}?per_page=250`, {})).bytes.toString('utf8')) as {
      attachments: { url: string }[];
    }[];
    const url = rows.flatMap((row) => row.attachments)[0]?.url ?? '';
    const photo = await ask(url.replace(t.url, ''), both);
    expect([photo.status, photo.headers['content-encoding']]).toEqual([200, undefined]);
    expect(photo.headers['content-length']).toBe(String(photo.bytes.length));
  });

  it('an answer that was kept under a key is packed when it is replayed', async () => {
    const { incidents } = (await t.demo.get('~/catalog')).json as { incidents: { id: number }[] };
    const body = {
      near_miss: { incident_id: incidents[0]?.id, description: 'a plank '.repeat(500) },
    };
    const key = { 'idempotency-key': 'packed' };
    const first = await t.demo.post(list, body, key);
    const again = await t.demo.post(list, body, key);
    expect([first.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.headers.get('content-encoding')).toBe('gzip');
    expect(again.text).toBe(first.text);
  });
});

const lists = endpointNames.filter((name) => (endpoints[name] as Endpoint).paging !== 'none');

describe('decisions §1.7: lists', () => {
  it('decisions §1.7: every list of the table may be asked for with If-None-Match', () => {
    expect(lists.filter((name) => !endpoints[name].cacheable)).toEqual([]);
    expect(lists.length).toBeGreaterThan(5);
  });

  it.each([50, 250])(
    'decisions §1.7: %i near misses that did not change are a 304 with the counts; one more row is a 200',
    async (per_page) => {
      const path = `${list}?per_page=${per_page}`;
      const first = await ask(path, { 'accept-encoding': 'br' });
      const etag = String(first.headers['etag']);
      expect(etag).toMatch(/^"[\w-]{20,}"$/);
      const same = await ask(path, { 'if-none-match': etag });
      expect([same.status, same.bytes.length, same.headers['etag']]).toEqual([304, 0, etag]);
      expect(same.headers['total']).toBe(first.headers['total']);
      expect([same.headers['content-encoding'], same.headers['content-type']]).toEqual([
        undefined,
        undefined,
      ]);
      const [row] = (await t.demo.get(`${list}?per_page=1`)).json as { id: number }[];
      const changed = await t.demo.patch(`${list}/${row?.id}`, {
        near_miss: { description: `other words ${per_page}` },
      });
      expect(changed.status).toBe(200);
      const other = await ask(path, { 'if-none-match': etag });
      expect([other.status, other.headers['etag'] === etag]).toEqual([200, false]);
      await t.demo.patch(`${list}/${row?.id}`, { near_miss: { description: 'as it was' } });
    },
  );

  it('decisions §1.7: a page that stays the same of a list that grew is not the same', async () => {
    const path = '~/incidents?per_page=1&page=2';
    const etag = String((await ask(path, {})).headers['etag']);
    const before = await ask(path, { 'if-none-match': etag });
    await t.demo.post('~/incidents', { incident: { title: 'one more' } });
    const after = await ask(path, { 'if-none-match': etag });
    expect([before.status, after.status]).toEqual([304, 200]);
  });

  it('decisions §1.7: signed addresses of a kept page hold for half their window at least: later, the page is given anew', async () => {
    const path = `${list}?per_page=250`;
    const etag = String((await ask(path, {})).headers['etag']);
    expect((await ask(path, { 'if-none-match': etag })).status).toBe(304);
    t.clock.advance(12 * 3_600_000);
    expect((await ask(path, { 'if-none-match': etag })).status).toBe(200);
  });

  it('decisions §1.7: a plain service has no ETag and answers whole', async () => {
    const plain = await startTestService({ plain: true });
    try {
      const headers = {
        authorization: `Bearer ${plain.demo.token}`,
        'service-company-id': String(plain.demo.company_id),
        'if-none-match': '*',
      };
      const url = `${plain.url}/rest/v1.0/projects/${plain.demo.project_id}/incidents/near_misses`;
      const answer = await fetch(url, { headers });
      expect([answer.status, answer.headers.get('etag')]).toEqual([200, null]);
      await answer.arrayBuffer();
    } finally {
      await plain.stop();
    }
  });
});
