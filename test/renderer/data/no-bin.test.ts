/**
 * A server without a recycle bin: a near miss that somebody deleted there is in no list, and its row goes at once. What a person of
 * this laptop still needs of it stays.
 */
import { beforeEach, expect, it } from 'vitest';
import {
  draftWriter,
  editDraftId,
  getDraft,
  newEditDraft,
  orphanedEdits,
  photosOfDraft,
} from '../../../src/renderer/data/near-misses/drafts.ts';
import { editNearMiss } from '../../../src/renderer/data/near-misses/near-misses.ts';
import { refreshNearMisses } from '../../../src/renderer/data/near-misses/refresh.ts';
import { announcePhotos } from '../../../src/renderer/data/photos/coming-photos.ts';
import { takeIn } from '../../../src/renderer/photos/intake.ts';
import { ACCOUNT, to } from '../../support/renderer-host.ts';
import {
  capture,
  host,
  owner,
  photoBytes,
  until,
  windowPerTest,
  windows,
} from '../../support/renderer-window.ts';

windowPerTest();
beforeEach(() => {
  host.faults.push({
    at: 'before',
    on: to('recycled_near_misses.list'),
    problem: { kind: 'gone', status: 404, messages: [] },
    times: Infinity,
  });
});

/** A near miss of this server, here in a window. */
const shown = async () => {
  const window = await windows.start(host);
  const record = host.add({ description: '<p>There</p>', harm_source: { id: 3, name: 'three' } });
  await refreshNearMisses(window, owner);
  const row = (await window.db.near_misses.toArray())[0];
  if (row === undefined) throw new Error('no row');
  const deleteThere = async () => {
    host.near_misses.delete(record.id);
    await refreshNearMisses(window, owner);
  };
  return { window, row, deleteThere };
};

it('a row that nobody here needs goes', async () => {
  const { window, deleteThere } = await shown();
  await deleteThere();
  expect(await window.db.near_misses.count()).toBe(0);
});

it('an edit that waits keeps its row', async () => {
  const { window, row, deleteThere } = await shown();
  await window.engine.stop();
  await editNearMiss(window, row.key, { description: '<p>Mine</p>' });
  await deleteThere();
  expect(await window.db.near_misses.get(row.key)).toMatchObject({
    fields: { description: '<p>Mine</p>' },
  });
});

it('photos that are not delivered keep their row', async () => {
  host.faults.push({
    at: 'before',
    on: to('photos.deliver'),
    problem: { kind: 'offline', reason: 'refused', detail: '' },
    times: Infinity,
  });
  const window = await windows.start(host);
  const key = await capture(window, 'With a photo', [photoBytes(40, 1)]);
  await until('the report is delivered', async () => {
    const row = await window.db.near_misses.get(key);
    return row?.server_id !== null && (await window.db.operations.count()) === 1;
  });
  await window.engine.stop();
  host.near_misses.clear();
  await refreshNearMisses(window, owner);
  expect(await window.db.near_misses.get(key)).toBeDefined();
  expect(await window.db.photos.where('near_miss_key').equals(key).count()).toBe(1);
});

it('an edit that is typed on after its record went keeps the whole text and its photos', async () => {
  const { window, row, deleteThere } = await shown();
  const draft = newEditDraft(window, owner, row.key);
  const id = editDraftId(row.key);
  const writer = draftWriter(window, { record: row.fields });
  writer.change({ ...draft, fields: { work_activity_id: 7 } });
  await writer.flush();
  await deleteThere();
  expect(await window.db.near_misses.count()).toBe(0);
  writer.change({ ...draft, fields: { work_activity_id: 8 } });
  await writer.flush();
  const whole = { description: '<p>There</p>', harm_source_id: 3, work_activity_id: 8 };
  expect((await getDraft(window, id))?.fields).toMatchObject(whole);
  await announcePhotos(window, { ...draft, fields: { work_activity_id: 8 } }, [], row.fields);
  await takeIn(window, { account: ACCOUNT, draft_id: id }, [
    new File([photoBytes(40, 1)], 'x.jpg'),
  ]);
  expect(await orphanedEdits(window, ACCOUNT)).toMatchObject([
    { photos: 1, draft: { fields: whole } },
  ]);
  expect(await photosOfDraft(window, id)).toHaveLength(1);
});

it('an edit that is begun after its record went keeps the whole text', async () => {
  const { window, row, deleteThere } = await shown();
  await deleteThere();
  const writer = draftWriter(window, { record: row.fields });
  writer.change({ ...newEditDraft(window, owner, row.key), fields: { work_activity_id: 7 } });
  await writer.flush();
  expect((await getDraft(window, editDraftId(row.key)))?.fields).toMatchObject({
    description: '<p>There</p>',
    work_activity_id: 7,
  });
});
