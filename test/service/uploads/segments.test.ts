/** Uploads in segments: announcing and sending (decisions §5.1, §5.2). completing.test.ts covers the rest. */
import { describe, expect, it } from 'vitest';
import type { Upload } from '../../../src/contract/rest/uploads.ts';
import {
  announce,
  cut,
  errorsOf,
  KIB,
  md5,
  put,
  random,
  SEGMENT,
  sha256,
  sharedFixture,
  startFixture,
  type Fixture,
} from './support.ts';
import { slow } from '../../support/slow.ts';

const shared = sharedFixture();

const storedSha = async (fixture: Fixture, uuid: string): Promise<string | undefined> => {
  const row = await fixture.service.app.store.read
    .selectFrom('stored_files')
    .innerJoin('uploads', 'uploads.stored_file_id', 'stored_files.id')
    .select('stored_files.sha256')
    .where('uploads.uuid', '=', uuid)
    .executeTakeFirst();
  return row?.sha256;
};

describe('announcing', () => {
  it('decisions §5.1: a create with segments answers 201 with url, fields, and url and headers per segment', async () => {
    const fixture = shared();
    const { parts, upload } = await announce(fixture, random(SEGMENT + 10));
    expect(upload.uuid).toMatch(/^[0-9a-f-]{36}$/);
    expect(new URL(upload.url ?? '').origin).toBe(fixture.url);
    expect(Object.keys(upload.fields ?? {}).length).toBeGreaterThan(0);
    expect(upload).toMatchObject({
      status: 'ready',
      min_segment_size: 256 * KIB,
      max_segment_size: 100 * KIB * KIB,
      max_segments: 10_000,
      post_expires_at: '2026-03-02T08:00:00.000Z',
      expires_at: '2026-03-09T07:00:00.000Z',
    });
    expect(upload.segments).toHaveLength(2);
    const [first] = upload.segments ?? [];
    expect(new URL(first?.url ?? '').origin).toBe(fixture.url);
    expect(first?.headers).toEqual({
      'x-amz-content-sha256': parts.pieces[0]?.sha256,
      'content-md5': Buffer.from(parts.pieces[0]?.md5 ?? '', 'hex').toString('base64'),
      'content-length': String(SEGMENT),
    });
  });

  it('decisions §5.1: md5 is optional, and then no content-md5 is asked for', async () => {
    const fixture = shared();
    const parts = cut(random(100), SEGMENT, false);
    const upload = await fixture.create({ response_filename: 'a.jpg', segments: parts.pieces });
    expect(upload.segments?.[0]?.headers).not.toHaveProperty('content-md5');
    expect((await put(upload, 0, parts[0] ?? Buffer.of())).status).toBe(200);
  });

  const good = { size: SEGMENT, sha256: 'a'.repeat(64), md5: 'b'.repeat(32) };
  it.each([
    ['sha256 missing', { segments: [{ size: 5 }] }, 'segments.0.sha256'],
    ['size missing', { segments: [{ sha256: good.sha256 }] }, 'segments.0.size'],
    [
      'sha256 in upper case',
      { segments: [{ ...good, sha256: 'A'.repeat(64) }] },
      'segments.0.sha256',
    ],
    ['md5 not hex', { segments: [{ ...good, md5: 'x' }] }, 'segments.0.md5'],
    [
      'first below the minimum',
      { segments: [{ ...good, size: SEGMENT - 1 }, good] },
      'segments.0.size',
    ],
    [
      'one above the maximum',
      { segments: [{ ...good, size: 100 * KIB * KIB + 1 }] },
      'segments.0.size',
    ],
    ['no segment', { segments: [] }, 'segments'],
    ['size is not the sum', { size: SEGMENT + 1, segments: [good] }, 'size'],
    ['size negative', { size: -1 }, 'size'],
    ['file name missing', { response_filename: undefined }, 'response_filename'],
    [
      'content type is none',
      { response_content_type: 'image/jpeg\r\nX: y' },
      'response_content_type',
    ],
  ])(
    'decisions §5.1: %s is a 422 on its field, and nothing is created',
    async (_what, body, field) => {
      const fixture = await startFixture();
      const path = `/rest/v1.1/companies/${fixture.owner.company_id}/uploads`;
      const answer = await fixture.call('POST', path, { response_filename: 'a.jpg', ...body });
      expect(answer.status).toBe(422);
      expect(errorsOf(answer)).toContain(field);
      const rows = await fixture.service.app.store.read.selectFrom('uploads').selectAll().execute();
      expect(rows).toEqual([]);
    },
  );

  slow(
    'decisions §5.1: 10,000 segments are announced in one request, 10,001 are a 422',
    async () => {
      const fixture = shared();
      const segments = Array.from({ length: 10_000 }, () => good);
      const upload = await fixture.create({ response_filename: 'long.mp4', segments });
      expect(upload.segments).toHaveLength(10_000);
      const path = `/rest/v1.1/companies/${fixture.owner.company_id}/uploads`;
      const body = { response_filename: 'long.mp4', segments: [...segments, good] };
      expect((await fixture.call('POST', path, body)).status).toBe(422);
    },
  );

  it('decisions §5.9: the project variant does the same, and a foreign project is a 404 (reference R-uploads-18)', async () => {
    const fixture = shared();
    const path = (project: number) => `/rest/v1.1/projects/${project}/uploads`;
    const parts = cut(random(1000), SEGMENT);
    const body = { response_filename: 'a.jpg', segments: parts.pieces };
    const answer = await fixture.call('POST', path(fixture.project_id), body);
    expect(answer.status).toBe(201);
    const upload = answer.json as Upload;
    const sent = await put(upload, 0, parts[0] ?? Buffer.of());
    expect(sent.status).toBe(200);
    expect((await fixture.complete(upload.uuid, [md5(parts[0] ?? Buffer.of())])).status).toBe(200);
    expect((await fixture.call('POST', path(fixture.stranger.company_id * 10), body)).status).toBe(
      404,
    );
  });
});

