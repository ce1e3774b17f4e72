/** Markup on a photo of a saved record that is still pending: the queue sends the rendition, or says that it is too late. */
import { Dexie } from 'dexie';
import { expect, it } from 'vitest';
import { ulid } from 'ulid';
import { pausePhotos } from '../../../../src/renderer/outbox/queue/upload-policy.ts';
import { photoSendSchema } from '../../../../src/renderer/operations/photo.ts';
import type { StartedWindow } from '../../../../src/renderer/outbox/start.ts';
import { replaceable } from '../../../../src/renderer/data/near-misses/photo-replace.ts';
import type { Edits } from '../../../../src/renderer/photos/markup/model.ts';
import { markUp, sourceBlob } from '../../../../src/renderer/photos/rendition.ts';
import { make } from '../../../support/renderer-photos.ts';
import { capture, host, until, windowPerTest, windows } from '../../../support/renderer-window.ts';
import { slow } from '../../../support/slow.ts';

windowPerTest();

const blurred: Edits = {
  version: 1,
  max_side: null,
  shapes: [{ kind: 'blur', id: ulid(), box: { x: 0.2, y: 0.2, width: 0.5, height: 0.5 } }],
};
const how = { keep_place: false };

const photoOf = async (window: StartedWindow, key: string) => {
  const [photo] = await window.db.photos.where('near_miss_key').equals(key).toArray();
  if (photo === undefined) throw new Error('no photo');
  return photo;
};
const sendOf = async (window: StartedWindow, key: string) => {
  const lane = await window.db.operations.where('lane').equals(key).sortBy('seq');
  const operation = lane.find(({ kind }) => kind === 'photo.send');
  if (operation === undefined) throw new Error('nothing waits');
  return operation;
};
const waitingPhoto = async () => {
  host.up = false;
  const window = await windows.start(host);
  const file = await make({ format: 'jpeg', width: 640, height: 480, noise: true });
  const key = await capture(window, 'Waits', [new Uint8Array(await file.arrayBuffer())]);
  await until('the preview', async () => (await photoOf(window, key)).thumbnail !== null);
  return { window, key, photo: await photoOf(window, key) };
};

slow(
  'outbox promise 5: what waits is replaced in its place, the journal knows, and only the marked photo is ever sent',
  async () => {
    const { window, key, photo } = await waitingPhoto();
    const before = await sendOf(window, key);
    await pausePhotos(window, [before.id]);
    expect(await replaceable(window, photo)).toBe(true);
    const made = await markUp(window, photo, blurred, how);
    if (!made.ok) throw new Error(JSON.stringify(made.problem));
    const after = await sendOf(window, key);
    expect(after).toMatchObject({ seq: before.seq, attempts: 0, photo_pace: 'paused' });
    expect(after.id).not.toBe(before.id);
    const payload = photoSendSchema.parse(after.payload);
    expect(payload.photo).toMatchObject({
      photo_id: made.value.photo_id,
      original: { photo_id: photo.photo_id },
      edits: blurred,
    });
    expect(payload.associate_key).not.toBe(photoSendSchema.parse(before.payload).associate_key);
    await until('the journal', () => host.journal.has(after.id) && !host.journal.has(before.id));
    // A second markup starts from the original, which nothing replaces.
    const again = await markUp(window, made.value, { ...blurred, max_side: 320 }, how);
    if (!again.ok) throw new Error(JSON.stringify(again.problem));
    expect(again.value.original?.photo_id).toBe(photo.photo_id);
    expect([...host.spool.keys()].sort()).toEqual([photo.photo_id, again.value.photo_id].sort());

    const last = await sendOf(window, key);
    await window.db.operations.update(last.id, { photo_pace: 'now' });
    host.up = true;
    window.engine.wake();
    await until('delivered', async () => (await photoOf(window, key)).state === 'delivered');
    expect([...host.uploads.values()].map(({ photo_id }) => photo_id)).toEqual([
      again.value.photo_id,
    ]);
  },
);

it('outbox promise 5: once its sending has begun it is too late: nothing changes, and nothing is left behind', async () => {
  const { window, key, photo } = await waitingPhoto();
  const operation = await sendOf(window, key);
  await window.db.operations.update(operation.id, {
    attempts: 1,
    checkpoint: { step: 'attaching' },
  });
  expect(await replaceable(window, photo)).toBe(false);
  const made = await markUp(window, photo, blurred, how);
  expect(made).toMatchObject({ ok: false, problem: { kind: 'conflict' } });
  expect((await sendOf(window, key)).id).toBe(operation.id);
  expect(await photoOf(window, key)).toEqual(photo);
  expect([...host.spool.keys()]).toEqual([photo.photo_id]);
});

slow(
  'failures A19: after the database is lost the marks are known again, and what they hid stays hidden',
  async () => {
    const { window, key, photo } = await waitingPhoto();
    const made = await markUp(window, photo, blurred, how);
    if (!made.ok) throw new Error(JSON.stringify(made.problem));
    await window.stop();
    await Dexie.delete(windows.db_name);
    const fresh = await windows.start(host);
    const back = await photoOf(fresh, key);
    expect(back).toMatchObject({ photo_id: made.value.photo_id, edits: blurred });
    // A file of another laptop may have the rendition without its edits, so markup starts from the rendition.
    const { edits: _lost, ...bare } = back;
    const source = await sourceBlob(fresh, bare);
    expect(source.ok && source.value.size).toBe(made.value.size);
    // Nobody knows how far the photo had got, so the queue refuses, and nothing is lost.
    expect(await markUp(fresh, back, blurred, how)).toMatchObject({
      ok: false,
      problem: { kind: 'conflict' },
    });
    expect([...host.spool.keys()].sort()).toEqual([photo.photo_id, back.photo_id].sort());
  },
);
