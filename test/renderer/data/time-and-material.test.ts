/** Files of time-and-material entries through the queue: attached, deleted and bulk deleted, once each, under every fault. */
import { expect, it } from 'vitest';
import {
  listAttachments,
  filesFetched,
  refreshAttachments,
} from '../../../src/renderer/data/company/time-and-material.ts';
import {
  attachDocuments,
  attachFiles,
  type AttachTarget,
} from '../../../src/renderer/data/company/tm-attach.ts';
import { removeAttachments } from '../../../src/renderer/data/company/tm-removal.ts';
import { tmAttachmentCreateSchema } from '../../../src/renderer/operations/company/entry-file.ts';
import { pausePhotos, sendPhotosNow } from '../../../src/renderer/outbox/queue/upload-policy.ts';
import { exportItems } from '../../../src/renderer/outbox/transfer/export.ts';
import { importItems, offerImport } from '../../../src/renderer/outbox/transfer/import.ts';
import {
  queueCounts,
  queueItems,
  retryNow,
  cancelOperation,
} from '../../../src/renderer/outbox/queue/queue.ts';
import type { StartedWindow } from '../../../src/renderer/outbox/start.ts';
import { ACCOUNT, ScriptedHost, to } from '../../support/renderer-host.ts';
import { make } from '../../support/renderer-photos.ts';
import {
  capture,
  drained,
  host,
  owner,
  photoBytes,
  until,
  windowPerTest,
  windows,
} from '../../support/renderer-window.ts';
import { files } from '../../../src/renderer/words/en/files.ts';
import { slow } from '../../support/slow.ts';

windowPerTest();

const ENTRY = 7;
const target: AttachTarget = { ...owner, time_and_material_entry_id: ENTRY };
const asTheyAre = { privacy: false, max_side: null };
const file = (name: string, size: number, seed: number) => new File([photoBytes(size, seed)], name);
const attach = async (window: StartedWindow, files: readonly File[], at = target) => {
  const done = await attachFiles(window, at, files, asTheyAre);
  for (const one of done) if (!one.ok) throw new Error(JSON.stringify(one.refusal));
};
const shown = async (window: StartedWindow, entry: number | null = ENTRY) =>
  (await listAttachments(window, owner, entry)).map(({ row }) => [row.filename, row.state]);
const CREATE = 'time_and_material_entry_attachments.create';
const DELETE = 'time_and_material_entry_attachments.delete';
const BULK = 'time_and_material_entry_attachments.bulk_destroy';
const keys = async (window: StartedWindow) =>
  (await listAttachments(window, owner, ENTRY)).map(({ row }) => row.key);

it('two files attached offline are shown at once, survive a restart, and are delivered once with a receipt', async () => {
  host.up = false;
  const first = await windows.start(host);
  await attach(first, [file('note.pdf', 500, 1), file('photo.jpg', 700, 2)]);
  expect(await shown(first)).toEqual([
    ['photo.jpg', 'waiting'],
    ['note.pdf', 'waiting'],
  ]);
  const [item] = await queueItems(first, ACCOUNT);
  expect(item).toMatchObject({ tm_entry: { id: ENTRY }, project_id: 10, bytes: 1200 });
  expect(await queueCounts(first, ACCOUNT)).toMatchObject({ records: 1, photos: 2, bytes: 1200 });
  await first.stop();
  host.up = true;
  const window = await windows.start(host);
  await drained(window, host);
  expect([...host.entry_files.values()].map((one) => one.filename)).toEqual([
    'note.pdf',
    'photo.jpg',
  ]);
  const rows = await listAttachments(window, owner, ENTRY);
  expect(rows.map(({ row }) => row.receipt?.sha256)).toEqual(rows.map(({ row }) => row.sha256));
  await refreshAttachments(window, owner);
  expect(await shown(window)).toEqual([
    ['photo.jpg', 'delivered'],
    ['note.pdf', 'delivered'],
  ]);
});

