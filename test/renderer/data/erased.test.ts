/** A laptop learns that a name was erased from a near miss (decisions §21.2). Real IndexedDB, scripted host. */
import { expect, it } from 'vitest';
import { editNearMiss } from '../../../src/renderer/data/near-misses/near-misses.ts';
import { forgetGone } from '../../../src/renderer/data/near-misses/refresh-rows.ts';
import { refreshNearMisses } from '../../../src/renderer/data/near-misses/refresh.ts';
import { photosOf } from '../../../src/renderer/data/photos/photos.ts';
import {
  capture,
  drained,
  host,
  owner,
  photoBytes,
  windowPerTest,
  windows,
} from '../../support/renderer-window.ts';

windowPerTest();

it('decisions §21.2: a refresh drops the old text, comments, histories and the photo that a blurred copy replaced', async () => {
  const window = await windows.start(host);
  const key = await capture(window, 'Ana slipped', [photoBytes(60, 1), photoBytes(60, 2)]);
  await drained(window, host);
  const id = (await window.db.near_misses.get(key))?.server_id ?? 0;
  const author = { id: 1, name: 'Ana', login: 'ana' };
  const kept = { key, account: owner.account, total: 1, read_at: 1 };
  await window.db.server_history.put({ ...kept, entries: [] });
  const fresh = { removed_at: null, removed_by: null, created_at: '2026-01-01T00:00:00.000Z' };
  const comment = { id: 1, text: 'Ask Ana', created_by: author, ...fresh };
  await window.db.comments.put({ ...kept, comments: [comment], delivered: [] });
  const copy = host.near_misses.get(id);
  const [first, second] = copy?.attachments ?? [];
  if (copy === undefined || !first || !second) throw new Error('the server has no copy');
  const at = new Date(Date.now() + 60_000).toISOString();
  const blurred = {
    ...second,
    id: second.id + 1000,
    upload_uuid: 'blurred',
    sha256: 'b'.repeat(64),
  };
  host.near_misses.set(id, {
    ...copy,
    description: 'Person 7F3K slipped',
    description_plain_text: 'Person 7F3K slipped',
    attachments: [first, blurred],
    updated_at: at,
    erased_at: at,
  });
  await refreshNearMisses(window, owner, { whole: true });
  const row = await window.db.near_misses.get(key);
  expect(row?.title).toBe('Person 7F3K slipped');
  expect(JSON.stringify(row)).not.toContain('Ana');
  for (const table of [window.db.history, window.db.server_history, window.db.comments])
    expect(await table.toArray()).toEqual([]);
  const photos = await window.db.photos.where('near_miss_key').equals(key).toArray();
  expect(photos.map(({ attachment_id }) => attachment_id)).toEqual([first.id]);
  if (!row) throw new Error('no row');
  const shown = await photosOf(window, row);
  expect(shown.map(({ remote }) => remote?.id)).toEqual([first.id, blurred.id]);

  // What is kept from then on stays, until the next erasure.
  await window.db.server_history.put({ ...kept, entries: [] });
  const later = new Date(Date.now() + 120_000).toISOString();
  host.near_misses.set(id, { ...host.near_misses.get(id)!, updated_at: later, comment_count: 1 });
  await refreshNearMisses(window, owner, { whole: true });
  expect(await window.db.server_history.count()).toBe(1);
});

it('failures A74: an edit whose answer is the first copy after the erasure drops what is kept from before too', async () => {
  const window = await windows.start(host);
  const key = await capture(window, 'Ana slipped');
  await drained(window, host);
  const id = (await window.db.near_misses.get(key))?.server_id ?? 0;
  const kept = { key, account: owner.account, total: 1, read_at: 1 };
  await window.db.server_history.put({ ...kept, entries: [] });
  await window.db.comments.put({ ...kept, comments: [], delivered: [] });
  const copy = host.near_misses.get(id);
  if (copy === undefined) throw new Error('the server has no copy');
  const at = new Date(Date.now() + 60_000).toISOString();
  const text = 'Person 7F3K slipped';
  const erased = { description: text, description_plain_text: text, updated_at: at, erased_at: at };
  host.near_misses.set(id, { ...copy, ...erased });
  await editNearMiss(window, key, { harm_source_id: 5 });
  await drained(window, host);
  await refreshNearMisses(window, owner, { whole: true });
  expect(JSON.stringify(await window.db.near_misses.get(key))).not.toContain('Ana');
  expect(JSON.stringify(await window.db.history.toArray())).not.toContain('Ana');
  expect(await window.db.server_history.toArray()).toEqual([]);
  expect(await window.db.comments.toArray()).toEqual([]);
});

it('decisions §20.4: a record that is deleted for good takes its thumbnails and the notes of this laptop along', async () => {
  const window = await windows.start(host);
  const [gone, stays] = [
    await capture(window, 'Ana slipped', [photoBytes(60, 3)]),
    await capture(window, 'Bo slipped', [photoBytes(60, 4)]),
  ];
  await drained(window, host);
  const id = (await window.db.near_misses.get(gone))?.server_id ?? 0;
  const deleted_at = new Date(Date.now() + 60_000).toISOString();
  expect(await forgetGone(window, owner, [{ id, deleted_at }])).toMatchObject({ removed: 1 });
  const photos = await window.db.photos.toArray();
  expect(photos.map(({ near_miss_key }) => near_miss_key)).toEqual([stays]);
  const notes = await window.db.history.toArray();
  expect(new Set(notes.map(({ key }) => key))).toEqual(new Set([stays]));
});
