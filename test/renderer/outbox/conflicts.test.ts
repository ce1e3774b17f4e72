/**
 * Hard cases of outbox promise 5: someone else writes while this laptop's edit is pending, is queued behind a create, or is
 * being decided. Scripted host.
 */
import { describe, expect, it } from 'vitest';
import { ulid } from 'ulid';
import { getDraft, photosOfDraft } from '../../../src/renderer/data/near-misses/drafts.ts';
import { editNearMiss, saveNearMiss } from '../../../src/renderer/data/near-misses/near-misses.ts';
import { removePhoto } from '../../../src/renderer/data/near-misses/photo-removal.ts';
import { photosOf } from '../../../src/renderer/data/photos/photos.ts';
import { refreshNearMisses } from '../../../src/renderer/data/near-misses/refresh.ts';
import { queueCounts, queueItems } from '../../../src/renderer/outbox/queue/queue.ts';
import {
  asNewReport,
  conflictsOf,
  dropGone,
  resolveConflict,
  restoreAndApply,
} from '../../../src/renderer/outbox/queue/resolve.ts';
import type { StartedWindow } from '../../../src/renderer/outbox/start.ts';
import { ACCOUNT } from '../../support/renderer-host.ts';
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

windowPerTest();

const parked = (window: StartedWindow, n = 1): Promise<void> =>
  until(`${n} parked`, async () => (await queueCounts(window, ACCOUNT)).parked === n);

/** A record of the server that this window has fetched. */
const seen = async (window: StartedWindow) => {
  const record = host.add({ description: '<p>Original</p>', harm_source: { id: 1, name: 'one' } });
  await refreshNearMisses(window, owner);
  const key = (await window.db.near_misses.toArray()).find(
    (row) => row.server_id === record.id,
  )?.key;
  if (key === undefined) throw new Error('not seen');
  return { id: record.id, key };
};

/** Edits while the create is in flight, then runs `meanwhile` on the server before the edit is sent. */
const behindCreate = async (window: StartedWindow, meanwhile: (id: number) => void) => {
  const key = ulid();
  let edited: Promise<unknown> | null = null;
  host.faults.push({
    at: 'before',
    problem: { kind: 'cancelled' },
    on: (call) => {
      if (call.endpoint === 'near_misses.create')
        edited ??= editNearMiss(window, key, { description: '<p>Second thought</p>' });
      if (call.endpoint === 'near_misses.update') meanwhile([...host.near_misses.keys()][0] ?? 0);
      return false;
    },
  });
  await saveNearMiss(window, { id: key, ...owner, fields: fieldsOf('First thought') });
  await until('edited', () => edited !== null);
  await edited;
  return key;
};
const ifMatch = (n: number) =>
  (host.of('near_misses.update')[n]?.input['input'] as { if_match?: string } | undefined)?.if_match;

