/** Owner, expiry after a week, association and deletion (decisions §5.6, §5.7; failures S25). */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Upload } from '../../../src/contract/rest/uploads.ts';
import { Refusal } from '../../../src/service/domain/problem.ts';
import {
  cut,
  DAY,
  HOUR,
  KIB,
  md5,
  post,
  put,
  random,
  sha256,
  startFixture,
  store,
  type Fixture,
} from './support.ts';

const WEEK = 7 * DAY;

const whole = async (fixture: Fixture, bytes: Uint8Array = random(1000)): Promise<Upload> => {
  const upload = await fixture.create({ response_filename: 'a.jpg' });
  expect((await post(upload, bytes)).status).toBe(204);
  return upload;
};

/** The 422 with which an association is refused. */
const refusal = async (work: Promise<unknown>): Promise<Refusal> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Refusal)) throw new Error(`not refused: ${String(error)}`);
  expect(error.status).toBe(422);
  expect(Object.keys(error.errors)).toEqual(['near_miss.upload_uuids']);
  return error;
};

describe('owner', () => {
  it('decisions §5.6: to a colleague and to a stranger the upload does not exist (reference R-uploads-19)', async () => {
    const fixture = await startFixture();
    const upload = await whole(fixture);
    const missing = await fixture.show('00000000-0000-4000-8000-000000000000');
    expect(missing.status).toBe(404);
    for (const other of [fixture.colleague, fixture.stranger]) {
      const shown = await fixture.show(upload.uuid, other);
      expect([shown.status, shown.text]).toEqual([404, missing.text]);
      const completed = await fixture.complete(upload.uuid, ['a'.repeat(32)], other);
      expect([completed.status, completed.text]).toEqual([404, missing.text]);
      await refusal(fixture.associate([upload.uuid], 1, other));
    }
    expect((await fixture.show(upload.uuid)).status).toBe(200);
  });

  it.each(['x', '..%2f..%2fetc', `${'a'.repeat(199)}`, '%00'])(
    'decisions §5.6: the uuid %s is a 404 (reference R-uploads-17)',
    async (uuid) => {
      const fixture = await startFixture();
      expect((await fixture.show(uuid)).status).toBe(404);
    },
  );
});

describe('one week', () => {
  it('decisions §5.6: without association bytes and upload are deleted; GET and PATCH answer 410 (reference R-uploads-23)', async () => {
    const fixture = await startFixture();
    const complete = await whole(fixture);
    const parts = cut(random(300 * KIB), 256 * KIB);
    const begun = await fixture.create({ response_filename: 'b.jpg', segments: parts.pieces });
    await put(begun, 0, parts[0] ?? Buffer.of());
    fixture.advance(WEEK - 1);
    await fixture.service.app.uploads.sweep();
    expect((await fixture.show(complete.uuid)).status).toBe(200);
    fixture.advance(1);
    expect((await fixture.show(complete.uuid)).status).toBe(410); // before any sweep
    expect(await fixture.service.app.uploads.sweep()).toBe(2);
    expect(fixture.files()).toEqual({});
    for (const { uuid } of [complete, begun]) {
      expect((await fixture.show(uuid)).status).toBe(410);
      expect((await fixture.complete(uuid, ['a'.repeat(32)])).status).toBe(410);
      await refusal(fixture.associate([uuid], 1));
    }
    expect((await fixture.show(complete.uuid, fixture.colleague)).status).toBe(404);
    expect((await put(begun, 1, parts[1] ?? Buffer.of())).status).toBe(403);
    expect((await post(complete, random(10))).status).toBe(410);
  });

  it('decisions §5.6: an associated upload outlives the week (reference R-uploads-22)', async () => {
    const fixture = await startFixture();
    const bytes = random(2000);
    const id = await store(fixture, bytes, { response_filename: 'a.jpg' });
    fixture.advance(10 * WEEK);
    expect(await fixture.service.app.uploads.sweep()).toBe(0);
    const back = await fetch(fixture.addresses(id).url);
    expect(sha256(new Uint8Array(await back.arrayBuffer()))).toBe(sha256(bytes));
  });

  it('decisions §10: --upload-association-window moves the week, and the sweeper runs by itself', async () => {
    const options = { 'upload-association-window': 2 * HOUR, 'upload-sweep-interval': 20 };
    const fixture = await startFixture({ options });
    const upload = await whole(fixture);
    fixture.advance(2 * HOUR);
    await expect.poll(() => fixture.files()).toEqual({});
    expect((await fixture.show(upload.uuid)).status).toBe(410);
  });

  it('failures S25: what expired does not revive when the clock goes back, over a restart too', async () => {
    const fixture = await startFixture();
    const upload = await whole(fixture);
    fixture.advance(WEEK);
    expect((await fixture.show(upload.uuid)).status).toBe(410);
    fixture.advance(-WEEK);
    expect((await fixture.show(upload.uuid)).status).toBe(410);
    fixture.advance(WEEK);
    await fixture.service.app.uploads.sweep();
    fixture.advance(-WEEK);
    const again = await fixture.restart();
    expect((await again.show(upload.uuid)).status).toBe(410);
    await refusal(again.associate([upload.uuid], 1));
  });

  it('failures S25: a post window that ended unnoticed stays closed when the clock goes back over a restart', async () => {
    const fixture = await startFixture();
    const upload = await fixture.create({ response_filename: 'a.jpg' });
    fixture.advance(2 * HOUR);
    await fixture.service.app.uploads.sweep();
    fixture.advance(-2 * HOUR);
    const again = await fixture.restart();
    const url = new URL(new URL(upload.url ?? '').pathname, again.url).href;
    expect((await post({ ...upload, url }, random(10))).status).toBe(403);
  });
});

