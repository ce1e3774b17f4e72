/** Photos on near misses, through the API as the app uses it (decisions §3.7, §5.7), and with a killed service. */
import { request as httpRequest } from 'node:http';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { NearMissAttachment } from '../../../src/contract/rest/attachments.ts';
import type { Upload } from '../../../src/contract/rest/uploads.ts';
import {
  bareDemo,
  clientOf,
  spawnService,
  startTestService,
  tempDir,
  type Client,
  type TestService,
} from '../../support/service.ts';
import { cut, DAY, HOUR, KIB, md5, post, put, random, sha256 } from './support.ts';
import { slow } from '../../support/slow.ts';

const start = async (): Promise<TestService> => {
  const service = await startTestService({ 'upload-sweep-interval': DAY });
  onTestFinished(() => service.stop());
  return service;
};

const uploadsOf = (client: Client) => `/rest/v1.1/companies/${client.company_id}/uploads`;

const create = async (client: Client, body: object): Promise<Upload> => {
  const answer = await client.post(uploadsOf(client), body);
  expect(answer.status).toBe(201);
  return answer.json as Upload;
};

/** Sends a photo in segments and completes it. */
const send = async (client: Client, bytes: Buffer, name = 'photo.jpg'): Promise<string> => {
  const parts = cut(bytes, 256 * KIB);
  const upload = await create(client, { response_filename: name, segments: parts.pieces });
  for (const [index, part] of parts.entries())
    expect((await put(upload, index, part)).status).toBe(200);
  const body = { segments: parts.map((part) => ({ etag: `"${md5(part)}"` })) };
  expect((await client.patch(`${uploadsOf(client)}/${upload.uuid}`, body)).status).toBe(200);
  return upload.uuid;
};

interface Record_ {
  readonly id: number;
  readonly attachments: readonly NearMissAttachment[];
}

const incidentOf = async (client: Client): Promise<number> => {
  const answer = await client.get('~/incidents');
  return (answer.json as { id: number }[])[0]?.id ?? 0;
};

const report = async (client: Client, upload_uuids: readonly string[], key?: string) =>
  client.post(
    '~/incidents/near_misses',
    { near_miss: { incident_id: await incidentOf(client), description: 'x', upload_uuids } },
    key === undefined ? undefined : { 'Idempotency-Key': key },
  );

const totalOf = async (client: Client): Promise<string | null> =>
  (await client.get('~/incidents/near_misses?per_page=1')).headers.get('total');

