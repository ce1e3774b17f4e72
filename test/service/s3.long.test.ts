/**
 * Photos in a bucket (decisions §5 on S3), against s3rver: forms and segment addresses from the AWS SDK, sent directly to it,
 * completed, and read back through the service. What s3rver does not check is checked here on the signed text, or stated in
 * src/service/administration.md.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Upload } from '../../src/contract/rest/uploads.ts';
import { makeJpeg } from '../support/jpeg.ts';
import { credentials, startBucket, type TestBucket } from '../support/s3.ts';
import {
  runCli,
  startTestService,
  tempDir,
  testClock,
  type TestService,
} from '../support/service.ts';
import { cut, HOUR, KIB, post, put, random, sha256 } from './uploads/support.ts';

beforeAll(() => {
  Object.assign(process.env, credentials);
});

interface Place {
  readonly bucket: TestBucket;
  readonly t: TestService;
}

const start = async (): Promise<Place> => {
  const bucket = await startBucket();
  const t = await startTestService({ 'file-store': bucket.address }, testClock(Date.now()));
  onTestFinished(() => t.stop());
  return { bucket, t };
};

const uploads = ({ t }: Place): string => `/rest/v1.1/companies/${t.demo.company_id}/uploads`;
const create = async (place: Place, body: object): Promise<Upload> => {
  const answer = await place.t.demo.post(uploads(place), body);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.json as Upload;
};
const show = async (place: Place, uuid: string): Promise<Upload> =>
  (await place.t.demo.get(`${uploads(place)}/${uuid}`)).json as Upload;
const complete = (place: Place, uuid: string, etags: readonly (string | null)[]) =>
  place.t.demo.patch(`${uploads(place)}/${uuid}`, { segments: etags.map((etag) => ({ etag })) });
const record = (place: Place, uuid: string) =>
  place.t.demo.post('~/incidents/near_misses', {
    near_miss: { incident_id: 1, description: 'with a photo', upload_uuids: [uuid] },
  });
/** Keys of the bucket's objects, without those of the demo's documents. */
const objects = ({ bucket }: Place): string[] =>
  readdirSync(bucket.folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('._S3rver_object') && !path.includes('/document'))
    .map((path) => path.replace(/^photos\/spotter\/[^/]+\//, '').replace('._S3rver_object', ''))
    .sort();

describe('decisions §5 on S3: segments', () => {
  it('decisions §5.2-5.4, §5.8: sent straight to the bucket, completed, read back whole and by range', async () => {
    const place = await start();
    const bytes = random(700 * KIB);
    const parts = cut(bytes, 300 * KIB);
    const upload = await create(place, { response_filename: 'a.bin', segments: parts.pieces });
    expect(upload.segments?.every(({ url }) => url?.startsWith(place.bucket.endpoint))).toBe(true);
    const sent = [];
    for (const [index, part] of parts.entries()) sent.push(await put(upload, index, part));
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200]);
    const etags = sent.map(({ headers }) => headers.get('etag'));

    expect((await show(place, upload.uuid)).segments?.map(({ etag }) => `"${etag}"`)).toEqual(
      etags,
    );
    const done = await complete(place, upload.uuid, etags);
    expect([done.status, done.json.status]).toEqual([200, 'complete']);
    const made = await record(place, upload.uuid);
    expect(made.status).toBe(201);
    const [attachment] = made.json.attachments;
    expect([attachment.size, attachment.sha256]).toEqual([bytes.length, sha256(bytes)]);
    const whole = await fetch(attachment.url);
    expect(sha256(new Uint8Array(await whole.arrayBuffer()))).toBe(sha256(bytes));
    const range = { headers: { range: `bytes=${299 * KIB}-${601 * KIB}` } };
    const some = await fetch(attachment.url, range);
    expect(some.status).toBe(206);
    expect(
      Buffer.from(await some.arrayBuffer()).equals(bytes.subarray(299 * KIB, 601 * KIB + 1)),
    ).toBe(true);
  });

  it('decisions §5.2: the bucket takes the announced bytes only: other sha256, md5 or length, or too late, is refused', async () => {
    const place = await start();
    const bytes = random(300 * KIB);
    const upload = await create(place, {
      response_filename: 'a',
      segments: cut(bytes, KIB * KIB).pieces,
    });
    const wrong: readonly Record<string, string>[] = [
      { 'x-amz-content-sha256': 'a'.repeat(64) },
      { 'content-md5': Buffer.alloc(16).toString('base64') },
    ];
    for (const headers of wrong) expect((await put(upload, 0, bytes, headers)).status).toBe(403);
    const url = upload.segments?.[0]?.url ?? '';
    const headers = { ...upload.segments?.[0]?.headers };
    const longer = new Uint8Array(random(300 * KIB + 1));
    delete headers['content-length'];
    expect((await fetch(url, { method: 'PUT', headers, body: longer })).status).toBe(403);
    const older = url.replace(/X-Amz-Expires=\d+/, 'X-Amz-Expires=604000');
    expect(
      (await fetch(older, { method: 'PUT', headers, body: new Uint8Array(bytes) })).status,
    ).toBe(403);
    expect(objects(place)).toEqual([]);
  });

  it('decisions §5.2: bytes that a lax server let in are found when the service reads them: 422, the segment goes again', async () => {
    const place = await start();
    const bytes = random(300 * KIB);
    const upload = await create(place, {
      response_filename: 'a',
      segments: cut(bytes, KIB * KIB, false).pieces,
    });
    // This server trusts the header x-amz-content-sha256; Amazon hashes the body.
    const wrong = random(300 * KIB);
    const sent = await put(upload, 0, wrong);
    expect(sent.status).toBe(200);
    const refused = await complete(place, upload.uuid, [sent.headers.get('etag')]);
    expect([refused.status, Object.keys(refused.json.errors)]).toEqual([
      422,
      ['segments.0.sha256'],
    ]);
    expect((await show(place, upload.uuid)).segments?.[0]?.etag).toBeNull();
    expect(objects(place)).toEqual([]);
    const again = await put(upload, 0, bytes);
    expect((await complete(place, upload.uuid, [again.headers.get('etag')])).status).toBe(200);
  });

  it('decisions §5.7: not complete is a 422, also when only some segments are in', async () => {
    const place = await start();
    const parts = cut(random(600 * KIB), 300 * KIB);
    const upload = await create(place, { response_filename: 'a', segments: parts.pieces });
    await put(upload, 1, parts[1] ?? Buffer.alloc(0));
    expect((await record(place, upload.uuid)).status).toBe(422);
    expect((await complete(place, upload.uuid, [null, null])).json.status).toBe('receiving');
  });
});