describe('sending', () => {
  it('decisions §5.2: segments in any order and in parallel: 200, empty body, the quoted md5 as ETag', async () => {
    const fixture = shared();
    const bytes = random(5 * SEGMENT + 77);
    const { parts, upload } = await announce(fixture, bytes);
    const answers = await Promise.all(
      [5, 2, 0, 4, 1, 3].map(async (index) => {
        const answer = await put(upload, index, parts[index] ?? Buffer.of());
        return { index, answer };
      }),
    );
    for (const { index, answer } of answers) {
      expect(answer.status).toBe(200);
      expect(answer.text).toBe('');
      expect(answer.headers.get('etag')).toBe(`"${md5(parts[index] ?? Buffer.of())}"`);
    }
    const done = await fixture.complete(upload.uuid, parts.map(md5));
    expect(done.json).toMatchObject({ status: 'complete' });
    expect(await storedSha(fixture, upload.uuid)).toBe(sha256(bytes));
  });

  it.each([
    [
      'a flipped bit',
      (b: Buffer) => Buffer.from(b.map((v, i) => (i === 7 ? v ^ 1 : v))),
      {},
      'XAmzContentSHA256Mismatch',
    ],
    [
      'a byte less',
      (b: Buffer) => b.subarray(1),
      { 'content-length': `${SEGMENT - 1}` },
      'IncompleteBody',
    ],
    [
      'a byte more',
      (b: Buffer) => Buffer.concat([b, Buffer.of(1)]),
      { 'content-length': `${SEGMENT + 1}` },
      'IncompleteBody',
    ],
    [
      'another sha256 header',
      (b: Buffer) => b,
      { 'x-amz-content-sha256': 'c'.repeat(64) },
      'XAmzContentSHA256Mismatch',
    ],
    [
      'another md5 header',
      (b: Buffer) => b,
      { 'content-md5': 'AAAAAAAAAAAAAAAAAAAAAA==' },
      'BadDigest',
    ],
  ])(
    'decisions §5.2: %s is a 400 that names it and stores nothing (reference R-errors-1)',
    async (_what, change, headers, code) => {
      const fixture = await startFixture();
      const { parts, upload } = await announce(fixture, random(SEGMENT));
      const answer = await put(upload, 0, change(parts[0] ?? Buffer.of()), headers);
      expect(answer.status).toBe(400);
      expect(answer.text).toContain(code);
      expect(fixture.files()).toEqual({});
      const view = (await fixture.show(upload.uuid)).json as Upload;
      expect(view.segments?.[0]?.etag).toBeNull();
    },
  );

  it('decisions §5.2: a wrong md5 announced for right bytes is a BadDigest', async () => {
    const fixture = await startFixture();
    const bytes = random(1000);
    const segments = [{ size: 1000, sha256: sha256(bytes), md5: 'd'.repeat(32) }];
    const upload = await fixture.create({ response_filename: 'a.jpg', segments });
    const answer = await put(upload, 0, bytes);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('BadDigest');
    expect(fixture.files()).toEqual({});
  });

  it('decisions §5.2: the headers are required: without them 400, with another signature 403', async () => {
    const fixture = await startFixture();
    const { parts, upload } = await announce(fixture, random(2000));
    const segment = upload.segments?.[0];
    const body = new Uint8Array(parts[0] ?? Buffer.of());
    const bare = await fetch(segment?.url ?? '', { method: 'PUT', body });
    expect(bare.status).toBe(400);
    expect(await bare.text()).toContain('x-amz-content-sha256');
    const url = new URL(segment?.url ?? '');
    for (const [name, value] of [
      ['signature', 'e'.repeat(64)],
      ['expires', String(Number(url.searchParams.get('expires')) + 1)],
    ] as const) {
      const forged = new URL(url);
      forged.searchParams.set(name, value);
      const answer = await fetch(forged, { method: 'PUT', headers: segment?.headers ?? {}, body });
      expect(answer.status).toBe(403);
    }
    expect(fixture.files()).toEqual({});
  });

  it('decisions §1.2: a signed address takes one method: others are a 405 that names it', async () => {
    const fixture = shared();
    const { upload } = await announce(fixture, random(2000));
    for (const [url, method, allow] of [
      [upload.segments?.[0]?.url, 'POST', 'PUT'],
      [upload.url, 'GET', 'POST'],
      [fixture.addresses(1).url, 'DELETE', 'GET, HEAD'],
    ] as const) {
      const answer = await fetch(url ?? '', { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
    }
  });

  slow(
    'decisions §5.2: a refused segment is answered although its sender has more to send',
    async () => {
      const fixture = shared();
      const { parts, upload } = await announce(fixture, random(200 * SEGMENT), 200 * SEGMENT);
      const late = { 'x-amz-content-sha256': 'c'.repeat(64) };
      const answer = await put(upload, 0, parts[0] ?? Buffer.of(), late);
      expect(answer.status).toBe(400);
      expect((await put(upload, 0, parts[0] ?? Buffer.of())).status).toBe(200);
    },
  );

  it('decisions §5.2: the address of one segment does not take another segment', async () => {
    const fixture = shared();
    const { parts, upload } = await announce(fixture, random(2 * SEGMENT));
    const moved = (upload.segments?.[0]?.url ?? '').replace(/\/0\?/, '/1?');
    const answer = await fetch(moved, {
      method: 'PUT',
      headers: upload.segments?.[1]?.headers ?? {},
      body: new Uint8Array(parts[1] ?? Buffer.of()),
    });
    expect(answer.status).toBe(403);
  });

  it('decisions §5.2: a segment sent again replaces it; a bad second try leaves the first', async () => {
    const fixture = await startFixture();
    const bytes = random(SEGMENT);
    const { parts, upload } = await announce(fixture, bytes);
    const part = parts[0] ?? Buffer.of();
    expect((await put(upload, 0, part)).status).toBe(200);
    expect((await put(upload, 0, Buffer.alloc(SEGMENT))).status).toBe(400);
    expect((await put(upload, 0, part)).status).toBe(200);
    expect(Object.values(fixture.files())).toEqual([SEGMENT]);
    expect((await fixture.complete(upload.uuid, [md5(part)])).status).toBe(200);
    expect(await storedSha(fixture, upload.uuid)).toBe(sha256(bytes));
  });

  it('failures A1: received segments survive a restart of the service, addresses included', async () => {
    const fixture = await startFixture();
    const bytes = random(2 * SEGMENT);
    const { parts, upload } = await announce(fixture, bytes);
    expect((await put(upload, 1, parts[1] ?? Buffer.of())).status).toBe(200);
    const again = await fixture.restart();
    const view = (await again.show(upload.uuid)).json as Upload;
    expect(view.segments?.map(({ etag }) => etag)).toEqual([null, md5(parts[1] ?? Buffer.of())]);
    expect(view.status).toBe('receiving');
    expect((await put(view, 0, parts[0] ?? Buffer.of())).status).toBe(200);
    expect((await again.complete(upload.uuid, parts.map(md5))).status).toBe(200);
    expect(await storedSha(again, upload.uuid)).toBe(sha256(bytes));
  });

  slow(
    'failures A1: a sender that goes away in the middle leaves no partial file, and the segment can be sent again',
    async () => {
      const fixture = await startFixture();
      const { parts, upload } = await announce(fixture, random(40 * SEGMENT), 40 * SEGMENT);
      const part = parts[0] ?? Buffer.of();
      const away = new AbortController();
      const half = new ReadableStream({
        start: (controller) => controller.enqueue(new Uint8Array(part.subarray(0, 10 * SEGMENT))),
      });
      const sending = fetch(upload.segments?.[0]?.url ?? '', {
        method: 'PUT',
        headers: upload.segments?.[0]?.headers ?? {},
        body: half,
        duplex: 'half',
        signal: away.signal,
      } as RequestInit);
      await expect.poll(() => Object.keys(fixture.files()).length).toBe(1);
      away.abort();
      await expect(sending).rejects.toThrow();
      await expect.poll(() => fixture.files()).toEqual({});
      expect((await put(upload, 0, part)).status).toBe(200);
    },
  );
});
