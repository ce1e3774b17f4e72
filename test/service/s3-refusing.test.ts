/** A bucket with wrong answers: too busy, revoked keys, truncated bodies. */
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, onTestFinished } from 'vitest';
import { credentials, startBucket } from '../support/s3.ts';
import { startTestService, testClock } from '../support/service.ts';
import { post, random } from './uploads/support.ts';
import { slow } from '../support/slow.ts';

beforeAll(() => {
  Object.assign(process.env, credentials);
});

type Way = (asked: IncomingMessage, answer: ServerResponse, pass: () => void) => void;

const refusing =
  (status: number, code: string): Way =>
  (asked, answer) => {
    asked.resume();
    answer.writeHead(status, { 'content-type': 'application/xml' });
    answer.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`);
  };
const passing: Way = (_asked, _answer, pass) => pass();

/** A server in front of the bucket that passes responses whole or, with `cut`, without their second half. */
const start = async () => {
  const bucket = await startBucket();
  let way = passing;
  let cut = false;
  const server = createServer((asked, answer) => {
    const pass = (): void => {
      const { method, url, headers } = asked;
      const on = request(bucket.endpoint + (url ?? ''), { method, headers }, (got) => {
        answer.writeHead(got.statusCode ?? 0, got.headers);
        const isBody = cut && method === 'GET' && !(url ?? '').includes('list-type');
        if (!isBody) {
          got.pipe(answer);
          return;
        }
        got.once('data', (bytes: Buffer) => {
          got.destroy();
          answer.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => answer.destroy());
        });
      });
      on.on('error', () => answer.destroy());
      asked.pipe(on);
    };
    way(asked, answer, pass);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const t = await startTestService(
    { 'file-store': bucket.address.replace(bucket.endpoint, endpoint) },
    testClock(Date.now()),
  );
  onTestFinished(() => t.stop());
  const uploads = `/rest/v1.1/companies/${t.demo.company_id}/uploads`;
  const upload = async (name: string): Promise<string> => {
    const form = (await t.demo.post(uploads, { response_filename: name })).json;
    await post(form, random(200_000));
    return form.uuid as string;
  };
  const file = (uuid: string) =>
    t.demo.post(
      '~/incidents/near_misses',
      { near_miss: { incident_id: 1, description: 'kept', upload_uuids: [uuid] } },
      { 'idempotency-key': uuid },
    );
  return {
    t,
    upload,
    file,
    set: (next: Way) => (way = next),
    cut: (on: boolean) => (cut = on),
  };
};

slow(
  'decisions §1.2: a bucket that is too busy, or whose keys were changed, is a 503; the same again is taken later',
  async () => {
    const { file, upload, set } = await start();
    for (const [status, code] of [
      [503, 'SlowDown'],
      [403, 'InvalidAccessKeyId'],
      [403, 'SignatureDoesNotMatch'],
      [500, 'InternalError'],
    ] as const) {
      const uuid = await upload(`${code}.bin`);
      set(refusing(status, code));
      const refused = await file(uuid);
      expect([refused.status, refused.headers.get('retry-after')], code).toEqual([503, '5']);
      set(passing);
      expect((await file(uuid)).status, code).toBe(201);
    }
  },
);

slow(
  'decisions §1.2: bytes of a bucket that end in the middle are a 503 or a cut answer, never half a photo',
  async () => {
    const { t, file, upload, cut } = await start();
    const uuid = await upload('cut.bin');
    cut(true);
    const refused = await file(uuid);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    cut(false);
    const made = await file(uuid);
    expect(made.status).toBe(201);
    const { url } = made.json.attachments[0];
    cut(true);
    await expect(fetch(url).then((response) => response.arrayBuffer())).rejects.toThrow();
    cut(false);
    expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(200_000);
    expect((await t.demo.get('/healthz')).status).toBe(200);
  },
);
