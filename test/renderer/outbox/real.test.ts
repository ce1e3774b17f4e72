/**
 * The window against the real host and service, with the proxy of test/support/chaos.ts between them. Checks the guarantees
 * that the scripted host imitates in the other files.
 */
import { Dexie } from 'dexie';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ulid } from 'ulid';
import {
  commentsOf,
  removeComment,
  writeComment,
} from '../../../src/renderer/data/comments/comments.ts';
import { refreshCatalog } from '../../../src/renderer/data/db/catalog.ts';
import { emptyFields } from '../../../src/renderer/data/model/near-miss-rows.ts';
import { listNearMisses } from '../../../src/renderer/data/index/near-miss-list.ts';
import {
  deleteNearMiss,
  editNearMiss,
  restoreNearMiss,
  saveNearMiss,
} from '../../../src/renderer/data/near-misses/near-misses.ts';
import { refreshNearMisses } from '../../../src/renderer/data/near-misses/refresh.ts';
import {
  queueCounts,
  openBreakerOf,
  queueItems,
} from '../../../src/renderer/outbox/queue/queue.ts';
import type { Reach } from '../../../src/renderer/outbox/queue/reach.ts';
import { history } from '../../../src/renderer/data/near-misses/history.ts';
import { type StartedWindow, startWindow } from '../../../src/renderer/outbox/start.ts';
import { takeIn } from '../../../src/renderer/photos/intake.ts';
import { jpegWith } from '../../support/renderer-jpeg.ts';
import { type RealWorld, realWorld } from '../../support/renderer-real.ts';
import { photoBytes, until } from '../../support/renderer-window.ts';
import { slow } from '../../support/slow.ts';

let world: RealWorld;
let db_name: string;
let open: StartedWindow[] = [];
beforeEach(async () => {
  world = await realWorld();
  db_name = `real-${ulid()}`;
});
afterEach(async () => {
  for (const window of open) await window.stop();
  open = [];
  await Dexie.delete(db_name);
  await world.stop();
});

const start = async (reached?: (reach: Reach) => void): Promise<StartedWindow> => {
  const engine = { lock_name: `outbox-${db_name}`, random: () => 0 };
  const answer = await startWindow(world.host, {
    history,
    db_name,
    engine,
    ...(reached && { reached }),
  });
  if (!answer.ok) throw new Error(JSON.stringify(answer.problem));
  open.push(answer.value);
  return answer.value;
};
const scope = () => ({
  account: world.session.account ?? '',
  company_id: world.session.company?.id ?? 0,
  project_id: world.session.project?.id ?? 0,
});
const incident = async (window: StartedWindow): Promise<number> => {
  const catalog = await refreshCatalog(window, scope());
  if (!catalog.ok) throw new Error(JSON.stringify(catalog.problem));
  return catalog.value.catalog.incidents[0]?.id ?? 0;
};
const photo = async (seed: number): Promise<File> => {
  const head = new Uint8Array(await (await jpegWith(64, 48, { orientation: 6 })).arrayBuffer());
  // A real picture with a long tail: more than one segment, and different bytes per seed.
  return new File([head, photoBytes(700_000, seed)], `photo-${seed}.jpg`);
};
const save = async (window: StartedWindow, incident_id: number, text: string, photos: File[]) => {
  const id = ulid();
  const taken = await takeIn(window, { account: scope().account, draft_id: id }, photos);
  for (const one of taken) if (!one.ok) throw new Error(JSON.stringify(one.refusal));
  const fields = { ...emptyFields, incident_id, description: `<p>${text}</p>` };
  const saved = await saveNearMiss(window, { id, ...scope(), fields });
  if (!saved.ok) throw new Error(JSON.stringify(saved.problem));
  return id;
};
const empty = (window: StartedWindow) =>
  until('nothing waits', async () => (await queueCounts(window, scope().account)).operations === 0);
