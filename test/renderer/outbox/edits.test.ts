/** Editing and deleting while operations are pending or in flight (failures A26; outbox promise 5). Scripted host. */
import { describe, expect, it } from 'vitest';
import { ulid } from 'ulid';
import type { Problem } from '../../../src/contract/problem.ts';
import {
  getDraft,
  photosOfDraft,
  saveDraft,
  newDraft,
} from '../../../src/renderer/data/near-misses/drafts.ts';
import { listNearMisses } from '../../../src/renderer/data/index/near-miss-list.ts';
import {
  addPhotos,
  deleteNearMiss,
  editNearMiss,
  restoreNearMiss,
  saveNearMiss,
} from '../../../src/renderer/data/near-misses/near-misses.ts';
import { refreshNearMisses } from '../../../src/renderer/data/near-misses/refresh.ts';
import {
  park,
  queueCounts,
  queueItems,
  retryNow,
  cancelOperation,
} from '../../../src/renderer/outbox/queue/queue.ts';
import { conflictsOf, resolveConflict } from '../../../src/renderer/outbox/queue/resolve.ts';
import { takeIn } from '../../../src/renderer/photos/intake.ts';
import type { StartedWindow } from '../../../src/renderer/outbox/start.ts';
import { ACCOUNT, type Call, to } from '../../support/renderer-host.ts';
import {
  capture,
  drained,
  fieldsOf,
  host,
  owner,
  photoBytes,
  until,
  windowPerTest,
  windows,
} from '../../support/renderer-window.ts';
import { slow } from '../../support/slow.ts';

windowPerTest();

const held = async (): Promise<StartedWindow> => {
  host.up = false;
  return windows.start(host);
};
/** Saves without any attempt by the engine, as when the service was known to be unreachable. */
const untried = async (window: StartedWindow, text: string, photos = 0): Promise<string> => {
  const id = ulid();
  const files = Array.from({ length: photos }, (_, n) => new File([photoBytes(50, n)], `${n}.jpg`));
  await takeIn(window, { account: ACCOUNT, draft_id: id }, files);
  await window.engine.stop();
  const saved = await saveNearMiss(window, { id, ...owner, fields: fieldsOf(text) });
  expect(saved.ok).toBe(true);
  return id;
};

