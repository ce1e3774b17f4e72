/** Events of uploads (decisions §9.3): created, completed, and deleted by a sweep (decisions §5.6). */
import { describe, expect, it } from 'vitest';
import type { Upload } from '../../../src/contract/rest/uploads.ts';
import type { TestService } from '../../support/service.ts';
import { endpoint, makeHook, sender, until, type Endpoint } from './support.ts';

const DAY = 86_400_000;

/** A service with sweeps run by the test, and an endpoint that receives every change of an upload. */
const start = async (): Promise<{ readonly t: TestService; readonly e: Endpoint }> => {
  const t = await sender({ 'upload-sweep-interval': DAY });
  const e = await endpoint();
  await makeHook(t.demo, e.url, {
    triggers: ['create', 'update', 'delete'].map((type) => ['Company Uploads', type] as const),
  });
  return { t, e };
};

const announce = async (t: TestService): Promise<Upload> => {
  const path = `/rest/v1.1/companies/${t.demo.company_id}/uploads`;
  const made = await t.demo.post(path, { response_filename: 'a.txt' });
  expect(made.status).toBe(201);
  return made.json as Upload;
};

const send = async (upload: Upload): Promise<void> => {
  const form = new FormData();
  for (const [name, value] of Object.entries(upload.fields ?? {})) form.set(name, value);
  form.set('file', new Blob(['bytes']));
  expect((await fetch(upload.url ?? '', { method: 'POST', body: form })).status).toBe(204);
};

const told = async (e: Endpoint, count: number) => {
  await until(() => e.received.length >= count, `${count} notifications`);
  return e.received.map(({ body }) => [body.event_type, body.resource_id, body.project_id]);
};

const deletions = (t: TestService) =>
  t.database.query(
    `select resource_uuid, user_id from events where event_type = 'delete' and resource_name = 'Company Uploads' order by id`,
  );

describe('decisions §9.3: Company Uploads', () => {
  it('decisions §9.3: created, and updated when the bytes are in, by uuid', async () => {
    const { t, e } = await start();
    const upload = await announce(t);
    await send(upload);
    expect(await told(e, 2)).toEqual([
      ['create', upload.uuid, null],
      ['update', upload.uuid, null],
    ]);
  });

  it('decisions §5.6, §9.3, §9.4: deleted when its week is over, once however often it is swept; one in use is not', async () => {
    const { t, e } = await start();
    const used = await announce(t);
    await send(used);
    const near_miss = { incident_id: 1, upload_uuids: [used.uuid] };
    expect((await t.demo.post('~/incidents/near_misses', { near_miss })).status).toBe(201);
    const forgotten = await announce(t);
    t.clock.advance(7 * DAY);
    const { uploads } = t.service.app;
    const swept = await Promise.all([uploads.sweep(), uploads.sweep(), uploads.sweep()]);
    expect(swept.reduce((sum, one) => sum + one, 0)).toBe(1);
    expect((await told(e, 4)).at(-1)).toEqual(['delete', forgotten.uuid, null]);
    await t.restart();
    await t.service.app.uploads.sweep();
    expect(await deletions(t)).toEqual([{ resource_uuid: forgotten.uuid, user_id: 1 }]);
  });

  it('decisions §3.7, §9.3: deleted when its record has let it go and its bytes are gone', async () => {
    const { t, e } = await start();
    const upload = await announce(t);
    await send(upload);
    const near_miss = { incident_id: 1, upload_uuids: [upload.uuid] };
    const made = await t.demo.post('~/incidents/near_misses', { near_miss });
    const [photo] = made.json.attachments as { id: number }[];
    const path = `~/incidents/near_misses/${made.json.id}/attachments/${photo?.id ?? 0}`;
    expect((await t.demo.delete(path)).status).toBe(204);
    expect(await deletions(t)).toEqual([]);
    expect(await t.service.app.uploads.sweep()).toBe(1);
    expect((await told(e, 3)).at(-1)).toEqual(['delete', upload.uuid, null]);
  });

  it('decisions §9.4: the event and the row that says the upload is gone are one transaction', async () => {
    const { t } = await start();
    const upload = await announce(t);
    t.clock.advance(7 * DAY);
    // Without its table the event cannot be written. The upload must not be deleted then, and the next sweep continues.
    await t.database.query('alter table events rename to events_away');
    await expect(t.service.app.uploads.sweep()).rejects.toThrow();
    const status = () =>
      t.database.query(`select status from uploads where uuid = '${upload.uuid}'`);
    expect(await status()).toEqual([{ status: 'deleting' }]);
    await t.database.query('alter table events_away rename to events');
    expect(await t.service.app.uploads.sweep()).toBe(1);
    expect(await status()).toEqual([{ status: 'deleted' }]);
    expect(await deletions(t)).toHaveLength(1);
  });
});