describe('attachments', () => {
  it('decisions §3.7, §5.8: a record with two photos shows both, and every byte is read back by its address', async () => {
    const { demo } = await start();
    const jpeg = await sharp(random(900 * 600 * 3), {
      raw: { width: 900, height: 600, channels: 3 },
    })
      .jpeg({ quality: 95 })
      .toBuffer();
    const photos = [jpeg, random(300 * KIB)];
    const uuids = [
      await send(demo, photos[0] as Buffer, 'site.jpg'),
      await send(demo, photos[1] as Buffer),
    ];
    const answer = await report(demo, uuids);
    expect(answer.status).toBe(201);
    const { id, attachments } = answer.json as Record_;
    expect(attachments).toHaveLength(2);
    for (const [index, attachment] of attachments.entries()) {
      const bytes = photos[index] as Buffer;
      expect(attachment).toMatchObject({
        upload_uuid: uuids[index],
        sha256: sha256(bytes),
        size: bytes.length,
        content_type: 'image/jpeg',
        filename: index === 0 ? 'site.jpg' : 'photo.jpg',
      });
      const back = await fetch(attachment.url ?? '');
      expect(sha256(Buffer.from(await back.arrayBuffer()))).toBe(sha256(bytes));
      expect((await fetch(attachment.presentation_url ?? '')).status).toBe(200);
    }
    const small = await fetch(attachments[0]?.thumbnail_url ?? '');
    expect((await sharp(Buffer.from(await small.arrayBuffer())).metadata()).width).toBe(480);
    const shown = (await demo.get(`~/incidents/near_misses/${id}`)).json as Record_;
    expect(shown.attachments).toEqual(attachments);
    const [listed] = (await demo.get('~/incidents/near_misses?per_page=1')).json as Record_[];
    expect(listed?.attachments).toEqual(attachments);
  });

  it('decisions §3.7: an update adds to what is there; the same upload again changes nothing', async () => {
    const { demo } = await start();
    const [a, b] = [await send(demo, random(1000)), await send(demo, random(2000))];
    const { id } = (await report(demo, [a])).json as Record_;
    const path = `~/incidents/near_misses/${id}`;
    const body = { near_miss: { upload_uuids: [a, b, a] } };
    const updated = (await demo.patch(path, body)).json as Record_;
    expect(updated.attachments.map(({ upload_uuid }) => upload_uuid)).toEqual([a, b]);
    const again = (await demo.patch(path, body)).json as Record_;
    expect(again.attachments).toEqual(updated.attachments);
  });

  it('decisions §5.7: an upload of another record, unknown, unfinished or foreign: 422 on upload_uuids and no record', async () => {
    const { demo, other } = await start();
    const taken = await send(demo, random(1000));
    expect((await report(demo, [taken])).status).toBe(201);
    const free = await send(demo, random(1000));
    const unfinished = await create(demo, { response_filename: 'a.jpg' });
    const foreign = await send(other, random(1000));
    const before = await totalOf(demo);
    for (const uuid of [taken, unfinished.uuid, foreign, 'unknown', '../x']) {
      const answer = await report(demo, [free, uuid]);
      expect(answer.status).toBe(422);
      expect(Object.keys((answer.json as { errors: object }).errors)).toEqual([
        'near_miss.upload_uuids',
      ]);
    }
    expect(await totalOf(demo)).toBe(before);
    expect((await report(demo, [free])).status).toBe(201);
  });

  it('decisions §5.6: after the week association is a 422 on upload_uuids', async () => {
    const { demo, clock } = await start();
    const uuid = await send(demo, random(1000));
    clock.advance(7 * DAY);
    const answer = await report(demo, [uuid]);
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('expired');
  });

  it('decisions §1.5: a create repeated with its key is answered from the store, with its photo, once', async () => {
    const { demo } = await start();
    const uuid = await send(demo, random(1000));
    const before = Number(await totalOf(demo));
    const answers = await Promise.all([1, 2, 3].map(() => report(demo, [uuid], 'one-key')));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(Number(await totalOf(demo))).toBe(before + 1);
  });

  it('decisions §1.5: an upload created again with its key is the same upload', async () => {
    const { demo } = await start();
    const headers = { 'Idempotency-Key': 'upload-key' };
    const body = { response_filename: 'a.jpg' };
    const [a, b] = await Promise.all([1, 2].map(() => demo.post(uploadsOf(demo), body, headers)));
    expect([a?.status, b?.status]).toEqual([201, 201]);
    expect((a?.json as Upload).uuid).toBe((b?.json as Upload).uuid);
  });

  it('decisions §3.5: recycling and restoring keep the photos', async () => {
    const { demo, clock } = await start();
    const bytes = random(1000);
    const { id } = (await report(demo, [await send(demo, bytes)])).json as Record_;
    expect((await demo.delete(`~/incidents/near_misses/${id}`)).status).toBe(204);
    clock.advance(8 * DAY);
    const bin = `~/recycle_bin/incidents/near_misses/${id}`;
    expect(((await demo.get(bin)).json as Record_).attachments).toHaveLength(1);
    expect((await demo.patch(`${bin}/restore`, {})).status).toBe(200);
    const { attachments } = (await demo.get(`~/incidents/near_misses/${id}`)).json as Record_;
    const back = await fetch(attachments[0]?.url ?? '');
    expect(sha256(Buffer.from(await back.arrayBuffer()))).toBe(sha256(bytes));
  });

  it('decisions §3.7: a photo taken off is gone: 204, then absent, its address and its upload 410', async () => {
    const { demo, service } = await start();
    const [a, b] = [await send(demo, random(1000)), await send(demo, random(2000))];
    const { id, attachments } = (await report(demo, [a, b])).json as Record_;
    const [first] = attachments;
    const path = `~/incidents/near_misses/${id}`;
    expect((await demo.delete(`${path}/attachments/${first?.id}`)).status).toBe(204);
    expect((await demo.delete(`${path}/attachments/${first?.id}`)).status).toBe(404);
    const left = (await demo.get(path)).json as Record_;
    expect(left.attachments.map(({ upload_uuid }) => upload_uuid)).toEqual([b]);
    expect((await fetch(first?.url ?? '')).status).toBe(410);
    expect((await demo.get(`${uploadsOf(demo)}/${a}`)).status).toBe(410);
    expect((await report(demo, [a])).status).toBe(422);
    expect(await service.app.uploads.sweep()).toBe(1);
    expect((await fetch(left.attachments[0]?.url ?? '')).status).toBe(200);
  });

  it('decisions §1.1: the upload path must name the company of the header: 403; without a token 401', async () => {
    const { demo, other, url } = await start();
    expect((await demo.post(uploadsOf(other), { response_filename: 'a.jpg' })).status).toBe(403);
    const bare = await fetch(url + uploadsOf(demo), { method: 'POST' });
    expect(bare.status).toBe(401);
  });

  it('decisions §5.5: the form works when posted as a browser and curl post it, file name and all', async () => {
    const { demo, clock } = await start();
    const upload = await create(demo, {
      response_filename: 'Baustelle 1.jpg',
      response_content_type: 'image/jpeg',
    });
    clock.advance(HOUR - 1);
    const bytes = random(5000);
    expect((await post(upload, bytes)).status).toBe(204);
    const { attachments } = (await report(demo, [upload.uuid])).json as Record_;
    expect(attachments[0]).toMatchObject({ sha256: sha256(bytes), filename: 'Baustelle 1.jpg' });
  });
});

