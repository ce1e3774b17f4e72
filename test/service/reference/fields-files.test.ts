/**
 * Fields of resources with bytes: uploads and entry attachments with the types of the reference's tables. Copied from the
 * reference, not from the contract, whose schemas allow another server to omit fields.
 */
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Upload } from '../../../src/contract/rest/uploads.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { cut, KIB, md5, post, put, random, sha256 } from '../uploads/support.ts';
import { address, expectFields, integer, nothing, string, texts } from './field-checks.ts';

let t: TestService;
// eslint-disable-next-line @typescript-eslint/no-explicit-any
let catalog: any;
beforeAll(async () => {
  t = await startTestService();
  catalog = (await t.demo.get('~/catalog')).json;
});
afterAll(() => t.stop());

const uploadsOf = () => `/rest/v1.1/companies/${t.demo.company_id}/uploads`;
const sendPhoto = async (): Promise<{ uuid: string; bytes: Buffer }> => {
  const raw = { width: 60, height: 40, channels: 3 } as const;
  const bytes = await sharp(random(60 * 40 * 3), { raw })
    .jpeg()
    .toBuffer();
  const { json } = await t.demo.post(uploadsOf(), { response_filename: 'site.jpg' });
  expect((await post(json as Upload, bytes)).status).toBe(204);
  return { uuid: json.uuid as string, bytes };
};