it('failures A18: without the database the journal brings the files back, and they are delivered once', async () => {
  host.up = false;
  const first = await windows.start(host);
  await attach(first, [file('note.pdf', 500, 1)]);
  await first.stop();
  const window = await windows.start(host, `${windows.db_name}-anew`);
  expect(await shown(window)).toEqual([['note.pdf', 'waiting']]);
  host.up = true;
  window.engine.wake();
  await drained(window, host);
  expect(host.entry_files.size).toBe(1);
});

for (const idempotent of [true, false])
  it(`exactly once: the answer of the create is lost, the server ${idempotent ? 'keeps' : 'keeps no'} keys`, async () => {
    host.service.idempotent = idempotent;
    host.service.hasCatalog = idempotent;
    const window = await windows.start(host);
    host.faults = [
      { at: 'after', on: to(CREATE), problem: { kind: 'offline', reason: 'reset', detail: '' } },
    ];
    await attach(window, [file('note.pdf', 500, 1)]);
    await drained(window, host);
    expect(host.entry_files.size).toBe(1);
    expect(await shown(window)).toEqual([['note.pdf', 'delivered']]);
  });

it('the same bytes on one entry are attached once; on another entry they are another attachment', async () => {
  host.up = false;
  const window = await windows.start(host);
  await attach(window, [file('a.jpg', 300, 1)]);
  const again = await attachFiles(window, target, [file('b.jpg', 300, 1)], asTheyAre);
  expect(again).toMatchObject([{ ok: false, refusal: { kind: 'duplicate' } }]);
  await attach(window, [file('a.jpg', 300, 1)], { ...target, time_and_material_entry_id: 8 });
  host.up = true;
  window.engine.wake();
  await drained(window, host);
  expect(host.entry_files.size).toBe(2);
});

it('decisions §6: documents and folders are attached in one request and become files of their own', async () => {
  const window = await windows.start(host);
  const chosen = { documents: [3, 4], folders: [9], name: 'Drawings' };
  expect((await attachDocuments(window, target, chosen)).ok).toBe(true);
  await drained(window, host);
  expect(host.of(CREATE)).toHaveLength(1);
  expect((await shown(window)).map(([name]) => name).sort()).toEqual([
    'document-3',
    'document-4',
    'in-folder-9',
  ]);
});

it('a file never sent leaves no trace when it is deleted; one on the server is deleted there, offline too', async () => {
  const window = await windows.start(host);
  await attach(window, [file('kept.pdf', 400, 1)]);
  await drained(window, host);
  host.up = false;
  window.engine.wake();
  const elsewhere = { ...target, time_and_material_entry_id: 8 };
  await attach(window, [file('other.pdf', 400, 3)], elsewhere);
  await until('the queue is held', async () => Boolean((await window.db.meta.get('hold'))?.value));
  await attach(window, [file('never.pdf', 400, 2)]);
  const [never = '', sent = ''] = await keys(window);
  expect(await removeAttachments(window, [never])).toMatchObject({ value: 'cancelled' });
  expect(host.spool.has(never)).toBe(false);
  expect(await removeAttachments(window, [sent])).toMatchObject({ value: 'queued' });
  expect(await shown(window)).toEqual([]);
  host.up = true;
  window.engine.wake();
  await drained(window, host);
  expect([...host.entry_files.values()].map((one) => one.filename)).toEqual(['other.pdf']);
  expect(host.of(DELETE)).toHaveLength(1);
  expect([...host.spool.values()].map((one) => one.filename)).toEqual(['other.pdf']);
  expect(await window.db.tm_attachments.count()).toBe(1);
});

it('a file deleted while it is being sent is gone in the end, here and there', async () => {
  const window = await windows.start(host);
  host.faults = [
    { at: 'after', on: to(CREATE), problem: { kind: 'offline', reason: 'reset', detail: '' } },
  ];
  await attach(window, [file('note.pdf', 500, 1)]);
  await until('the create was tried', () => host.of(CREATE).length > 0);
  const [key = ''] = await keys(window);
  expect((await removeAttachments(window, [key])).ok).toBe(true);
  await drained(window, host);
  expect(host.entry_files.size).toBe(0);
  expect(await shown(window)).toEqual([]);
});