describe('killed', () => {
  slow(
    'failures A1, S4: SIGKILL in a segment: the others are kept, no partial file stays, the rest is sent and equal',
    async () => {
      const folder = tempDir('killed');
      onTestFinished(() => folder.remove());
      const argv = bareDemo(folder.path, '--log-level=error');
      const first = await spawnService(argv);
      onTestFinished(async () => void (await first.end('SIGKILL')));
      const client = clientOf(first.first.url, first.first);
      const bytes = random(3 * KIB * KIB);
      const parts = cut(bytes, KIB * KIB);
      const upload = await create(client, { response_filename: 'a.jpg', segments: parts.pieces });
      expect((await put(upload, 2, parts[2] as Buffer)).status).toBe(200);

      const { url, headers } = upload.segments?.[0] ?? {};
      const half = httpRequest(url ?? '', { method: 'PUT', headers: { ...headers } });
      half.on('error', () => undefined);
      half.write((parts[0] as Buffer).subarray(0, 700 * KIB));
      const temporary = () => readdirSync(join(folder.path, 'files/tmp'));
      await expect.poll(() => temporary().length).toBe(1);
      await first.end('SIGKILL');
      expect(temporary()).toHaveLength(1);

      const second = await spawnService(argv);
      onTestFinished(async () => void (await second.end('SIGKILL')));
      expect(temporary()).toEqual([]);
      const again = clientOf(second.first.url, client);
      const view = (await again.get(`${uploadsOf(again)}/${upload.uuid}`)).json as Upload;
      expect(view.segments?.map(({ etag }) => etag)).toEqual([null, null, md5(parts[2] as Buffer)]);
      for (const index of [0, 1])
        expect((await put(view, index, parts[index] as Buffer)).status).toBe(200);
      const body = { segments: parts.map((part) => ({ etag: md5(part) })) };
      expect((await again.patch(`${uploadsOf(again)}/${upload.uuid}`, body)).status).toBe(200);
      const { attachments } = (await report(again, [upload.uuid])).json as Record_;
      const back = await fetch(attachments[0]?.url ?? '');
      expect(sha256(Buffer.from(await back.arrayBuffer()))).toBe(sha256(bytes));
    },
  );
});
