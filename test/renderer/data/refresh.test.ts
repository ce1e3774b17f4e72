/** Refreshing and reading the cached near misses. Real IndexedDB, scripted host. */
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../src/contract/problem.ts';
import { refreshCatalog } from '../../../src/renderer/data/db/catalog.ts';
import { listNearMisses } from '../../../src/renderer/data/index/near-miss-list.ts';
import { editNearMiss } from '../../../src/renderer/data/near-misses/near-misses.ts';
import { markAllSeen, markSeen, unseenOf } from '../../../src/renderer/data/near-misses/unseen.ts';
import {
  PAGE_SIZE,
  SMALL,
  refreshNearMiss,
  refreshNearMisses,
  type RefreshProgress,
} from '../../../src/renderer/data/near-misses/refresh.ts';
import { ACCOUNT, sessionOf, to } from '../../support/renderer-host.ts';
import {
  capture,
  drained,
  host,
  owner,
  windowPerTest,
  windows,
} from '../../support/renderer-window.ts';
import { slow } from '../../support/slow.ts';

windowPerTest();
const list = { account: ACCOUNT, project_id: 10, offset: 0, limit: 50 };
const cut: Problem = { kind: 'offline', reason: 'refused', detail: '' };

describe('refresh', () => {
  it('reads every page, active and recycled, and keeps the newest first', async () => {
    for (let n = 0; n < PAGE_SIZE + 30; n += 1) host.add({ description: `<p>Near miss ${n}</p>` });
    host.add({ description: '<p>Thrown away</p>', deleted_at: '2026-01-01T00:00:00Z' });
    const window = await windows.start(host);
    const heard: RefreshProgress[] = [];
    const done = await refreshNearMisses(window, owner, {
      onPage: (progress) => heard.push(progress),
    });
    expect(done).toEqual({ ok: true, value: { seen: PAGE_SIZE + 31, removed: 0, whole: true } });
    expect(heard).toEqual([
      { done: PAGE_SIZE, total: PAGE_SIZE + 30 },
      { done: PAGE_SIZE + 30, total: PAGE_SIZE + 30 },
      { done: PAGE_SIZE + 31, total: PAGE_SIZE + 31 },
    ]);
    expect(host.of('near_misses.list')).toHaveLength(2);
    const page = await listNearMisses(window, list);
    expect(page.total).toBe(PAGE_SIZE + 30);
    expect(page.rows[0]?.title).toBe(`Near miss ${PAGE_SIZE + 29}`);
    expect(
      (await listNearMisses(window, { ...list, bin: 1 })).rows.map((row) => row.title),
    ).toEqual(['Thrown away']);
  });

  it('every page is asked for as the account that it is stored under, so no page of another account comes between', async () => {
    for (let n = 0; n < PAGE_SIZE + 1; n += 1) host.add();
    const window = await windows.start(host);
    host.calls.length = 0;
    await refreshCatalog(window, owner);
    await refreshNearMisses(window, owner);
    const asked = host.calls.filter(({ endpoint }) => endpoint !== null);
    expect(asked.length).toBeGreaterThan(3);
    expect(asked.filter(({ input }) => input['account'] !== ACCOUNT)).toEqual([]);
  });

  it('a record that is gone from the server goes from the list; one with something waiting stays', async () => {
    const gone = host.add();
    const edited = host.add({ description: '<p>Edited</p>' });
    const window = await windows.start(host);
    await refreshNearMisses(window, owner);
    await window.engine.stop();
    const row = await window.db.near_misses
      .where('[account+server_id]')
      .equals([ACCOUNT, edited.id])
      .first();
    await editNearMiss(window, row?.key ?? '', { description: '<p>Mine</p>' });
    host.near_misses.delete(gone.id);
    host.near_misses.delete(edited.id);
    const done = await refreshNearMisses(window, owner);
    expect(done).toMatchObject({ ok: true, value: { removed: 1 } });
    expect((await listNearMisses(window, list)).rows.map((one) => one.server_id)).toEqual([
      edited.id,
    ]);
  });

  it('A23: read while the clock was ahead, what is gone goes and the catalog is read anew once the clock is right', async () => {
    const gone = host.add();
    const window = await windows.start(host);
    await refreshNearMisses(window, owner);
    await refreshCatalog(window, owner);
    const ahead = window.clock.tick() + 30 * 86_400_000;
    await window.db.near_misses.toCollection().modify({ seen_at: ahead });
    await window.db.catalogs.toCollection().modify({ known_at: ahead });
    host.near_misses.delete(gone.id);
    const done = await refreshNearMisses(window, owner);
    expect(done).toMatchObject({ ok: true, value: { removed: 1 } });
    await refreshCatalog(window, owner);
    expect((await window.db.catalogs.toArray())[0]?.known_at).toBeLessThan(ahead);
  });

  it('a pass that broke off or shifted judges nothing as deleted', async () => {
    const first = host.add();
    host.add();
    const window = await windows.start(host);
    await refreshNearMisses(window, owner);
    host.near_misses.delete(first.id);
    host.faults.push({ at: 'before', on: to('recycled_near_misses.list'), problem: cut });
    expect(await refreshNearMisses(window, owner)).toMatchObject({ ok: false });
    expect((await listNearMisses(window, list)).total).toBe(2);
    expect(await refreshNearMisses(window, owner)).toMatchObject({ value: { removed: 1 } });
  });

  it('a record made here keeps its key when the refresh meets it on the server', async () => {
    const window = await windows.start(host);
    const key = await capture(window, 'Mine');
    await drained(window, host);
    await refreshNearMisses(window, owner);
    const page = await listNearMisses(window, list);
    expect(page.rows.map((row) => row.key)).toEqual([key]);
  });

  it('the refresh meets the record before the create was answered: one row in the end', async () => {
    const window = await windows.start(host);
    let early: Promise<unknown> | null = null;
    host.faults.push({
      at: 'after',
      problem: cut,
      on: (call) => {
        if (call.endpoint === 'near_misses.create') early ??= refreshNearMisses(window, owner);
        return false;
      },
    });
    const key = await capture(window, 'Race');
    await drained(window, host);
    await early;
    await refreshNearMisses(window, owner);
    expect((await listNearMisses(window, list)).rows.map((row) => row.key)).toEqual([key]);
  });

  it('two accounts with the same ids do not meet', async () => {
    host.add({ description: '<p>First server</p>' });
    const window = await windows.start(host);
    await refreshNearMisses(window, owner);
    const other = sessionOf({ account: 'https://other/1/1' });
    host.changeSession(other);
    await refreshNearMisses(window, { ...owner, account: other.account ?? '' });
    expect(await window.db.near_misses.count()).toBe(2);
    expect((await listNearMisses(window, list)).total).toBe(1);
  });

  slow(
    'a large project: what did not change is not written, a quick pass ends where nothing is new, a whole one finds edits',
    async () => {
      for (let n = 0; n <= SMALL; n += 1) host.add({ updated_at: '2026-01-01T00:00:00Z' });
      // The server lists newest first (decisions §2.3).
      const order = () => {
        const newest = [...host.near_misses].sort(([a], [b]) => b - a);
        host.near_misses.clear();
        for (const [id, record] of newest) host.near_misses.set(id, record);
      };
      order();
      const window = await windows.start(host);
      const pages = Math.ceil((SMALL + 1) / PAGE_SIZE);
      const asked = () => host.of('near_misses.list').length;
      expect(await refreshNearMisses(window, owner)).toMatchObject({ value: { whole: true } });
      // Two more: a large project asks whether the server has an order of changes, and reads the first page again.
      expect(asked()).toBe(pages + 2);
      const before = await window.db.near_misses.toArray();
      const newest = host.add({ updated_at: '2026-01-02T00:00:00Z' });
      const old = Math.min(...host.near_misses.keys());
      host.theirs(old, {
        description: '<p>Edited long after</p>',
        updated_at: '2026-01-03T00:00:00Z',
      });
      order();
      expect(await refreshNearMisses(window, owner)).toMatchObject({
        value: { whole: false, removed: 0 },
      });
      // This server ignored the order, which its answer to the third shows.
      expect(asked()).toBe(pages + 5);
      const after = new Map((await window.db.near_misses.toArray()).map((row) => [row.key, row]));
      expect(after.size).toBe(before.length + 1);
      for (const row of before) expect(after.get(row.key)).toEqual(row);
      expect([...(await unseenOf(window, owner)).values()]).toEqual(['new']);
      const whole = await refreshNearMisses(window, owner, { whole: true });
      expect(whole).toMatchObject({ value: { whole: true } });
      const [edited] = await window.db.near_misses
        .where('[account+server_id]')
        .equals([ACCOUNT, old])
        .toArray();
      expect(edited?.title).toBe('Edited long after');
      expect(await unseenOf(window, owner)).toEqual(
        new Map([
          [edited?.key, 'changed'],
          [[...after.values()].find((row) => row.server_id === newest.id)?.key, 'new'],
        ]),
      );
      await markSeen(window, edited?.key ?? '');
      expect((await unseenOf(window, owner)).size).toBe(1);
      await markAllSeen(window, owner);
      expect((await unseenOf(window, owner)).size).toBe(0);
    },
  );

  it('decisions §14: a large project costs what changed: edits, new, recycled and lost records of any age', async () => {
    host.service.follows = true;
    const at = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
    for (let n = 0; n <= SMALL; n += 1) host.add({ updated_at: at(n) });
    const window = await windows.start(host);
    expect(await refreshNearMisses(window, owner)).toMatchObject({ value: { whole: true } });
    const ids = [...host.near_misses.keys()];
    const [edited = 0, recycled = 0, lost = 0] = ids;
    host.theirs(edited, { description: '<p>Edited long after</p>', updated_at: at(9_001) });
    host.theirs(recycled, { deleted_at: at(9_002), updated_at: at(9_002) });
    host.near_misses.delete(lost);
    host.service.gone.set(lost, at(9_003));
    const fresh = host.add({ description: '<p>New</p>', updated_at: at(9_004) });
    const before = host.of('near_misses.list').length;
    expect(await refreshNearMisses(window, owner)).toEqual({
      ok: true,
      value: { seen: 4, removed: 1, whole: false },
    });
    // The changes, and one that compares the counts.
    expect(host.of('near_misses.list').length - before).toBe(2);
    expect(host.of('recycled_near_misses.list')).toHaveLength(1);
    const rowOf = (id: number) =>
      window.db.near_misses.where('[account+server_id]').equals([ACCOUNT, id]).first();
    expect((await rowOf(edited))?.title).toBe('Edited long after');
    expect((await rowOf(recycled))?.bin).toBe(1);
    expect(await rowOf(lost)).toBeUndefined();
    expect((await rowOf(fresh.id))?.title).toBe('New');
    expect((await unseenOf(window, owner)).size).toBe(2);
    // Nothing changed: one request for the changes, one for the count.
    expect(await refreshNearMisses(window, owner)).toMatchObject({ value: { seen: 0 } });
    expect(host.of('near_misses.list').length - before).toBe(4);
  });

  it('decisions §14.5: a record that is missing here although nothing changed makes the pass a whole one', async () => {
    host.service.follows = true;
    for (let n = 0; n <= SMALL; n += 1) host.add({ updated_at: '2026-01-01T00:00:00Z' });
    const window = await windows.start(host);
    await refreshNearMisses(window, owner);
    // As after a restore of the server: an old record that no change tells of.
    host.near_misses.delete([...host.near_misses.keys()][0] ?? 0);
    expect(await refreshNearMisses(window, owner)).toMatchObject({
      value: { whole: true, removed: 1 },
    });
  });

  it('one record anew', async () => {
    const record = host.add();
    const window = await windows.start(host);
    await refreshNearMisses(window, owner);
    const [row] = await window.db.near_misses.toArray();
    host.theirs(record.id, { description: '<p>Newer</p>' });
    if (row === undefined) throw new Error('no row');
    expect(await refreshNearMiss(window, row)).toMatchObject({ ok: true });
    expect((await window.db.near_misses.get(row.key))?.title).toBe('Newer');
  });

  it('decisions §4.4: a server without a catalog gets one built from the records seen', async () => {
    host.service.hasCatalog = false;
    host.add({
      incident_id: 7,
      incident_title: 'Crane',
      full_number: '3-1',
      harm_source: { id: 4, name: 'Falling object' },
      affected_person: { id: 9, name: 'Ann', login: 'ann@example.com' },
    });
    const window = await windows.start(host);
    await refreshNearMisses(window, owner);
    const answer = await refreshCatalog(window, owner);
    expect(answer).toMatchObject({
      ok: true,
      value: {
        source: 'records',
        catalog: {
          incidents: [{ id: 7, number: 3, title: 'Crane' }],
          harm_sources: [{ id: 4, name: 'Falling object', active: true }],
          people: [{ id: 9, name: 'Ann', login: 'ann@example.com' }],
        },
      },
    });
  });
});