describe('edit and delete while an item waits or is being sent', () => {
  it('A26: an edit before the first send goes into the create, under a new key in the old place', async () => {
    const window = await held();
    const key = await untried(window, 'Befor', 1);
    const before = await window.db.operations.where('lane').equals(key).sortBy('seq');
    expect(await editNearMiss(window, key, { description: '<p>Before</p>' })).toMatchObject({
      ok: true,
    });
    const after = await window.db.operations.where('lane').equals(key).sortBy('seq');
    expect(after.map((operation) => operation.kind)).toEqual(['near_miss.create', 'photo.send']);
    expect(after[0]?.seq).toBe(before[0]?.seq);
    expect(after[0]?.id).not.toBe(before[0]?.id);
    expect([...host.journal.keys()].sort()).toEqual(after.map((operation) => operation.id).sort());
    host.up = true;
    await drained(await windows.start(host), host);
    const [record] = [...host.near_misses.values()];
    expect(host.near_misses.size).toBe(1);
    expect(record?.description).toBe('<p>Before</p>');
    expect(host.of('near_misses.update').length).toBe(1); // attaches the photo
  });

  it('A26: an edit while the create is being sent becomes a follow-up update, none lost, none doubled', async () => {
    const window = await windows.start(host);
    let edited: Promise<unknown> | null = null;
    const key = ulid();
    host.faults.push({
      at: 'before',
      problem: { kind: 'cancelled' },
      on: (call) => {
        if (call.endpoint === 'near_misses.create')
          edited ??= editNearMiss(window, key, { description: '<p>Second thought</p>' });
        return false;
      },
    });
    await saveNearMiss(window, { id: key, ...owner, fields: fieldsOf('First thought') });
    await until('edited', () => edited !== null);
    await edited;
    await drained(window, host);
    expect(host.near_misses.size).toBe(1);
    expect([...host.near_misses.values()][0]?.description).toBe('<p>Second thought</p>');
    expect((await window.db.near_misses.get(key))?.fields.description).toBe(
      '<p>Second thought</p>',
    );
  });

  it('A26: delete before the first send cancels the create and its photos; nothing is ever sent', async () => {
    const window = await held();
    const key = await untried(window, 'Never mind', 2);
    expect(await deleteNearMiss(window, key)).toEqual({ ok: true, value: 'cancelled' });
    expect(await window.db.near_misses.count()).toBe(0);
    expect(await window.db.photos.count()).toBe(0);
    expect(host.spool.size).toBe(0);
    expect(host.journal.size).toBe(0);
    host.up = true;
    await drained(await windows.start(host), host);
    expect(host.near_misses.size).toBe(0);
  });

  it('A26: delete after an attempt follows the create: one record, in the recycle bin', async () => {
    const lost: Problem = { kind: 'offline', reason: 'reset', detail: '' };
    host.faults.push({ at: 'after', on: to('near_misses.create'), problem: lost });
    const window = await windows.start(host);
    const key = await capture(window, 'Perhaps there');
    await until('tried', () => host.of('near_misses.create').length > 0);
    expect(await deleteNearMiss(window, key)).toEqual({ ok: true, value: 'queued' });
    const bin = { account: ACCOUNT, project_id: 10, bin: 1, offset: 0, limit: 5 } as const;
    expect((await listNearMisses(window, bin)).total).toBe(1);
    await drained(window, host);
    expect(host.near_misses.size).toBe(1);
    expect([...host.near_misses.values()][0]?.deleted_at).toBeTruthy();
    expect((await window.db.near_misses.get(key))?.bin).toBe(1);
  });

  it('A26: a delete does not overtake an edit that the server kept failing; photos and other records do not wait for it', async () => {
    const failing: Problem = {
      kind: 'server_error',
      status: 500,
      messages: [],
      retry_after_ms: null,
    };
    // Matches edits, not updates that attach a photo.
    const edits = (call: Call): boolean =>
      to('near_misses.update')(call) && !JSON.stringify(call.input).includes('upload_uuids');
    host.faults.push({ at: 'before', on: edits, problem: failing, times: 99 });
    const window = await windows.start(host);
    const key = await capture(window, 'First words');
    await drained(window, host);
    await editNearMiss(window, key, fieldsOf('Last words'));
    await until(
      'passed by',
      async () => (await window.db.operations.toArray())[0]?.consecutive_failures === 3,
    );
    const draft_id = ulid();
    await takeIn(window, { account: ACCOUNT, draft_id }, [new File([photoBytes(50, 7)], '7.jpg')]);
    await addPhotos(window, key, draft_id);
    expect(await deleteNearMiss(window, key)).toEqual({ ok: true, value: 'queued' });
    await capture(window, 'Another one');
    await until('the other is there', () => host.near_misses.size === 2);
    await until('the photo is there', () =>
      [...host.near_misses.values()].some((one) => one.attachments?.length === 1),
    );
    expect(host.of('near_misses.delete')).toEqual([]);
    host.faults = [];
    await drained(window, host);
    const [first] = host.near_misses.values();
    expect(first?.description).toContain('Last words');
    expect(first?.deleted_at).toBeTruthy();
  });

  it('A26: a delete does not overtake a photo that the server kept failing; edits do not wait for it', async () => {
    const failing: Problem = {
      kind: 'server_error',
      status: 500,
      messages: [],
      retry_after_ms: null,
    };
    host.faults.push({ at: 'before', on: to('photos.upload'), problem: failing, times: 99 });
    const window = await windows.start(host);
    const key = await capture(window, 'First words', [photoBytes(50, 8)]);
    await until(
      'passed by',
      async () => (await window.db.operations.toArray())[0]?.consecutive_failures === 3,
    );
    await editNearMiss(window, key, fieldsOf('Last words'));
    await until('the edit is there', async () => (await window.db.operations.count()) === 1);
    expect(await deleteNearMiss(window, key)).toEqual({ ok: true, value: 'queued' });
    await capture(window, 'Another one');
    await until('the other is there', () => host.near_misses.size === 2);
    expect(host.of('near_misses.delete')).toEqual([]);
    host.faults = [];
    await drained(window, host);
    const [first] = host.near_misses.values();
    expect(first?.description).toContain('Last words');
    expect(first?.attachments).toHaveLength(1);
    expect(first?.deleted_at).toBeTruthy();
  });

  it('delete and restore offline cancel each other; restore alone is queued and done', async () => {
    const window = await windows.start(host);
    const key = await capture(window, 'There and back');
    await drained(window, host);
    await window.engine.stop();
    await deleteNearMiss(window, key);
    await restoreNearMiss(window, key);
    expect(await window.db.operations.count()).toBe(0);
    await deleteNearMiss(window, key);
    const second = await windows.start(host);
    await drained(second, host);
    expect([...host.near_misses.values()][0]?.deleted_at).toBeTruthy();
    await restoreNearMiss(second, key);
    expect((await second.db.near_misses.get(key))?.bin).toBe(0);
    await drained(second, host);
    expect([...host.near_misses.values()][0]?.deleted_at).toBeNull();
  });

  it('a restore of what is in no bin is nothing: the delete after it is sent', async () => {
    const window = await windows.start(host);
    const key = await capture(window, 'In no bin');
    await drained(window, host);
    host.up = false;
    await restoreNearMiss(window, key);
    expect(await window.db.operations.count()).toBe(0);
    await deleteNearMiss(window, key);
    host.up = true;
    window.engine.wake();
    await drained(window, host);
    expect(host.of('near_misses.delete')).toHaveLength(1);
    expect((await window.db.near_misses.get(key))?.bin).toBe(1);
  });

  it('a refused create is corrected by an edit and arrives once, with its photo', async () => {
    const window = await windows.start(host);
    const key = await capture(window, 'Wrong source', [photoBytes(60, 1)], { harm_source_id: 666 });
    await until('parked', async () => (await queueCounts(window, ACCOUNT)).parked === 1);
    await editNearMiss(window, key, { harm_source_id: 5 });
    await drained(window, host);
    expect(host.near_misses.size).toBe(1);
    const [record] = [...host.near_misses.values()];
    expect(record?.harm_source?.id).toBe(5);
    expect(record?.attachments).toHaveLength(1);
  });

  it('promise 5: someone else changed the same field: both values stay until the user chooses', async () => {
    const window = await windows.start(host);
    const record = host.add({ description: '<p>Original</p>' });
    await refreshNearMisses(window, owner);
    const [row] = await window.db.near_misses.toArray();
    const key = row?.key ?? '';
    host.theirs(record.id, { description: '<p>Theirs</p>' });
    await editNearMiss(window, key, { description: '<p>Mine</p>', harm_source_id: 4 });
    await until('parked', async () => (await queueCounts(window, ACCOUNT)).parked === 1);
    expect(host.near_misses.get(record.id)?.description).toBe('<p>Theirs</p>');
    expect(await conflictsOf(window, key)).toEqual([
      {
        name: 'description',
        mine: '<p>Mine</p>',
        theirs: '<p>Theirs</p>',
        before: '<p>Original</p>',
      },
    ]);
    expect(await resolveConflict(window, key, ['description'])).toMatchObject({ ok: true });
    await drained(window, host);
    expect(host.near_misses.get(record.id)?.description).toBe('<p>Mine</p>');
    expect(host.near_misses.get(record.id)?.harm_source?.id).toBe(4);
  });

  it('promise 5: someone else changed another field: both changes stand, nobody is asked', async () => {
    const window = await windows.start(host);
    const record = host.add({ description: '<p>Original</p>' });
    await refreshNearMisses(window, owner);
    const key = (await window.db.near_misses.toArray())[0]?.key ?? '';
    host.theirs(record.id, { harm_source: { id: 9, name: 'theirs' } });
    await editNearMiss(window, key, { description: '<p>Mine</p>' });
    await drained(window, host);
    expect(host.near_misses.get(record.id)).toMatchObject({
      description: '<p>Mine</p>',
      harm_source: { id: 9 },
    });
    expect((await window.db.near_misses.get(key))?.names.harm_source).toBe('theirs');
  });

  it('a refresh does not overwrite an edit that waits', async () => {
    const window = await windows.start(host);
    host.add({ description: '<p>Original</p>' });
    await refreshNearMisses(window, owner);
    await window.engine.stop();
    const key = (await window.db.near_misses.toArray())[0]?.key ?? '';
    await editNearMiss(window, key, { description: '<p>Mine</p>' });
    await refreshNearMisses(window, owner);
    expect((await window.db.near_misses.get(key))?.fields.description).toBe('<p>Mine</p>');
  });

  it('taking a create back makes it a draft again, with its photos', async () => {
    const window = await held();
    const key = await untried(window, 'Not yet', 1);
    const [item] = await queueItems(window, ACCOUNT);
    expect(await cancelOperation(window, item?.operations[0]?.id ?? '')).toMatchObject({
      ok: true,
    });
    expect((await getDraft(window, key))?.fields.description).toBe('<p>Not yet</p>');
    expect(await photosOfDraft(window, key)).toHaveLength(1);
    expect(await window.db.operations.count()).toBe(0);
    expect(host.journal.size).toBe(0);
    expect(host.spool.size).toBe(1);
  });

  it('what the server may have cannot be taken back', async () => {
    const window = await held();
    await capture(window, 'Tried');
    await until('tried', () => host.of('near_misses.create').length > 0);
    await until('back', async () => (await window.db.operations.toArray())[0]?.state === 'waiting');
    const [operation] = await window.db.operations.toArray();
    expect(await cancelOperation(window, operation?.id ?? '')).toMatchObject({
      ok: false,
      problem: { kind: 'conflict' },
    });
  });

  it('park holds an item back, retry sends it', async () => {
    const window = await held();
    await untried(window, 'Later');
    const [operation] = await window.db.operations.toArray();
    await park(window, [operation?.id ?? '']);
    host.up = true;
    const second = await windows.start(host);
    await capture(second, 'Now');
    await until('one there', () => host.near_misses.size === 1);
    await until('one left', async () => (await second.db.operations.count()) === 1);
    await retryNow(second, [operation?.id ?? '']);
    await drained(second, host);
    expect(host.near_misses.size).toBe(2);
  });

  it('photos are added to a record that is on the server', async () => {
    const window = await windows.start(host);
    const key = await capture(window, 'More later');
    await drained(window, host);
    const draft_id = ulid();
    await takeIn(window, { account: ACCOUNT, draft_id }, [new File([photoBytes(10, 3)], 'x.jpg')]);
    await addPhotos(window, key, draft_id);
    await drained(window, host);
    expect([...host.near_misses.values()][0]?.attachments).toHaveLength(1);
  });

  slow(
    'A16: the journal refuses an edit: it is said, nothing is sent before the journal has it, then it is',
    async () => {
      const window = await windows.start(host);
      const key = await capture(window, 'Before');
      await drained(window, host);
      let refusing = true;
      const append = (call: Call) => call.method === 'journal.append' && refusing;
      const full: Problem = { kind: 'no_space', detail: '' };
      host.faults.push({ at: 'before', on: append, problem: full, times: 99 });
      const edited = await editNearMiss(window, key, { description: '<p>After</p>' });
      expect(edited).toEqual({ ok: false, problem: full });
      await until('told again', () => host.of('journal.append').length >= 3);
      expect(host.of('near_misses.update')).toEqual([]);
      refusing = false;
      await drained(window, host);
      expect([...host.near_misses.values()][0]?.description).toBe('<p>After</p>');
    },
  );

  it('A16: the journal refuses: not saved is said, the draft and its photos are as they were, once saved it is once', async () => {
    const window = await windows.start(host);
    const draft = newDraft(window, owner, fieldsOf('Full disk'));
    await saveDraft(window, draft);
    await takeIn(window, { account: ACCOUNT, draft_id: draft.id }, [
      new File([photoBytes(10, 3)], 'x.jpg'),
    ]);
    const full: Problem = { kind: 'no_space', detail: '' };
    host.faults.push({ at: 'before', on: to('journal.append'), problem: full });
    const input = { ...owner, id: draft.id, fields: fieldsOf('Full disk') };
    expect(await saveNearMiss(window, input)).toEqual({ ok: false, problem: full });
    expect(await window.db.near_misses.count()).toBe(0);
    expect(await photosOfDraft(window, draft.id)).toHaveLength(1);
    expect((await getDraft(window, draft.id))?.fields.description).toBe('<p>Full disk</p>');
    expect(await saveNearMiss(window, input)).toMatchObject({ ok: true });
    expect(await saveNearMiss(window, input)).toMatchObject({ ok: true });
    await drained(window, host);
    expect(host.near_misses.size).toBe(1);
    expect([...host.near_misses.values()][0]?.attachments).toHaveLength(1);
  });
});