describe('outbox promise 5, decisions §1.7: conflicts, the hard cases', () => {
  it('decisions §1.7: an edit behind a create in flight sends If-Match with the ETag that the create answered', async () => {
    const window = await windows.start(host);
    await behindCreate(window, () => {});
    await drained(window, host);
    expect(ifMatch(0)).toBe('"1"');
    expect(host.of('near_misses.show')).toEqual([]);
    expect([...host.near_misses.values()][0]?.description).toBe('<p>Second thought</p>');
  });

  it('outbox promise 5: someone writes the field between a create and the edit behind it: nothing overwritten, asked', async () => {
    const window = await windows.start(host);
    let struck = false;
    const key = await behindCreate(window, (id) => {
      if (!struck) host.theirs(id, { description: '<p>Theirs</p>' });
      struck = true;
    });
    await parked(window);
    expect([...host.near_misses.values()][0]?.description).toBe('<p>Theirs</p>');
    expect(await conflictsOf(window, key)).toMatchObject([
      { mine: '<p>Second thought</p>', theirs: '<p>Theirs</p>', before: '<p>First thought</p>' },
    ]);
    await resolveConflict(window, key, ['description']);
    await drained(window, host);
    expect([...host.near_misses.values()][0]?.description).toBe('<p>Second thought</p>');
  });

  it('outbox promise 5: the server tidied the text of the create: the edit behind it is no conflict', async () => {
    const window = await windows.start(host);
    let tidied = false;
    await behindCreate(window, (id) => {
      if (!tidied) host.theirs(id, { description: '<p>First thought</p>\n' });
      tidied = true;
    });
    await drained(window, host);
    expect([...host.near_misses.values()][0]?.description).toBe('<p>Second thought</p>');
  });

  it('outbox promise 5: a second edit behind one that is being sent is checked too', async () => {
    const window = await windows.start(host);
    const { id, key } = await seen(window);
    let second: Promise<unknown> | null = null;
    let updates = 0;
    host.faults.push({
      at: 'before',
      problem: { kind: 'cancelled' },
      on: (call) => {
        if (call.endpoint !== 'near_misses.update') return false;
        updates += 1;
        if (updates === 1) second = editNearMiss(window, key, { description: '<p>Two</p>' });
        if (updates === 2) host.theirs(id, { description: '<p>Theirs</p>' });
        return false;
      },
    });
    await editNearMiss(window, key, { description: '<p>One</p>' });
    await until('second', () => second !== null);
    await parked(window);
    expect(host.near_misses.get(id)?.description).toBe('<p>Theirs</p>');
    expect(await conflictsOf(window, key)).toMatchObject([
      { mine: '<p>Two</p>', theirs: '<p>Theirs</p>', before: '<p>One</p>' },
    ]);
  });

  it('outbox promise 5: a conflict twice in a row asks twice, with the newest of theirs; choosing theirs shows theirs', async () => {
    const window = await windows.start(host);
    const { id, key } = await seen(window);
    host.theirs(id, { description: '<p>Theirs</p>' });
    await editNearMiss(window, key, { description: '<p>Mine</p>' });
    await parked(window);
    host.theirs(id, { description: '<p>Theirs again</p>' });
    await resolveConflict(window, key, ['description']);
    await parked(window);
    expect(host.near_misses.get(id)?.description).toBe('<p>Theirs again</p>');
    expect(await conflictsOf(window, key)).toMatchObject([
      { mine: '<p>Mine</p>', theirs: '<p>Theirs again</p>', before: '<p>Theirs</p>' },
    ]);
    await resolveConflict(window, key, []);
    await drained(window, host);
    expect(host.near_misses.get(id)?.description).toBe('<p>Theirs again</p>');
    expect((await window.db.near_misses.get(key))?.title).toBe('Theirs again');
  });

  it('outbox promise 5: recycled meanwhile: found in the bin, taken out of it, the edit and the photo applied', async () => {
    const window = await windows.start(host);
    const { id, key } = await seen(window);
    host.theirs(id, { deleted_at: new Date().toISOString() });
    await editNearMiss(window, key, { description: '<p>Mine</p>' });
    await parked(window);
    const [item] = await queueItems(window, ACCOUNT);
    expect(item?.missing).toBe('recycled');
    expect(await restoreAndApply(window, key)).toMatchObject({ ok: true });
    await drained(window, host);
    expect(host.near_misses.get(id)).toMatchObject({
      description: '<p>Mine</p>',
      deleted_at: null,
    });
  });

  it('outbox promise 5: gone for good (404): the text becomes a new report with its photos, or is dropped when told', async () => {
    const window = await windows.start(host);
    const key = await capture(window, 'Kept', [photoBytes(40, 1)]);
    await drained(window, host);
    host.near_misses.clear();
    await editNearMiss(window, key, { description: '<p>Kept, and more</p>' });
    await parked(window);
    const [item] = await queueItems(window, ACCOUNT);
    expect(item?.missing).toBe('gone');
    const { db } = window;
    const history = { account: ACCOUNT, entries: [], total: 0, read_at: 1 };
    await db.server_history.put({ key, ...history });
    await db.news.put({ key, account: ACCOUNT, project_id: 10, kind: 'changed' });
    const draft = await asNewReport(window, key, owner);
    if (!draft.ok) throw new Error(draft.problem.kind);
    expect([await db.server_history.count(), await db.news.count()]).toEqual([0, 0]);
    expect((await getDraft(window, draft.value))?.fields.description).toBe('<p>Kept, and more</p>');
    expect(await photosOfDraft(window, draft.value)).toHaveLength(1);
    expect(await window.db.operations.count()).toBe(0);
    await saveNearMiss(window, { id: draft.value, ...owner, fields: fieldsOf('Kept, and more') });
    await drained(window, host);
    expect([...host.near_misses.values()]).toMatchObject([
      { description: '<p>Kept, and more</p>', attachments: [{}] },
    ]);
    host.near_misses.clear();
    await editNearMiss(window, draft.value, { description: '<p>Once more</p>' });
    await parked(window);
    await db.server_history.put({ key: draft.value, ...history });
    expect(await dropGone(window, draft.value)).toMatchObject({ ok: true });
    expect([await db.near_misses.count(), await db.server_history.count()]).toEqual([0, 0]);
    expect(host.journal.size).toBe(0);
    expect(host.spool.size).toBe(0);
  });
});

