/** A laptop learns that a near miss was anonymised (decisions §20.3). Real IndexedDB, scripted host. */
import { expect, it } from 'vitest';
import { refreshNearMisses } from '../../../src/renderer/data/near-misses/refresh.ts';
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

it('decisions §20.3: a refresh drops the texts, the photos and both histories of what the server has anonymised', async () => {
  const window = await windows.start(host);
  const key = await capture(window, 'Ana slipped', [photoBytes(60, 1)]);
  await drained(window, host);
  const before = await window.db.near_misses.get(key);
  const id = before?.server_id ?? 0;
  expect(await window.db.photos.where('near_miss_key').equals(key).count()).toBe(1);
  expect(await window.db.history.where('key').equals(key).count()).toBeGreaterThan(0);
  await window.db.server_history.put({
    key,
    account: owner.account,
    entries: [],
    total: 0,
    read_at: 1,
  });
  const copy = host.near_misses.get(id);
  if (copy === undefined) throw new Error('the server has no copy');
  const at = new Date(Date.now() + 60_000).toISOString();
  host.near_misses.set(id, {
    ...copy,
    description: 'Anonymised on 2026-11-28.',
    description_plain_text: 'Anonymised on 2026-11-28.',
    custom_fields: {},
    attachments: [],
    created_by: null,
    updated_at: at,
    anonymised_at: at,
  });
  await refreshNearMisses(window, owner, { whole: true });
  const after = await window.db.near_misses.get(key);
  expect(after?.title).toBe('Anonymised on 2026-11-28.');
  expect(JSON.stringify(after)).not.toContain('Ana');
  for (const table of [window.db.history, window.db.photos, window.db.server_history])
    expect(await table.toArray()).toEqual([]);
});
