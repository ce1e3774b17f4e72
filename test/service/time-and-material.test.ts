/** Files on time-and-material entries: reference (Time and material entry attachments) and decisions §6, §5.6-5.8. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { attachment as attachmentSchema } from '../../src/contract/rest/attachments.ts';
import type { Upload } from '../../src/contract/rest/uploads.ts';
import { eventsSince } from '../support/events.ts';
import { startTestService, type Client, type TestService } from '../support/service.ts';
import { DAY, post, random, sha256 } from './uploads/support.ts';
import { slow } from '../support/slow.ts';

let t: TestService;
interface Named {
  readonly id: number;
  readonly name: string;
}
let catalog: {
  documents: (Named & { folder_id: number | null })[];
  folders: Named[];
  time_and_material_entries: Named[];
};
const list = '~/time_and_material_entry_attachments';
const BODY = 'time_and_material_entry_attachment';
const entry = (index = 0): number => catalog.time_and_material_entries[index]?.id ?? 0;
const document = (index = 0): number => catalog.documents[index]?.id ?? 0;
const folder = (index = 0): number => catalog.folders[index]?.id ?? 0;
const inFolder = (index = 0): string[] =>
  catalog.documents.filter(({ folder_id }) => folder_id === folder(index)).map(({ name }) => name);

beforeAll(async () => {
  t = await startTestService({ 'upload-sweep-interval': DAY });
  catalog = (await t.demo.get('~/catalog')).json;
});
afterAll(() => t.stop());

interface Attachment {
  readonly id: number;
  readonly attachment_id: number;
  readonly content_type: string;
  readonly filename: string;
  readonly url: string;
  readonly presentation_url: string;
  readonly thumbnail_url: string;
}
type Created = Attachment & { readonly created: Attachment[] };

const create = (attachment: unknown, to: unknown = entry(), headers?: Record<string, string>) =>
  t.demo.post(list, { time_and_material_entry_id: to, [BODY]: attachment }, headers);
const made = async (attachment: object, to = entry()): Promise<Created> => {
  const answer = await create(attachment, to);
  expect(answer.status, answer.text).toBe(201);
  return answer.json as Created;
};
const bulkDestroy = (ids: unknown) =>
  t.demo.ask('DELETE', `${list}/bulk_destroy`, {
    body: { [BODY]: { time_and_material_entry_attachment_ids: ids } },
  });
const total = async (): Promise<number> =>
  Number((await t.demo.get(`${list}?per_page=1`)).headers.get('total'));
const uploads = (client: Client) => `/rest/v1.1/companies/${client.company_id}/uploads`;
const send = async (bytes: Buffer, name = 'receipt.bin', by = t.demo): Promise<string> => {
  const upload = (await by.post(uploads(by), { response_filename: name })).json as Upload;
  expect((await post(upload, bytes)).status).toBe(204);
  return upload.uuid;
};
const read = async (url: string): Promise<Buffer> =>
  Buffer.from(await (await fetch(url)).arrayBuffer());

describe('decisions §6: create', () => {
  it('decisions §6: each document, one of a folder too, each upload becomes one; the first answers, `created` is all (reference R-attachments-7, R-attachments-8, R-attachments-9)', async () => {
    const other = catalog.folders.findIndex(({ id }) => id !== catalog.documents[0]?.folder_id);
    const uuid = await send(random(1000), 'receipt.jpg');
    const { created, ...first } = await made({
      documents: [document()],
      folders: [folder(other)],
      upload_uuids: [uuid],
    });
    expect(first).toEqual(created[0]);
    const names = [catalog.documents[0]?.name, ...inFolder(other), 'receipt.jpg'];
    expect(created.map(({ filename }) => filename).sort()).toEqual([...names].sort());
    expect(created[0]?.filename).toBe(names[0]);
    expect(created.at(-1)?.filename).toBe('receipt.jpg');
    for (const one of created) {
      expect(attachmentSchema.safeParse(one).error).toBeUndefined();
      expect((await t.demo.get(`${list}/${one.id}`)).json).toEqual(one);
    }
  });

  it('decisions §6: the same id twice in one list is one; a document beside its own folder is asked for twice', async () => {
    const twice = await made({ documents: [document(), document()] });
    expect(twice.created).toHaveLength(1);
    const index = catalog.folders.findIndex(({ id }) => id === catalog.documents[0]?.folder_id);
    const both = await made({ documents: [document()], folders: [folder(index), folder(index)] });
    expect(both.created).toHaveLength(1 + inFolder(index).length);
  });

  it('decisions §6: unknown ids, another company’s ids and an unknown entry are a 422 on their name, nothing created (reference R-attachments-6, R-attachments-8)', async () => {
    const theirs = (await t.other.get('~/catalog')).json;
    const uuid = await send(random(100));
    const good = { documents: [document()], upload_uuids: [uuid] };
    const before = await total();
    for (const [body, field] of [
      [{ ...good, documents: [document(), 4711] }, `${BODY}.documents`],
      [{ ...good, documents: [theirs.documents[0].id] }, `${BODY}.documents`],
      [{ ...good, folders: [4711] }, `${BODY}.folders`],
      [{ ...good, folders: [theirs.folders[0].id] }, `${BODY}.folders`],
      [{ ...good, upload_uuids: [uuid, 'nobody-knows'] }, `${BODY}.upload_uuids`],
      [{ ...good, documents: ['1'] }, `${BODY}.documents.0`],
      [{ ...good, folders: 1 }, `${BODY}.folders`],
      [{ ...good, upload_uuids: [1] }, `${BODY}.upload_uuids.0`],
    ] as const) {
      const answer = await create(body);
      expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, [field]]);
    }
    for (const to of [4711, theirs.time_and_material_entries[0].id, 0, '1', null, undefined]) {
      const answer = await t.demo.post(list, { time_and_material_entry_id: to, [BODY]: good });
      expect([answer.status, Object.keys(answer.json.errors)]).toEqual([
        422,
        ['time_and_material_entry_id'],
      ]);
    }
    expect(await total()).toBe(before);
    // The upload is still free: no refusal has used it.
    expect((await made({ upload_uuids: [uuid] })).created).toHaveLength(1);
  });

  it('decisions §6: an empty body is a 422 on the object, and so is none (reference R-attachments-7)', async () => {
    for (const body of [
      {},
      { documents: [] },
      { documents: [], folders: null, upload_uuids: [] },
      undefined,
      null,
      [],
    ]) {
      const answer = await create(body);
      expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, [BODY]]);
    }
  });

  it('decisions §5.6, §5.7: an upload that is someone else’s, unfinished, expired or another record’s is a 422', async () => {
    const foreign = await send(random(10), 'x', t.other);
    const open = (await t.demo.post(uploads(t.demo), { response_filename: 'a' })).json as Upload;
    const taken = await send(random(10));
    await made({ upload_uuids: [taken] }, entry(1));
    const photo = await send(random(10));
    const near_miss = { incident_id: 1, upload_uuids: [photo] };
    expect((await t.demo.post('~/incidents/near_misses', { near_miss })).status).toBe(201);
    const before = await total();
    for (const uuid of [foreign, open.uuid, taken, photo]) {
      const answer = await create({ documents: [document()], upload_uuids: [uuid] });
      expect([answer.status, Object.keys(answer.json.errors)]).toEqual([
        422,
        [`${BODY}.upload_uuids`],
      ]);
    }
    expect(await total()).toBe(before);
  });

  it('decisions §5.7: an upload again with the same entry changes nothing and answers the attachment it became', async () => {
    const uuid = await send(random(10));
    const first = await made({ upload_uuids: [uuid] });
    const before = await total();
    const again = await made({ upload_uuids: [uuid] });
    expect(again.id).toBe(first.id);
    expect(again.created).toEqual([]);
    expect(await total()).toBe(before);
  });
});

describe('decisions §5.8, §6: bytes', () => {
  slow('decisions §5.8: an upload’s bytes are read back, with a real thumbnail', async () => {
    const jpeg = await sharp(random(600 * 400 * 3), {
      raw: { width: 600, height: 400, channels: 3 },
    })
      .jpeg()
      .toBuffer();
    const row = await made({ upload_uuids: [await send(jpeg, 'site.jpg')] });
    expect(row).toMatchObject({ filename: 'site.jpg', content_type: 'image/jpeg' });
    expect(sha256(await read(row.url))).toBe(sha256(jpeg));
    expect(sha256(await read(row.presentation_url))).toBe(sha256(jpeg));
    expect((await sharp(await read(row.thumbnail_url)).metadata()).width).toBe(480);
  });

  it('every document of the demo is a real file, in both companies, and stays when its attachment goes (reference R-attachments-2)', async () => {
    for (const { id, name } of catalog.documents) {
      const row = await made({ documents: [id] });
      expect(row).toMatchObject({ filename: name, content_type: 'application/pdf' });
      const bytes = await read(row.url);
      expect(bytes.subarray(0, 8).toString()).toBe('%PDF-1.4');
      expect(bytes.toString('latin1')).toContain(name.replace('.pdf', ''));
      // The cross-reference table at the end of a PDF has each object's offset.
      const text = bytes.toString('latin1');
      for (const [index, [, at]] of [...text.matchAll(/^(\d{10}) 00000 n /gm)].entries())
        expect(text.slice(Number(at))).toMatch(new RegExp(`^${index + 1} 0 obj`));
      await t.demo.delete(`${list}/${row.id}`);
      const next = await made({ documents: [id] });
      expect(next.attachment_id).toBe(row.attachment_id);
      expect(sha256(await read(next.url))).toBe(sha256(bytes));
    }
    const theirs = (await t.other.get('~/catalog')).json;
    const answer = await t.other.post(list, {
      time_and_material_entry_id: theirs.time_and_material_entries[0].id,
      [BODY]: { documents: [theirs.documents[0].id] },
    });
    expect((await read(answer.json.url)).subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('decisions §6: a document without a file is attached by its name, without addresses', async () => {
    const { read: db, write } = t.service.app.store;
    const row = await db
      .selectFrom('documents')
      .selectAll()
      .where('id', '=', document())
      .executeTakeFirstOrThrow();
    const id = 70_001;
    await write((tx) =>
      tx
        .insertInto('documents')
        .values({ ...row, id, name: 'Paper only.pdf', stored_file_id: null })
        .execute(),
    );
    expect(await made({ documents: [id] })).toMatchObject({
      filename: 'Paper only.pdf',
      content_type: 'application/pdf',
      attachment_id: null,
      url: null,
      thumbnail_url: null,
      presentation_url: null,
    });
  });
});

describe('reference: list and show', () => {
  it('reference, Pagination; decisions §2: Per-Page, Total and Link, newest first (reference R-attachments-5)', async () => {
    t.clock.advance(1000);
    const { created } = await made({ folders: catalog.folders.map(({ id }) => id) });
    const newest = created.map(({ id }) => id).reverse();
    const page = await t.demo.get(`${list}?per_page=3`);
    expect(page.json.map(({ id }: Attachment) => id)).toEqual(newest.slice(0, 3));
    expect(page.headers.get('per-page')).toBe('3');
    expect(page.headers.get('total')).toBe(String(await total()));
    expect(page.headers.get('link')).toMatch(/page=2>; rel="next", .*rel="last"/);
    expect((await t.demo.get(`${list}?page=0`)).status).toBe(422);
    expect((await t.demo.get(`${list}?page=1000`)).json).toEqual([]);
  });

  it('decisions §1.1, §1.2: what is not there, and what is no id, is a 404', async () => {
    for (const id of ['4711', '0', 'abc'])
      expect((await t.demo.get(`${list}/${id}`)).status).toBe(404);
    expect((await t.demo.delete(`${list}/4711`)).status).toBe(404);
  });
});

describe('decisions §1.4, §6: delete', () => {
  it('decisions §1.4: delete answers 200 with the record; an upload’s bytes go with it', async () => {
    const uuid = await send(random(100));
    const { created: _, ...row } = await made({ upload_uuids: [uuid] });
    const answer = await t.demo.delete(`${list}/${row.id}`);
    expect([answer.status, answer.json]).toEqual([200, row]);
    expect((await t.demo.get(`${list}/${row.id}`)).status).toBe(404);
    expect((await t.demo.delete(`${list}/${row.id}`)).status).toBe(404);
    expect((await fetch(row.url)).status).toBe(410);
    expect((await t.demo.get(`${uploads(t.demo)}/${uuid}`)).status).toBe(410);
    expect((await create({ upload_uuids: [uuid] })).status).toBe(422);
  });

  it('decisions §1.7: ETag on show; another value in If-Match is a 412 and deletes nothing', async () => {
    const { id } = await made({ documents: [document()] });
    const etag = (await t.demo.get(`${list}/${id}`)).headers.get('etag') ?? '';
    expect(etag).not.toBe('');
    expect((await t.demo.delete(`${list}/${id}`, { 'if-match': '"stale"' })).status).toBe(412);
    expect((await t.demo.delete(`${list}/${id}`, { 'if-match': etag })).status).toBe(200);
  });

  it('reference: bulk_destroy answers what it deleted, in the order asked for, each once (reference R-attachments-13)', async () => {
    const { created } = await made({ folders: [folder()], upload_uuids: [await send(random(9))] });
    const ids = created.map(({ id }) => id).reverse();
    const answer = await bulkDestroy([...ids, ids[0]]);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual([...created].reverse());
    for (const id of ids) expect((await t.demo.get(`${list}/${id}`)).status).toBe(404);
    expect((await bulkDestroy([])).json).toEqual([]);
  });

  it('decisions §6: bulk_destroy with an unknown id is a 422, nothing deleted (reference R-attachments-12)', async () => {
    const { id } = await made({ documents: [document()] });
    const answer = await bulkDestroy([id, 4711]);
    const field = `${BODY}.time_and_material_entry_attachment_ids`;
    expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, [field]]);
    expect((await t.demo.get(`${list}/${id}`)).status).toBe(200);
    for (const bad of ['1', 0, null])
      expect((await bulkDestroy([id, bad])).json.errors).toHaveProperty([`${field}.1`]);
    expect((await bulkDestroy('x')).json.errors).toHaveProperty([field]);
    expect((await t.demo.ask('DELETE', `${list}/bulk_destroy`)).json.errors).toHaveProperty([BODY]);
    expect((await t.demo.get(`${list}/${id}`)).status).toBe(200);
  });
});

describe('decisions §1.3, §1.5, §9.4: what every resource keeps', () => {
  it('failures S22: other fields of a body are ignored and never stored', async () => {
    const row = await made({
      documents: [document()],
      id: 4711,
      attachment_id: 1,
      filename: 'mine.exe',
      content_type: 'text/html',
      url: 'https://evil.example',
      company_id: t.other.company_id,
    });
    expect(row.id).not.toBe(4711);
    expect(row).toMatchObject({
      filename: catalog.documents[0]?.name,
      content_type: 'application/pdf',
    });
    expect(row.url.startsWith(t.url)).toBe(true);
  });

  it('decisions §1.5: the same key creates and destroys once', async () => {
    const before = await total();
    const key = { 'idempotency-key': 'attachment' };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => create({ documents: [document()] }, entry(), key)),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await total()).toBe(before + 1);
    const path = `${list}/${answers[0]?.json.id}`;
    const gone = await t.demo.delete(path, key);
    expect((await t.demo.delete(path, key)).text).toBe(gone.text);
  });

  it('decisions §9.3, §9.4: one event of Time And Material Entry Attachments for each that comes or goes', async () => {
    const events = await eventsSince(t, 'Time And Material Entry Attachments');
    const { created } = await made({ documents: [document(), document(1)] });
    await create({ documents: [document(), 4711] });
    const [a = 0, b = 0] = created.map(({ id }) => id);
    await t.demo.delete(`${list}/${a}`);
    await bulkDestroy([b]);
    expect(await events()).toEqual([`create ${a}`, `create ${b}`, `delete ${a}`, `delete ${b}`]);
  });
});