describe('decisions §3.7: a photo is taken off a record', () => {
  it('waiting: it leaves queue and laptop and is never sent', async () => {
    host.up = false;
    const window = await windows.start(host);
    const key = await capture(window, 'Two photos', [photoBytes(40, 1), photoBytes(40, 2)]);
    const row = await window.db.near_misses.get(key);
    const [first] = await photosOf(window, { key, server: row?.server ?? null });
    if (!first) throw new Error('no photo');
    expect(await removePhoto(window, key, first)).toEqual({ ok: true, value: 'cancelled' });
    host.up = true;
    window.engine.wake();
    await drained(window, host);
    expect([...host.near_misses.values()][0]?.attachments).toHaveLength(1);
    expect(host.spool.size).toBe(1);
  });

  it('delivered: hidden at once, deleted on the server when the queue moves, the original let go', async () => {
    const window = await windows.start(host);
    const key = await capture(window, 'One photo', [photoBytes(40, 1)]);
    await drained(window, host);
    const view = async () => {
      const row = await window.db.near_misses.get(key);
      return photosOf(window, { key, server: row?.server ?? null });
    };
    const [first] = await view();
    if (!first) throw new Error('no photo');
    host.up = false;
    expect(await removePhoto(window, key, first)).toEqual({ ok: true, value: 'queued' });
    expect(await removePhoto(window, key, first)).toEqual({ ok: true, value: 'queued' });
    expect(await view()).toEqual([]);
    expect(await window.db.operations.count()).toBe(1);
    host.up = true;
    window.engine.wake();
    await drained(window, host);
    expect([...host.near_misses.values()][0]?.attachments).toEqual([]);
    expect(await view()).toEqual([]);
    expect(await window.db.photos.count()).toBe(0);
    expect(host.spool.size).toBe(0);
  });

  it('A26: removed while it is being sent: it arrives and is taken off again, the record stays one', async () => {
    const window = await windows.start(host);
    const key = ulid();
    let removed: Promise<unknown> | null = null;
    host.faults.push({
      at: 'before',
      problem: { kind: 'cancelled' },
      on: (call) => {
        if (call.method === 'photos.upload')
          removed ??= photosOf(window, { key, server: null }).then(([photo]) =>
            photo ? removePhoto(window, key, photo) : null,
          );
        return false;
      },
    });
    const { takeIn } = await import('../../../src/renderer/photos/intake.ts');
    const file = new File([photoBytes(50, 9)], 'x.jpg');
    await takeIn(window, { account: ACCOUNT, draft_id: key }, [file]);
    await saveNearMiss(window, { id: key, ...owner, fields: fieldsOf('In flight') });
    await until('removed', () => removed !== null);
    expect(await removed).toEqual({ ok: true, value: 'queued' });
    await drained(window, host);
    expect(host.near_misses.size).toBe(1);
    expect([...host.near_misses.values()][0]?.attachments).toEqual([]);
  });
});