describe('reference, Time and material entry attachment', () => {
  const list = '~/time_and_material_entry_attachments';

  it('reference: seven fields and their types, whose addresses lead to the file (reference R-attachments-1, R-attachments-3, R-attachments-9, R-attachments-10, R-attachments-11)', async () => {
    const { uuid, bytes } = await sendPhoto();
    const made = (
      await t.demo.post(list, {
        time_and_material_entry_id: catalog.time_and_material_entries[0].id,
        time_and_material_entry_attachment: { upload_uuids: [uuid] },
      })
    ).json;
    for (const where of ['url', 'presentation_url']) {
      const back = await fetch(made[where]);
      expect(sha256(Buffer.from(await back.arrayBuffer()))).toBe(sha256(bytes));
    }
    expect((await fetch(made.thumbnail_url)).headers.get('content-type')).toMatch(/^image\//);
    const path = `${list}/${made.id}`;
    for (const row of [
      made,
      (await t.demo.get(path)).json,
      (await t.demo.get(list)).json[0],
      (await t.demo.delete(path)).json,
    ]) {
      expect(row.id).toBe(made.id);
      expectFields(
        row,
        {
          id: integer,
          attachment_id: integer,
          content_type: string,
          presentation_url: address,
          url: address,
          thumbnail_url: address,
          filename: string,
        },
        ['created', 'time_and_material_entry_id'],
      );
    }
  });

  it('reference: the list holds the attachments of this project, and nobody else’s (reference R-attachments-4)', async () => {
    const attach = async (client: TestService['demo']): Promise<number> => {
      const { time_and_material_entries, documents } = (await client.get('~/catalog')).json;
      const answer = await client.post(list, {
        time_and_material_entry_id: time_and_material_entries[0].id,
        time_and_material_entry_attachment: { documents: [documents[0].id] },
      });
      return answer.json.id as number;
    };
    const listed = async (client: TestService['demo']): Promise<number[]> =>
      (await client.get(list)).json.map(({ id }: { id: number }) => id) as number[];
    const [mine, theirs] = [await attach(t.demo), await attach(t.other)];
    expect(await listed(t.demo)).toContain(mine);
    expect(await listed(t.demo)).not.toContain(theirs);
    expect(await listed(t.other)).toEqual([theirs]);
  });
});

describe('reference, Upload', () => {
  const ours = [
    'status',
    'min_segment_size',
    'max_segment_size',
    'max_segments',
    'post_expires_at',
    'expires_at',
  ];
  const fields = { uuid: string, url: address, fields: texts };
  const body = {
    response_filename: 'plan.pdf',
    response_content_type: 'application/pdf',
    attachment_content_disposition: true,
  };

  it('reference, Upload: uuid, url, fields in create and show; segments of size, sha256, md5, etag in all three (reference R-uploads-1, R-uploads-4, R-uploads-11, R-uploads-12, R-uploads-13)', async () => {
    const whole = (await t.demo.post(uploadsOf(), body)).json;
    const parts = cut(random(256 * KIB + 5), 256 * KIB);
    const segmented = (await t.demo.post(uploadsOf(), { ...body, segments: parts.pieces })).json;
    for (const { uuid } of [whole, segmented])
      expectFields((await t.demo.get(`${uploadsOf()}/${uuid}`)).json, fields, [
        ...ours,
        'segments',
      ]);
    expectFields(whole, fields, [...ours, 'segments']);
    expect(Object.keys(whole.fields).length).toBeGreaterThan(0);
    for (const [index, part] of parts.entries()) await put(segmented as Upload, index, part);
    const segments = parts.map((part, at) => ({ ...parts.pieces[at], etag: md5(part) }));
    const done = await t.demo.patch(`${uploadsOf()}/${segmented.uuid}`, { segments });
    expect([done.status, done.json.uuid]).toEqual([200, segmented.uuid]);
    const shown = (await t.demo.get(`${uploadsOf()}/${segmented.uuid}`)).json;
    for (const answer of [segmented, done.json, shown])
      for (const [index, segment] of answer.segments.entries()) {
        const etag = answer === segmented ? nothing : string;
        const types = { size: integer, sha256: string, md5: string, etag };
        expectFields(segment, types, ['url', 'headers']);
        expect(segment).toMatchObject(parts.pieces[index] ?? {});
      }
  });

  it('reference, Upload: url must not be cached, and whatever stands between is told so (reference R-uploads-24)', async () => {
    const made = await t.demo.post(uploadsOf(), body);
    const { pieces } = cut(random(100), 100);
    const segmented = await t.demo.post(uploadsOf(), { ...body, segments: pieces });
    const path = `${uploadsOf()}/${segmented.json.uuid}`;
    const shown = await t.demo.get(path);
    const kept = await t.demo.patch(path, { segments: [{ etag: null }] });
    for (const answer of [made, segmented, shown, kept]) {
      expect(answer.json.url).toEqual(expect.any(String));
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });

  it('reference, Upload: the uuid is good from creation to association, with a near miss or an entry (reference R-uploads-2, R-uploads-3)', async () => {
    const status = async (uuid: string) => (await t.demo.get(`${uploadsOf()}/${uuid}`)).json.status;
    const associate: ((uuid: string) => Promise<{ status: number }>)[] = [
      (uuid) =>
        t.demo.post('~/incidents/near_misses', {
          near_miss: { incident_id: 1, upload_uuids: [uuid] },
        }),
      (uuid) =>
        t.demo.post('~/time_and_material_entry_attachments', {
          time_and_material_entry_id: catalog.time_and_material_entries[0].id,
          time_and_material_entry_attachment: { upload_uuids: [uuid] },
        }),
    ];
    for (const use of associate) {
      const upload = (await t.demo.post(uploadsOf(), body)).json as Upload;
      expect(await status(upload.uuid)).toBe('ready');
      await post(upload, random(100));
      expect(await status(upload.uuid)).toBe('complete');
      expect((await use(upload.uuid)).status).toBe(201);
      expect(await status(upload.uuid)).toBe('associated');
    }
  });

  it('reference, Company uploads: response_filename is a text and required; all others may be left out, and are of their type (reference R-uploads-5, R-uploads-9, R-uploads-10)', async () => {
    expect((await t.demo.post(uploadsOf(), { response_filename: 'a' })).status).toBe(201);
    const { pieces } = cut(random(100), 100);
    for (const more of [
      { ...body, size: 100 },
      { size: 100, segments: pieces },
    ])
      expect((await t.demo.post(uploadsOf(), { response_filename: 'a', ...more })).status).toBe(
        201,
      );
    for (const [name, value] of [
      ['response_filename', undefined],
      ['response_filename', 5],
      ['response_filename', null],
      ['response_content_type', 5],
      ['attachment_content_disposition', 'yes'],
      ['size', '100'],
      ['size', 1.5],
      ['segments', {}],
      ['segments', 'x'],
    ] as const) {
      const answer = await t.demo.post(uploadsOf(), { response_filename: 'a', [name]: value });
      expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, [name]]);
    }
  });
});