describe('the list', () => {
  it('searches folded text, filters and sorts with empty names last', async () => {
    host.add({ description: '<p>Törn sling</p>', harm_source: { id: 1, name: 'Zip' } });
    host.add({ description: '<p>Loose plank</p>', harm_source: { id: 2, name: 'Arc' } });
    host.add({ description: '<p>Sling again</p>' });
    const window = await windows.start(host);
    await refreshNearMisses(window, owner);
    const titles = async (query: object) =>
      (await listNearMisses(window, { ...list, ...query })).rows.map((row) => row.title);
    expect(await titles({ query: 'TORN sling' })).toEqual(['Törn sling']);
    expect(await titles({ query: 'sling' })).toEqual(['Sling again', 'Törn sling']);
    expect(await titles({ ids: { harm_source_id: [1, 2] } })).toEqual([
      'Loose plank',
      'Törn sling',
    ]);
    expect(await titles({ sort: 'harm_source' })).toEqual([
      'Loose plank',
      'Törn sling',
      'Sling again',
    ]);
    expect(await titles({ sort: '-harm_source' })).toEqual([
      'Törn sling',
      'Loose plank',
      'Sling again',
    ]);
    expect(await titles({ sort: 'created_at', limit: 1, offset: 1 })).toEqual(['Loose plank']);
  });
});