describe('association', () => {
  it('decisions §5.7: once; again with the same record nothing changes; with another it is a 422', async () => {
    const fixture = await startFixture();
    const upload = await whole(fixture);
    expect(await fixture.associate([upload.uuid], 1)).toHaveLength(1);
    expect((await fixture.show(upload.uuid)).json).toMatchObject({ status: 'associated' });
    expect(await fixture.associate([upload.uuid, upload.uuid], 1)).toEqual([]);
    const said = await refusal(fixture.associate([upload.uuid], 2));
    expect(JSON.stringify(said.errors)).toContain('another record');
  });

  it('decisions §5.7: an upload that is not complete is a 422, and none of the request is taken', async () => {
    const fixture = await startFixture();
    const complete = await whole(fixture);
    const parts = cut(random(300 * KIB), 256 * KIB);
    const begun = await fixture.create({ response_filename: 'b.jpg', segments: parts.pieces });
    for (const [index, part] of parts.entries()) await put(begun, index, part);
    await refusal(fixture.associate([complete.uuid, begun.uuid], 1));
    expect((await fixture.show(complete.uuid)).json).toMatchObject({ status: 'complete' });
    await fixture.complete(begun.uuid, parts.map(md5));
    expect(await fixture.associate([complete.uuid, begun.uuid], 1)).toHaveLength(2);
  });

  it('decisions §5.7: of two records at once exactly one gets the upload', async () => {
    const fixture = await startFixture();
    const upload = await whole(fixture);
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map((record) => fixture.associate([upload.uuid], record)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('decisions §3.7: an attachment that its record let go is deleted by the sweeper', async () => {
    const fixture = await startFixture();
    const id = await store(fixture, random(1000), { response_filename: 'a.jpg' });
    const { uploads, store: database } = fixture.service.app;
    const { url } = fixture.addresses(id);
    const row = await database.read
      .selectFrom('uploads')
      .selectAll()
      .where('stored_file_id', '=', id)
      .executeTakeFirstOrThrow();
    const let_go = { company_id: row.company_id, upload_uuid: row.uuid };
    await database.write((tx) => uploads.release(tx, let_go));
    expect((await fetch(url)).status).toBe(410);
    expect((await fixture.show(row.uuid)).status).toBe(410);
    expect(await uploads.sweep()).toBe(1);
    expect(fixture.files()).toEqual({});
  });
});

describe('start', () => {
  it('failures S4: what a killed request left behind is removed, what was received stays', async () => {
    const fixture = await startFixture();
    const complete = await whole(fixture);
    const open = await fixture.create({ response_filename: 'b.jpg' });
    const kept = fixture.files();
    await fixture.service.stop();
    // A temporary file, and a form's file whose row was never written.
    writeFileSync(join(fixture.folder, 'files/tmp/0b7c0a9e-left-over'), 'x');
    const shard = join(fixture.folder, 'files/parts', open.uuid.slice(0, 2));
    mkdirSync(shard, { recursive: true });
    writeFileSync(join(shard, `${open.uuid}.form-11111111`), 'x');
    expect(Object.keys(fixture.files())).toHaveLength(3);
    const again = await fixture.restart();
    expect(again.files()).toEqual(kept);
    expect((await again.show(complete.uuid)).json).toMatchObject({ status: 'complete' });
    expect((await again.show(open.uuid)).json).toMatchObject({ status: 'ready' });
  });
});