const sha256 = async (file: File): Promise<string> =>
  [...new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');

describe('window, host and service', () => {
  it('A9: the host itself refuses what another account queued, whatever the window believes', async () => {
    const window = await start();
    const input = { params: { project_id: scope().project_id } };
    expect(await window.host.request('catalog.show', input, 'someone else')).toEqual({
      ok: false,
      problem: { kind: 'cancelled' },
    });
    const own = await window.host.request('catalog.show', input, scope().account);
    expect(own.ok).toBe(true);
  });

  it('every answer says whether the server can be reached', async () => {
    const told: Reach[] = [];
    const window = await start((reach) => told.push(reach));
    const incident_id = await incident(window);
    await until('reached', async () => told.at(-1) === 'answers');
    await world.weather('down');
    await save(window, incident_id, 'Told by the try of this', []);
    await until('not reached', async () => told.at(-1) !== 'answers');
    await world.weather('fair');
    window.engine.wake();
    await empty(window);
    expect(told.at(-1)).toBe('answers');
  });

  it('promise 1: saved while the service is down, window and host started again, delivered once with every byte', async () => {
    const first = await start();
    const incident_id = await incident(first);
    await world.weather('down');
    const files = [await photo(1), await photo(2)];
    for (const text of ['Outage one', 'Outage two']) await save(first, incident_id, text, files);
    await until('held', async () => (await openBreakerOf(first, scope().account)) !== null);
    await first.stop();
    await world.restartHost();
    await world.weather('fair');
    const second = await start();
    await empty(second);
    const records = await world.records('Outage');
    expect(records.map((one) => one.description_plain_text).sort()).toEqual([
      'Outage one',
      'Outage two',
    ]);
    const sums = (await Promise.all(files.map(sha256))).sort();
    for (const record of records)
      expect(record.attachments?.map((one) => one.sha256).sort()).toEqual(sums);
  });

  it.each(['lost_answers', 'half_answers'] as const)(
    'A3: %s of creates that the service committed: no record twice',
    async (weather) => {
      const window = await start();
      const incident_id = await incident(window);
      await world.weather(weather);
      for (let n = 0; n < 3; n += 1) await save(window, incident_id, `Answer ${n}`, []);
      await empty(window);
      expect(await world.records('Answer')).toHaveLength(3);
    },
  );

  it.each(['lost_writes', 'half_writes'] as const)(
    'decisions §18.1, A3: report and comments of an outage; host and window end, then %s: each comment once, in order',
    async (weather) => {
      const first = await start();
      const incident_id = await incident(first);
      await world.weather('down');
      const key = await save(first, incident_id, 'Talked about', []);
      for (const text of ['Which scaffold?', 'Tower 2, ñandú 🦺'])
        expect(await writeComment(first, key, text)).toMatchObject({ ok: true });
      await first.stop();
      await world.restartHost();
      await world.weather(weather);
      const second = await start();
      await empty(second);
      const [record] = await world.records('Talked about');
      expect(record?.comment_count).toBe(2);
      const { project_id } = scope();
      const listed = await world.host.request('near_miss_comments.list', {
        params: { project_id, id: record?.id ?? 0 },
        query: {},
      });
      expect(listed.ok && listed.value.data.map(({ text }) => text)).toEqual([
        'Tower 2, ñandú 🦺',
        'Which scaffold?',
      ]);
      const row = await second.db.near_misses.get(key);
      const [comment] = row ? (await commentsOf(second, row)).comments : [];
      expect(row && comment && (await removeComment(second, row, comment.id))).toMatchObject({
        ok: true,
      });
      expect((await world.records('Talked about'))[0]?.comment_count).toBe(1);
    },
  );

  it('A18: IndexedDB deleted with items queued: all come back from the real journal, once', async () => {
    const first = await start();
    const incident_id = await incident(first);
    await world.weather('down');
    for (let n = 0; n < 3; n += 1) await save(first, incident_id, `Lost ${n}`, [await photo(n)]);
    await first.stop();
    await Dexie.delete(db_name);
    const second = await start();
    expect(second.repaired.rebuilt).toBe(6);
    await world.weather('fair');
    second.engine.wake();
    await empty(second);
    const records = await world.records('Lost');
    expect(records.map((one) => one.attachments?.length)).toEqual([1, 1, 1]);
    await second.stop();
    expect((await start()).repaired.rebuilt).toBe(0);
  });

  slow('refreshes 250 records; edits, deletes and restores reach the service', async () => {
    const window = await start();
    const incident_id = await incident(window);
    const done = await refreshNearMisses(window, scope());
    expect(done.ok && done.value.seen).toBeGreaterThanOrEqual(250);
    const query = { ...scope(), offset: 0, limit: 10 };
    expect((await listNearMisses(window, query)).total).toBeGreaterThanOrEqual(250);
    const key = await save(window, incident_id, 'To be edited', []);
    await empty(window);
    await editNearMiss(window, key, { description: '<p>Edited text</p>' });
    await empty(window);
    expect(await world.records('Edited text')).toHaveLength(1);
    await deleteNearMiss(window, key);
    await empty(window);
    expect(await world.records('Edited text')).toHaveLength(0);
    const bin = await listNearMisses(window, { ...query, bin: 1 });
    expect(bin.rows.map((row) => row.key)).toContain(key);
    await restoreNearMiss(window, key);
    await empty(window);
    expect(await world.records('Edited text')).toHaveLength(1);
  });

  it('promise 5, decisions §1.7: a change by someone else is found before the write', async () => {
    const window = await start();
    const incident_id = await incident(window);
    const key = await save(window, incident_id, 'Shared record', []);
    await empty(window);
    const row = await window.db.near_misses.get(key);
    await world.host.request('near_misses.update', {
      params: { project_id: scope().project_id, id: row?.server_id ?? 0 },
      body: { near_miss: { description: '<p>Shared record, theirs</p>' } },
    });
    await editNearMiss(window, key, { description: '<p>Shared record, mine</p>' });
    await until('parked', async () => (await queueCounts(window, scope().account)).parked === 1);
    const [item] = await queueItems(window, scope().account);
    expect(item?.operations[0]?.problem?.kind).toBe('conflict');
    const [record] = await world.records('Shared record');
    expect(record?.description_plain_text).toBe('Shared record, theirs');
  });

  it('A10: what the service refuses carries the service words, and a correction arrives once', async () => {
    const window = await start();
    const incident_id = await incident(window);
    const key = await save(window, 999_999, 'Wrong incident', []);
    await until('parked', async () => (await queueCounts(window, scope().account)).parked === 1);
    const [item] = await queueItems(window, scope().account);
    expect(item?.operations[0]?.problem).toMatchObject({ kind: 'refused', status: 422 });
    await editNearMiss(window, key, { incident_id });
    await empty(window);
    expect(await world.records('Wrong incident')).toHaveLength(1);
  });
});
