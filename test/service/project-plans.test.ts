/** Plans of a project: files, revisions, who may do what, deletion (decisions §17). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  plan as planSchema,
  PLAN_FILE_MAX,
  type Plan,
} from '../../src/contract/rest/plans/plans.ts';
import type { Upload } from '../../src/contract/rest/uploads.ts';
import { jpegOf, pdfOf, pngOf } from '../support/drawings.ts';
import { startTestService, type Client, type TestService } from '../support/service.ts';
import { slow } from '../support/slow.ts';
import { DAY, post } from './uploads/support.ts';
import { accessUsers } from './access-users.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService({ 'upload-sweep-interval': DAY });
});
afterAll(() => t.stop());

const { addUser } = accessUsers(() => t);
const send = async (bytes: Buffer<ArrayBuffer>, name = 'plan.png', by = t.demo) => {
  const uploads = `/rest/v1.1/companies/${by.company_id}/uploads`;
  const upload = (await by.post(uploads, { response_filename: name })).json as Upload;
  expect((await post(upload, bytes)).status).toBe(204);
  return upload.uuid;
};
const pdf = (): Buffer<ArrayBuffer> => Buffer.from(pdfOf(['one', 'two'], [800, 600]));
const create = (plan: object, by: Client = t.demo, headers?: Record<string, string>) =>
  by.post('~/plans', { plan }, headers);
const made = async (plan: object = {}): Promise<Plan> => {
  const answer = await create({
    name: 'Level 3',
    upload_uuid: await send(pngOf(900, 600)),
    ...plan,
  });
  expect(answer.status, answer.text).toBe(201);
  return planSchema.parse(answer.json);
};
const all = async (): Promise<Plan[]> => (await t.demo.get('~/plans')).json as Plan[];

describe('decisions §17.1: plans', () => {
  it('decisions §17.1: a plan is created, listed newest first, renamed and taken out of use', async () => {
    const first = await made({ name: ' Level 3 ', number: 'A-103' });
    const second = await made({ name: 'Site' });
    expect(first).toMatchObject({ name: 'Level 3', number: 'A-103', active: true });
    expect((await all()).map(({ id }) => id).slice(0, 2)).toEqual([second.id, first.id]);
    const path = `~/plans/${first.id}`;
    const etag = (await t.demo.get(path)).headers.get('etag') ?? '';
    const body = { plan: { name: 'Level 3 north', number: '', active: false } };
    const changed = await t.demo.patch(path, body, { 'If-Match': etag });
    expect(changed.json).toMatchObject({ name: 'Level 3 north', number: null, active: false });
    expect((await t.demo.patch(path, body, { 'If-Match': etag })).status).toBe(412);
    // A change that changes nothing.
    expect((await t.demo.patch(path, body)).headers.get('etag')).toBe(changed.headers.get('etag'));
  });

  it('decisions §17.1: everybody in the project reads, and only an admin writes', async () => {
    const { id } = await made();
    for (const level of ['read_only', 'reporter', 'standard'] as const) {
      const user = await addUser({ level });
      expect((await user.get('~/plans')).status).toBe(200);
      expect((await user.get(`~/plans/${id}`)).status).toBe(200);
      expect((await create({ name: 'x', upload_uuid: 'x' }, user)).status).toBe(403);
      expect((await user.patch(`~/plans/${id}`, { plan: { name: 'x' } })).status).toBe(403);
      expect((await user.delete(`~/plans/${id}`)).status).toBe(403);
    }
    expect((await t.other.get(`~/plans/${id}`)).status).toBe(404);
  });

  it('decisions §17.1: a deleted plan and its bytes are gone', async () => {
    const plan = await made();
    const url = plan.revisions[0]?.pictures[0]?.url ?? '';
    expect((await fetch(url)).status).toBe(200);
    expect((await t.demo.delete(`~/plans/${plan.id}`)).status).toBe(204);
    expect((await t.demo.get(`~/plans/${plan.id}`)).status).toBe(404);
    expect((await fetch(url)).status).toBe(410);
    expect((await t.demo.delete(`~/plans/${plan.id}`)).status).toBe(404);
  });
});

describe('decisions §17.2: files', () => {
  it('decisions §17.2: a picture is shown as it is, whatever its name and declared type say', async () => {
    for (const bytes of [pngOf(900, 600), jpegOf(900, 600)]) {
      const plan = await made({ upload_uuid: await send(bytes, 'script.html') });
      const [picture] = plan.revisions[0]?.pictures ?? [];
      expect(picture).toMatchObject({ width: 900, height: 600 });
      expect(picture?.content_type).toMatch(/^image\/(png|jpeg)$/);
      const read = await fetch(picture?.url ?? '');
      expect(Buffer.from(await read.arrayBuffer()).equals(bytes)).toBe(true);
      expect(read.headers.get('content-type')).not.toContain('html');
    }
  });

  it('decisions §17.2: a PDF comes with its page in several sizes, smallest first, and two pages share it', async () => {
    const upload_uuid = await send(pdf(), 'set.pdf');
    const refused = await create({ name: 'A', upload_uuid });
    expect(refused.status).toBe(422);
    expect(refused.json.errors['plan.upload_uuid'][0]).toContain('picture_uuids');
    const pictures = [await send(pngOf(4000, 3000)), await send(jpegOf(1000, 750))];
    const one = await made({ upload_uuid, page: 1, picture_uuids: pictures });
    expect(one.revisions[0]).toMatchObject({
      page: 1,
      drawing: { content_type: 'application/pdf', filename: 'set.pdf' },
      pictures: [{ width: 1000 }, { width: 4000 }],
    });
    const two = await made({ upload_uuid, page: 2, picture_uuids: [await send(pngOf(40, 30))] });
    const url = two.revisions[0]?.drawing.url ?? '';
    await t.demo.delete(`~/plans/${one.id}`);
    expect((await fetch(url)).status).toBe(200);
    await t.demo.delete(`~/plans/${two.id}`);
    expect((await fetch(url)).status).toBe(410);
  });

  it('decisions §17.2: what is no drawing is refused on its field, and nothing is taken over', async () => {
    const good = await send(pngOf(9, 6));
    const before = (await all()).length;
    const cases: readonly (readonly [object, string])[] = [
      [{ upload_uuid: await send(Buffer.from('<svg></svg>'), 'a.png') }, 'plan.upload_uuid'],
      [{ upload_uuid: await send(Buffer.from('GIF89a'), 'a.png') }, 'plan.upload_uuid'],
      [{ upload_uuid: await send(pngOf(9, 6).subarray(0, 20)) }, 'plan.upload_uuid'],
      [{ upload_uuid: await send(pngOf(0, 6)) }, 'plan.upload_uuid'],
      [{ upload_uuid: await send(pngOf(10_000, 10_000)) }, 'plan.upload_uuid'],
      [{ upload_uuid: await send(Buffer.alloc(0)) }, 'plan.upload_uuid'],
      [{ upload_uuid: 'unknown' }, 'plan.upload_uuid'],
      [{ upload_uuid: good, page: 2 }, 'plan.page'],
      [{ upload_uuid: good, picture_uuids: [await send(pdf())] }, 'plan.picture_uuids'],
      [{ upload_uuid: good, picture_uuids: ['a', 'b', 'c', 'd', 'e'] }, 'plan.picture_uuids'],
      [{ upload_uuid: good, name: '   ' }, 'plan.name'],
      [{ upload_uuid: good, number: 'x'.repeat(41) }, 'plan.number'],
    ];
    for (const [plan, field] of cases) {
      const answer = await create({ name: 'x', ...plan });
      expect(answer.status, answer.text).toBe(422);
      expect(Object.keys(answer.json.errors), answer.text).toEqual([field]);
    }
    expect((await all()).length).toBe(before);
    // The refused request took over nothing.
    await made({ upload_uuid: good });
  });

  slow('decisions §17.2: a file of more than 50 MB is refused', async () => {
    const large = Buffer.alloc(PLAN_FILE_MAX + 1);
    pngOf(9, 6).copy(large);
    const answer = await create({ name: 'x', upload_uuid: await send(large) });
    expect(answer.json.errors['plan.upload_uuid'][0]).toContain('50 MB');
  });

  it('decisions §17.2: an upload of a near miss is no drawing', async () => {
    const upload = await send(pngOf(9, 6));
    const [incident] = (await t.demo.get('~/incidents')).json as { id: number }[];
    const near_miss = { incident_id: incident?.id, upload_uuids: [upload] };
    expect((await t.demo.post('~/incidents/near_misses', { near_miss })).status).toBe(201);
    const answer = await create({ name: 'x', upload_uuid: upload });
    expect(answer.json.errors['plan.upload_uuid'][0]).toContain('another record');
  });
});

describe('decisions §17.3: revisions', () => {
  it('decisions §17.3: a newer revision leads, the older stays as it was, and the plan is in use again', async () => {
    const plan = await made({ revision: 'A' });
    await t.demo.patch(`~/plans/${plan.id}`, { plan: { active: false } });
    const revision = { upload_uuid: await send(pngOf(1800, 1200)), revision: 'B' };
    const path = `~/plans/${plan.id}/revisions`;
    const key = { 'Idempotency-Key': '01JGFJJZ00CW7Q8M5T3N0XAZ1R' };
    const answer = await t.demo.post(path, { revision }, key);
    expect(answer.status, answer.text).toBe(201);
    const [newer, older] = (answer.json as Plan).revisions;
    expect(answer.json.active).toBe(true);
    expect(newer).toMatchObject({ revision: 'B', pictures: [{ width: 1800 }] });
    expect({ ...older, pictures: [] }).toMatchObject({
      id: plan.revisions[0]?.id,
      revision: 'A',
      pictures: [],
    });
    expect(older?.pictures[0]?.sha256).toBe(plan.revisions[0]?.pictures[0]?.sha256);
    // Exactly once.
    const again = await t.demo.post(path, { revision }, key);
    expect((again.json as Plan).revisions).toHaveLength(2);
    const shown = (await t.demo.get(`~/plans/${plan.id}`)).json as Plan;
    expect(shown.revisions).toHaveLength(2);
    const stale = await t.demo.post(path, { revision }, { 'If-Match': '"old"' });
    expect(stale.status).toBe(412);
  });
});

it('decisions §17.4: every company has the field for pins', async () => {
  const { custom_field_definitions: fields } = (await t.demo.get('~/catalog')).json as {
    custom_field_definitions: { label: string; data_type: string }[];
  };
  expect(fields).toContainEqual(
    expect.objectContaining({ label: 'Where on the plan', data_type: 'string' }),
  );
});
