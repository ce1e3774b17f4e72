/** Reading only what changed (decisions §14), while the same records are written here. Real IndexedDB, scripted host. */
import { describe, expect, it } from 'vitest';
import type { NearMiss } from '../../../src/contract/rest/near-misses.ts';
import type { NearMissRow } from '../../../src/renderer/data/db/db.ts';
import { followChanges, positionOf } from '../../../src/renderer/data/near-misses/follow.ts';
import { restoreNearMiss } from '../../../src/renderer/data/near-misses/near-misses.ts';
import { refreshNearMisses } from '../../../src/renderer/data/near-misses/refresh.ts';
import {
  forgetGone,
  putServerCopies,
} from '../../../src/renderer/data/near-misses/refresh-rows.ts';
import { unseenOf } from '../../../src/renderer/data/near-misses/unseen.ts';
import { putServerCopy } from '../../../src/renderer/outbox/handlers/handler.ts';
import { cancelOperation } from '../../../src/renderer/outbox/queue/queue.ts';
import type { StartedWindow } from '../../../src/renderer/outbox/start.ts';
import { ACCOUNT, to } from '../../support/renderer-host.ts';
import {
  capture,
  drained,
  host,
  owner,
  until,
  windowPerTest,
  windows,
} from '../../support/renderer-window.ts';

windowPerTest();

const at = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
const begin = { updated_at: at(0), id: 0 };
const rowOf = ({ db }: StartedWindow, id: number): Promise<NearMissRow | undefined> =>
  db.near_misses.where('[account+server_id]').equals([ACCOUNT, id]).first();

/** A window that has read this record, and the record as others change it later. */
const read = async (change: Partial<NearMiss> = {}) => {
  host.service.follows = true;
  const record = host.add({ updated_at: at(1), ...change });
  const window = await windows.start(host);
  await refreshNearMisses(window, owner);
  const later = (n: number, description: string): NearMiss => ({
    ...record,
    description: `<p>${description}</p>`,
    updated_at: at(n),
  });
  return { window, record, later };
};

/** Asks for the changes. The service answers only when the test says so. */
const held = async (window: StartedWindow) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  host.holds.push({ on: to('near_misses.list'), until: promise });
  const asked = host.of('near_misses.list').length;
  const following = followChanges(window, owner, begin, () => {});
  await until('the page is asked for', () => host.of('near_misses.list').length > asked);
  const done = () => {
    resolve();
    return following;
  };
  return { done };
};

describe('decisions §14.2: a change is not passed by because the row is written here meanwhile', () => {
  it('an earlier state is read elsewhere while the page is on its way', async () => {
    const { window, record, later } = await read();
    const following = await held(window);
    await putServerCopies(window, owner, [later(2, 'Second')], window.clock.tick());
    host.theirs(record.id, later(3, 'Third'));
    await following.done();
    expect((await rowOf(window, record.id))?.title).toBe('Third');
  });

  it('a later state is read elsewhere: the page does not bring the earlier one back', async () => {
    const { window, record, later } = await read();
    const asked_at = window.clock.tick();
    await putServerCopies(window, owner, [later(3, 'Third')], window.clock.tick());
    await putServerCopies(window, owner, [later(2, 'Second')], asked_at);
    expect((await rowOf(window, record.id))?.title).toBe('Third');
  });

  it('the answer to an edit of this laptop comes after the page with a later change', async () => {
    const { window, record, later } = await read();
    await putServerCopies(window, owner, [later(3, 'Theirs')], window.clock.tick());
    const { db, clock } = window;
    await db.transaction('rw', [db.near_misses, db.operations, db.catalogs, db.news], async () => {
      const row = await rowOf(window, record.id);
      if (row !== undefined) await putServerCopy(db, row, later(2, 'Mine'), clock.tick());
    });
    expect((await rowOf(window, record.id))?.title).toBe('Theirs');
  });

  it('a record that is gone, and was written here meanwhile, goes', async () => {
    const { window, record, later } = await read();
    const following = await held(window);
    await putServerCopies(window, owner, [later(2, 'Second')], window.clock.tick());
    host.near_misses.delete(record.id);
    host.service.gone.set(record.id, at(3));
    expect(await following.done()).toMatchObject({ value: { removed: 1 } });
    expect(await rowOf(window, record.id)).toBeUndefined();
  });

  it('a record that was gone and is shown again stays', async () => {
    const { window, record, later } = await read();
    await putServerCopies(window, owner, [later(4, 'Open again')], window.clock.tick());
    await forgetGone(window, owner, [{ id: record.id, deleted_at: at(3) }]);
    expect((await rowOf(window, record.id))?.title).toBe('Open again');
  });

  it('a record that is gone, with a queued operation, goes when that is cancelled', async () => {
    const { window, record } = await read({ deleted_at: at(1) });
    await window.engine.stop();
    const row = await rowOf(window, record.id);
    await restoreNearMiss(window, row?.key ?? '');
    host.near_misses.delete(record.id);
    host.service.gone.set(record.id, at(2));
    const follow = async () => {
      const from = (await positionOf(window, owner)) ?? begin;
      return followChanges(window, owner, from, () => {});
    };
    expect(await follow()).toMatchObject({ value: { removed: 0 } });
    expect(await rowOf(window, record.id)).toBeDefined();
    const [operation] = await window.db.operations.toArray();
    expect(await cancelOperation(window, operation?.id ?? '')).toMatchObject({ ok: true });
    expect(await follow()).toMatchObject({ value: { removed: 1 } });
    expect(await rowOf(window, record.id)).toBeUndefined();
    expect(await follow()).toMatchObject({ value: { removed: 0 } });
  });
});

describe('a near miss that is forgotten leaves nothing behind', () => {
  it('decisions §15: its history as the server kept it goes with it', async () => {
    const { window, record } = await read();
    const { key = '' } = (await rowOf(window, record.id)) ?? {};
    await window.db.server_history.put({
      key,
      account: ACCOUNT,
      entries: [],
      total: 0,
      read_at: 1,
    });
    host.near_misses.delete(record.id);
    expect(await refreshNearMisses(window, owner)).toMatchObject({ value: { removed: 1 } });
    expect(await window.db.server_history.count()).toBe(0);
  });

  it('a report of this laptop that a list shows before its answer is no news', async () => {
    const { window } = await read();
    let early: Promise<unknown> | null = null;
    host.faults.push({
      at: 'after',
      problem: { kind: 'offline', reason: 'reset', detail: '' },
      on: (call) => {
        if (call.endpoint !== 'near_misses.create' || early !== null) return false;
        early = refreshNearMisses(window, owner);
        return true;
      },
    });
    const key = await capture(window, 'Mine');
    await drained(window, host);
    await early;
    expect(await window.db.near_misses.count()).toBe(2);
    expect(await window.db.near_misses.get(key)).toBeDefined();
    expect((await unseenOf(window, owner)).size).toBe(0);
  });
});
