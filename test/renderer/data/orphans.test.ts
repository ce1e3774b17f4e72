/** Unfinished edits of a near miss that is deleted for good: the whole text stays until the user decides. */
import { expect, it } from 'vitest';
import {
  discardDraft,
  editAsReport,
  editDraftId,
  listDrafts,
  newEditDraft,
  orphanedEdits,
  photosOfDraft,
  saveDraft,
} from '../../../src/renderer/data/near-misses/drafts.ts';
import { refreshNearMisses } from '../../../src/renderer/data/near-misses/refresh.ts';
import { takeIn } from '../../../src/renderer/photos/intake.ts';
import { ACCOUNT } from '../../support/renderer-host.ts';
import {
  host,
  owner,
  photoBytes,
  until,
  windowPerTest,
  windows,
} from '../../support/renderer-window.ts';

windowPerTest();

const orphaned = async () => {
  const window = await windows.start(host);
  const record = host.add({ description: '<p>There</p>', harm_source: { id: 3, name: 'three' } });
  await refreshNearMisses(window, owner);
  const key = (await window.db.near_misses.toArray())[0]?.key ?? '';
  await saveDraft(window, { ...newEditDraft(window, owner, key), fields: { work_activity_id: 7 } });
  const files = [new File([photoBytes(40, 1)], 'x.jpg')];
  await takeIn(window, { account: ACCOUNT, draft_id: editDraftId(key) }, files);
  expect(await orphanedEdits(window, ACCOUNT)).toEqual([]);
  host.near_misses.delete(record.id);
  await refreshNearMisses(window, owner);
  expect(await window.db.near_misses.count()).toBe(0);
  return { window, id: editDraftId(key) };
};

it('an edit draft whose record is gone for good becomes a new report, whole, with its photos', async () => {
  const { window, id } = await orphaned();
  expect(await orphanedEdits(window, ACCOUNT)).toMatchObject([
    { photos: 1, draft: { fields: { description: '<p>There</p>', work_activity_id: 7 } } },
  ]);
  await editAsReport(window, id, owner);
  expect(await orphanedEdits(window, ACCOUNT)).toEqual([]);
  const [draft] = await listDrafts(window, ACCOUNT, owner.project_id);
  expect(draft?.fields).toMatchObject({ harm_source_id: 3, work_activity_id: 7 });
  expect(await photosOfDraft(window, draft?.id ?? '')).toHaveLength(1);
});

it('or it is dropped by hand, with its photos', async () => {
  const { window, id } = await orphaned();
  await discardDraft(window, id);
  expect(await orphanedEdits(window, ACCOUNT)).toEqual([]);
  expect(await window.db.photos.count()).toBe(0);
  // The journal names the photo until it was told that the draft has ended.
  await until('its bytes are gone', () => host.spool.size === 0);
});