it('decisions §6: many go in one request; where one of them is gone already, the rest go one by one', async () => {
  const window = await windows.start(host);
  await attach(window, [file('1.pdf', 100, 1), file('2.pdf', 100, 2), file('3.pdf', 100, 3)]);
  await drained(window, host);
  const [, two] = [...host.entry_files.keys()];
  host.entry_files.delete(two ?? 0);
  expect(await removeAttachments(window, await keys(window))).toMatchObject({ value: 'queued' });
  expect(await shown(window)).toEqual([]);
  await drained(window, host);
  expect(host.of(BULK)).toHaveLength(1);
  expect(host.entry_files.size).toBe(0);
  expect(await window.db.tm_attachments.count()).toBe(0);
});

it('what the server refuses needs the user, is sent again by hand, and can be taken back with its bytes', async () => {
  const window = await windows.start(host);
  await attach(window, [file('note.pdf', 500, 1)], { ...target, time_and_material_entry_id: 666 });
  const parked = async () => (await queueItems(window, ACCOUNT))[0];
  await until('it is parked', async () => (await parked())?.state === 'parked');
  const id = (await parked())?.operations[0]?.id ?? '';
  await retryNow(window, [id]);
  window.engine.wake();
  await until('it was tried again', () => host.of(CREATE).length >= 2);
  await until('it is parked again', async () => (await parked())?.state === 'parked');
  expect((await cancelOperation(window, id)).ok).toBe(true);
  expect(await window.db.tm_attachments.count()).toBe(0);
  expect(host.spool.size).toBe(0);
});

slow('a file that was made smaller takes its original along when it is taken back', async () => {
  const window = await windows.start(host);
  await window.engine.stop();
  const jpeg = await make({ format: 'jpeg', width: 900, height: 600, noise: true });
  await attachFiles(window, target, [jpeg], { privacy: true, max_side: 300 });
  expect(host.spool.size).toBe(2);
  const [entry] = await window.db.operations.toArray();
  expect((await cancelOperation(window, entry?.id ?? '')).ok).toBe(true);
  expect(host.spool.size).toBe(0);
});

it('somebody else’s files come with a refresh, and go with one', async () => {
  const window = await windows.start(host);
  host.up = false;
  await refreshAttachments(window, owner);
  expect(await filesFetched(window, owner)).toBe(false);
  host.up = true;
  host.entry_files.set(900, {
    id: 900,
    filename: 'theirs.pdf',
    time_and_material_entry_id: ENTRY,
    upload_uuid: null,
    sha256: null,
  });
  host.entry_files.set(901, {
    id: 901,
    filename: 'of-an-unknown-entry.pdf',
    upload_uuid: null,
    sha256: null,
  });
  await refreshAttachments(window, owner);
  expect(await shown(window)).toEqual([['theirs.pdf', 'delivered']]);
  expect(await shown(window, null)).toHaveLength(2);
  host.entry_files.clear();
  await refreshAttachments(window, owner);
  expect(await shown(window, null)).toEqual([]);
  expect(await filesFetched(window, owner)).toBe(true);
});

