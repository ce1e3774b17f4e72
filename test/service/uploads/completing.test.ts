/** Uploads in segments, completed and shown (decisions §5.3, §5.4). */
import { describe, expect, it } from 'vitest';
import type { Upload } from '../../../src/contract/rest/uploads.ts';
import {
  announce,
  errorsOf,
  HOUR,
  md5,
  put,
  random,
  SEGMENT,
  sharedFixture,
  startFixture,
} from './support.ts';

const shared = sharedFixture();

describe('completing', () => {
  it('decisions §5.3: etags with or without quotes complete it, and completing again changes nothing', async () => {
    const fixture = await startFixture();
    const { parts, upload } = await announce(fixture, random(SEGMENT + 1));
    for (const [index, part] of parts.entries()) await put(upload, index, part);
    const etags = [`"${md5(parts[0] ?? Buffer.of())}"`, md5(parts[1] ?? Buffer.of())];
    const first = await fixture.complete(upload.uuid, etags);
    expect(first.status).toBe(200);
    expect(first.json).toMatchObject({ uuid: upload.uuid, status: 'complete' });
    expect((await fixture.complete(upload.uuid, etags)).json).toMatchObject({ status: 'complete' });
    const files = await fixture.service.app.store.read
      .selectFrom('stored_files')
      .selectAll()
      .execute();
    expect(files).toHaveLength(1);
  });

  it('decisions §5.3: a null etag keeps partial progress', async () => {
    const fixture = shared();
    const { parts, upload } = await announce(fixture, random(2 * SEGMENT));
    await put(upload, 0, parts[0] ?? Buffer.of());
    const partial = await fixture.complete(upload.uuid, [md5(parts[0] ?? Buffer.of()), null]);
    expect(partial.status).toBe(200);
    expect(partial.json).toMatchObject({ status: 'receiving' });
    await put(upload, 1, parts[1] ?? Buffer.of());
    expect((await fixture.complete(upload.uuid, parts.map(md5))).json).toMatchObject({
      status: 'complete',
    });
  });

  it('decisions §5.3: a wrong etag, the wrong order, the wrong count and a missing segment are 422', async () => {
    const fixture = shared();
    const { parts, upload } = await announce(fixture, random(2 * SEGMENT + 5));
    const [a = '', b = '', c = ''] = parts.map(md5);
    await put(upload, 0, parts[0] ?? Buffer.of());
    const missing = await fixture.complete(upload.uuid, [a, b, c]);
    expect(missing.status).toBe(422);
    expect(errorsOf(missing)).toEqual(['segments.1.etag', 'segments.2.etag']);
    await put(upload, 1, parts[1] ?? Buffer.of());
    await put(upload, 2, parts[2] ?? Buffer.of());
    expect(errorsOf(await fixture.complete(upload.uuid, [a, b, a]))).toEqual(['segments.2.etag']);
    expect(errorsOf(await fixture.complete(upload.uuid, [b, a, c]))).toEqual([
      'segments.0.etag',
      'segments.1.etag',
    ]);
    for (const etags of [
      [a, b],
      [a, b, c, c],
    ])
      expect(errorsOf(await fixture.complete(upload.uuid, etags))).toEqual(['segments']);
    expect((await fixture.show(upload.uuid)).json).toMatchObject({ status: 'receiving' });
    expect((await fixture.complete(upload.uuid, [a, b, c])).status).toBe(200);
  });

  it('decisions §5.3: size and sha256 in a completion must be those of the segment at that place', async () => {
    const fixture = shared();
    const { parts, upload } = await announce(fixture, random(SEGMENT));
    await put(upload, 0, parts[0] ?? Buffer.of());
    const path = `/rest/v1.1/companies/${fixture.owner.company_id}/uploads/${upload.uuid}`;
    const etag = md5(parts[0] ?? Buffer.of());
    const wrong = { segments: [{ etag, sha256: 'f'.repeat(64), size: 1 }] };
    expect(errorsOf(await fixture.call('PATCH', path, wrong)).sort()).toEqual([
      'segments.0.sha256',
      'segments.0.size',
    ]);
    const right = { segments: [{ etag, ...parts.pieces[0] }] };
    expect((await fixture.call('PATCH', path, right)).status).toBe(200);
  });

  it('decisions §5.3: an upload made without segments cannot be completed by PATCH', async () => {
    const fixture = shared();
    const upload = await fixture.create({ response_filename: 'a.jpg' });
    expect(upload.segments ?? null).toBeNull();
    expect(errorsOf(await fixture.complete(upload.uuid, ['a'.repeat(32)]))).toEqual(['segments']);
  });
});

describe('showing', () => {
  it('decisions §5.4: an expired segment address is refused, and GET renews it and shows which etags are in', async () => {
    const fixture = await startFixture();
    const { parts, upload } = await announce(fixture, random(2 * SEGMENT));
    await put(upload, 0, parts[0] ?? Buffer.of());
    fixture.advance(HOUR + 1);
    const late = await put(upload, 1, parts[1] ?? Buffer.of());
    expect(late.status).toBe(403);
    expect(late.text).toContain('expired');
    const view = (await fixture.show(upload.uuid)).json as Upload;
    expect(view.segments?.map(({ etag }) => etag)).toEqual([md5(parts[0] ?? Buffer.of()), null]);
    expect(view.segments?.[1]?.url).not.toBe(upload.segments?.[1]?.url);
    expect((await put(view, 1, parts[1] ?? Buffer.of())).status).toBe(200);
    expect((await fixture.complete(upload.uuid, parts.map(md5))).status).toBe(200);
  });

  it('failures S25: an expired segment address does not revive when the clock goes back', async () => {
    const fixture = await startFixture();
    const { parts, upload } = await announce(fixture, random(SEGMENT));
    fixture.advance(HOUR + 1);
    expect((await put(upload, 0, parts[0] ?? Buffer.of())).status).toBe(403);
    fixture.advance(-HOUR);
    expect((await put(upload, 0, parts[0] ?? Buffer.of())).status).toBe(403);
  });
});