/** AWS Signature Version 4 of a policy, implemented from its description and not from the SDK. */
const policySignature = (fields: Readonly<Record<string, string>>, secret: string): string => {
  const [, date = '', region = '', service = '', end = ''] = (
    fields['X-Amz-Credential'] ?? ''
  ).split('/');
  const key = [date, region, service, end].reduce<Buffer>(
    (from, text) => createHmac('sha256', from).update(text).digest(),
    Buffer.from(`AWS4${secret}`),
  );
  return createHmac('sha256', key)
    .update(fields['Policy'] ?? '')
    .digest('hex');
};

describe('decisions §5 on S3: the form', () => {
  it('decisions §5.1, §5.5: policy with key, size range and one hour, signed; checked independently of the SDK', async () => {
    const place = await start();
    const upload = await create(place, { response_filename: 'a.jpg', size: 1234 });
    const fields = upload.fields ?? {};
    expect(fields['X-Amz-Signature']).toBe(policySignature(fields, 'S3RVER'));
    const policy = JSON.parse(Buffer.from(fields['Policy'] ?? '', 'base64').toString()) as {
      expiration: string;
      conditions: unknown[];
    };
    expect(policy.conditions).toContainEqual({ key: fields['key'] });
    expect(policy.conditions).toContainEqual({ bucket: 'photos' });
    expect(policy.conditions).toContainEqual(['content-length-range', 1234, 1234]);
    const left = Date.parse(policy.expiration) - Date.now();
    expect(left).toBeGreaterThan(HOUR - 60_000);
    expect(left).toBeLessThanOrEqual(HOUR + 1000);
    // The policy names every field that a client sends: S3 refuses an extra or missing one.
    const named = policy.conditions.flatMap((one) =>
      Array.isArray(one) ? [] : Object.keys(one as object),
    );
    for (const name of Object.keys(fields))
      if (!['Policy', 'X-Amz-Signature'].includes(name)) expect(named).toContain(name);
  });

  it('decisions §5.5, §5.7, §5.8: posted to the bucket, taken over by a record; nothing stays where clients can write', async () => {
    const place = await start();
    const bytes = await makeJpeg({ seed: 5, bytes: 200_000 });
    const upload = await create(place, {
      response_filename: 'p.jpg',
      response_content_type: 'image/jpeg',
    });
    expect((await post(upload, bytes)).status).toBe(204);
    const made = await record(place, upload.uuid);
    expect([made.status, made.text]).toEqual([201, expect.any(String)]);
    const [attachment] = made.json.attachments;
    expect([attachment.size, attachment.sha256]).toEqual([bytes.length, sha256(bytes)]);
    const thumbnail = await fetch(attachment.thumbnail_url);
    expect([thumbnail.status, thumbnail.headers.get('content-type')]).toEqual([200, 'image/jpeg']);

    // In the bucket the form stays valid for its hour, but a later post is never served.
    expect((await post(upload, random(1000))).status).toBe(204);
    const served = await fetch(attachment.url);
    expect(sha256(new Uint8Array(await served.arrayBuffer()))).toBe(sha256(bytes));
  });

  it('failures S11: HTML in the bucket is served as bytes and never inline', async () => {
    const place = await start();
    const upload = await create(place, {
      response_filename: 'x.html',
      response_content_type: 'text/html',
    });
    await post(upload, Buffer.from('<script>1</script>'));
    const [attachment] = (await record(place, upload.uuid)).json.attachments;
    const served = await fetch(attachment.url);
    expect(served.headers.get('content-type')).toBe('application/octet-stream');
    expect(served.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(served.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('decisions §5.5: past the hour no form is signed any more; a size other than announced is not taken', async () => {
    const place = await start();
    const upload = await create(place, { response_filename: 'a', size: 10 });
    expect((await post(upload, random(11))).status, 'this server does not read the policy').toBe(
      204,
    );
    expect((await show(place, upload.uuid)).status).toBe('ready');
    expect(objects(place)).toEqual([]);
    place.t.clock.advance(HOUR);
    expect((await show(place, upload.uuid)).fields).toEqual({});
  });
});

describe('decisions §5 on S3: sweeping and starting', () => {
  it('decisions §5.6: a week later the bytes are gone from the bucket, arrived or kept', async () => {
    const place = await start();
    const upload = await create(place, { response_filename: 'a' });
    await post(upload, random(1000));
    const other = await create(place, { response_filename: 'b' });
    await post(other, random(1000));
    expect((await show(place, other.uuid)).status).toBe('complete');
    place.t.clock.advance(8 * 24 * HOUR);
    await place.t.service.app.uploads.sweep();
    expect(objects(place)).toEqual([]);
    expect((await place.t.demo.get(`${uploads(place)}/${upload.uuid}`)).status).toBe(410);
  });

  it('decisions §5.6: objects without a row are deleted once the bucket says they are a day old', async () => {
    const place = await start();
    const { files, sweepOrphans } = place.t.service.app.uploads;
    const upload = await create(place, { response_filename: 'a' });
    await post(upload, random(1000));
    const mine = objects(place);
    const part = await files.begin(randomUUID(), 'lost');
    await part.write(random(10));
    await part.commit();
    expect(await sweepOrphans()).toBe(0);
    place.t.clock.advance(25 * HOUR);
    expect(await sweepOrphans()).toBe(1);
    expect(objects(place)).toEqual(mine);
  });

  it('decisions §5.8: a photo whose object was lost is a 410, not a 500', async () => {
    const place = await start();
    const upload = await create(place, { response_filename: 'a' });
    await post(upload, random(1000));
    const [attachment] = (await record(place, upload.uuid)).json.attachments;
    await place.t.service.app.uploads.files.remove(upload.uuid);
    expect((await fetch(attachment.url)).status).toBe(410);
  });

  it('decisions §10: a bucket that does not answer, or an address that is none, is a sentence and exit 2', async () => {
    const dir = tempDir('s3-refused');
    onTestFinished(() => dir.remove());
    for (const [address, words] of [
      ['s3://photos?endpoint=http://127.0.0.1:9', /s3:\/\/photos cannot be used/],
      ['http://photos', /begins with "http:"/],
      ['s3://photos?endpont=x', /"endpont", which is none of/],
      ['s3://key:secret@photos', /must not carry credentials/],
      ['photos', /is not an address/],
    ] as const) {
      const answer = await runCli(
        ['--port', '0', '--data-dir', dir.path, '--file-store', address],
        credentials,
      );
      expect([answer.code, answer.stdout], answer.stderr).toEqual([2, '']);
      expect(answer.stderr).toMatch(words);
    }
  });
});