slow(
  'an export takes waiting files along, and they are delivered once from the other laptop',
  async () => {
    host.up = false;
    const first = await windows.start(host);
    await attach(first, [file('note.pdf', 5000, 1)]);
    const zip = await (await exportItems(first, ACCOUNT, files)).response.blob();
    await first.stop();
    const other = new ScriptedHost(host);
    other.up = false;
    const window = await windows.start(other, `${windows.db_name}-other`);
    const offer = await offerImport(zip, owner);
    if (!offer.ok) throw new Error(JSON.stringify(offer.problem));
    expect(offer.value).toMatchObject({ records: 1, photos: 1, bytes: 5000 });
    for (const round of [1, 0]) {
      const done = await importItems(window, offer.value, ACCOUNT);
      expect(done).toMatchObject({ ok: true, value: { records: round, photos: round } });
    }
    expect(await shown(window)).toEqual([['note.pdf', 'waiting']]);
    other.up = true;
    window.engine.wake();
    await drained(window, other);
    expect([...host.entry_files.values()].map((one) => one.filename)).toEqual(['note.pdf']);
  },
);

slow(
  'attached smaller where that is set, the original stays until then; several go at once; none while photos wait',
  async () => {
    host.up = false;
    const window = await windows.start(host);
    const jpegs = await Promise.all(
      [1, 2, 3].map((seed) =>
        make({ format: 'jpeg', width: 900 + seed, height: 600, noise: true }),
      ),
    );
    const done = await attachFiles(window, target, jpegs, { privacy: true, max_side: 300 });
    expect(done.map(({ ok }) => ok)).toEqual([true, true, true]);
    const entries = await window.db.operations.orderBy('id').toArray();
    const payloads = entries.map(({ payload }) => tmAttachmentCreateSchema.parse(payload));
    for (const [at, { photo, original, attachment_key }] of payloads.entries()) {
      expect(photo?.photo_id).toBe(attachment_key);
      expect(original?.size).toBe(jpegs[at]?.size);
      expect(photo?.size).toBeLessThan(original?.size ?? 0);
      expect(host.spool.has(original?.photo_id ?? '')).toBe(true);
    }
    // One attachment is cancelled before its first attempt: neither of its files stays.
    const first = payloads[2];
    await removeAttachments(window, [first?.attachment_key ?? '']);
    expect(host.spool.has(first?.attachment_key ?? '')).toBe(false);
    expect(host.spool.has(first?.original?.photo_id ?? '')).toBe(false);

    await pausePhotos(window, { account: ACCOUNT });
    host.up = true;
    window.engine.wake();
    const key = await capture(window, 'The text goes');
    await until(
      'the text is there',
      async () => (await window.db.near_misses.get(key))?.server_id !== null,
    );
    expect(host.uploads.size).toBe(0);
    await sendPhotosNow(window, { account: ACCOUNT });
    window.engine.wake();
    await drained(window, host);
    expect(host.entry_files.size).toBe(2);
    const verified = host.of('photos.deliver').map(({ input }) => input['original']);
    expect(verified).toEqual(expect.arrayContaining([payloads[1]?.original?.photo_id]));
  },
);

it('queued in the order given, whichever is on disk first; one that is stopped leaves nothing behind, the others go on', async () => {
  host.up = false;
  const window = await windows.start(host);
  const stop = new AbortController();
  const ids: string[] = [];
  const given = [
    file('long.mov', 3_000_000, 1),
    file('stopped.pdf', 4000, 2),
    file('note.pdf', 10, 3),
  ];
  const done = await attachFiles(window, target, given, {
    ...asTheyAre,
    onProgress: ({ photo_id, filename, step }) => {
      if (filename === 'stopped.pdf' && step === 'waiting') ids.push(photo_id);
    },
    signal: (photo_id) => {
      if (ids.includes(photo_id)) stop.abort();
      return ids.includes(photo_id) ? stop.signal : new AbortController().signal;
    },
  });
  expect(done.map((one) => (one.ok ? 'attached' : one.refusal.kind))).toEqual([
    'attached',
    'cancelled',
    'attached',
  ]);
  const entries = await window.db.operations.orderBy('id').toArray();
  expect(
    entries.map(({ payload }) => tmAttachmentCreateSchema.parse(payload).photo?.filename),
  ).toEqual(['long.mov', 'note.pdf']);
  expect([...host.spool.values()].map(({ bytes }) => bytes.length).sort()).toEqual([10, 3_000_000]);
});
