/**
 * A29 in short: a full queue in a real window, with the real host and service. `npm run bench -- queue` measures times and
 * memory; this file has the conditions that hold on any machine.
 */
import { Dexie } from 'dexie';
import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refreshCatalog } from '../../../src/renderer/data/db/catalog.ts';
import { listNearMisses } from '../../../src/renderer/data/index/near-miss-list.ts';
import { emptyFields } from '../../../src/renderer/data/model/near-miss-rows.ts';
import { saveNearMiss } from '../../../src/renderer/data/near-misses/near-misses.ts';
import { queueCounts } from '../../../src/renderer/outbox/queue/queue.ts';
import { history } from '../../../src/renderer/data/near-misses/history.ts';
import { type StartedWindow, startWindow } from '../../../src/renderer/outbox/start.ts';
import { takeIn } from '../../../src/renderer/photos/intake.ts';
import { queueMany } from '../../support/renderer-queue.ts';
import { type RealWorld, realWorld } from '../../support/renderer-real.ts';
import { photoBytes, until } from '../../support/renderer-window.ts';

const COUNT = 1_000;

let world: RealWorld;
let db_name: string;
let window: StartedWindow;
const start = async (): Promise<StartedWindow> => {
  const engine = { lock_name: `outbox-${db_name}`, random: () => 0 };
  const answer = await startWindow(world.host, { history, db_name, engine });
  if (!answer.ok) throw new Error(JSON.stringify(answer.problem));
  return answer.value;
};
beforeEach(async () => {
  world = await realWorld();
  db_name = `full-${ulid()}`;
  window = await start();
});
afterEach(async () => {
  await window.stop();
  await Dexie.delete(db_name);
  await world.stop();
});

const scope = () => ({
  account: world.session.account ?? '',
  company_id: world.session.company?.id ?? 0,
  project_id: world.session.project?.id ?? 0,
});
const catalogOf = async () => {
  const answer = await refreshCatalog(window, scope());
  if (!answer.ok) throw new Error(JSON.stringify(answer.problem));
  return answer.value.catalog;
};
const save = async (text: string, incident_id: number, files: readonly File[] = []) => {
  const id = ulid();
  const taken = await takeIn(window, { account: scope().account, draft_id: id }, files);
  for (const one of taken) if (!one.ok) throw new Error(JSON.stringify(one.refusal));
  const fields = { ...emptyFields, incident_id, description: `<p>${text}</p>` };
  const saved = await saveNearMiss(window, { id, ...scope(), fields });
  if (!saved.ok) throw new Error(JSON.stringify(saved.problem));
  return id;
};
const waiting = async () => (await queueCounts(window, scope().account)).operations;

describe('a full queue', () => {
  it('A29: 1,000 wait: the window opens on them, saves, lists and searches meanwhile, and each arrives once', async () => {
    const catalog = await catalogOf();
    await world.weather('down');
    await queueMany(window, scope(), catalog, COUNT);
    await window.stop();
    window = await start();
    expect(window.repaired.rebuilt).toBe(0);
    expect(await waiting()).toBe(COUNT);
    await world.weather('fair');
    window.engine.wake();
    await until('the first have gone', async () => (await waiting()) < COUNT);
    await save('Entered meanwhile', catalog.incidents[0]?.id ?? 0);
    const asked = { ...scope(), offset: 0, limit: 50 };
    expect((await listNearMisses(window, asked)).rows).toHaveLength(50);
    const found = await listNearMisses(window, { ...asked, query: `record ${COUNT - 1}.` });
    expect(found.rows).toHaveLength(1);
    // It was shown before the queue had emptied.
    expect(await waiting()).toBeGreaterThan(0);
    await until('nothing waits', async () => (await waiting()) === 0, 400_000);
    const records = await world.records('Bench record');
    expect(new Set(records.map((one) => one.description_plain_text)).size).toBe(COUNT);
    expect(records).toHaveLength(COUNT);
    expect(await world.records('Entered meanwhile')).toHaveLength(1);
    await until('the journal knows', async () => {
      const journal = await world.host.call('journal.list', {});
      return journal.ok && journal.value.operations.length === 0;
    });
  }, 600_000);

  it('A29: photos of one record are uploaded side by side and hang on it in the order they were taken', async () => {
    const catalog = await catalogOf();
    const names = ['first.jpg', 'second.jpg', 'third.jpg', 'fourth.jpg', 'fifth.jpg'];
    await world.weather('down');
    // The first is the largest, so in parallel a later one would arrive before it.
    const files = names.map((name, n) => new File([photoBytes(900_000 >> n, n)], name));
    const key = await save('Five photos', catalog.incidents[0]?.id ?? 0, files);
    const uploading = new Set<string>();
    let most = 0;
    const call = window.host.call;
    Object.assign(window.host, {
      call: async (method: never, input: never, bytes: never) => {
        if (!['photos.upload', 'photos.deliver'].includes(method))
          return call(method, input, bytes);
        uploading.add((input as { photo_id: string }).photo_id);
        most = Math.max(most, uploading.size);
        const answer = await call(method, input, bytes);
        uploading.delete((input as { photo_id: string }).photo_id);
        return answer;
      },
    });
    await world.weather('fair');
    window.engine.wake();
    await until('nothing waits', async () => (await waiting()) === 0);
    const [record] = await world.records('Five photos');
    expect(record?.attachments?.map((one) => one.filename)).toEqual(names);
    expect(
      (await window.db.photos.where('near_miss_key').equals(key).toArray()).map((one) => one.state),
    ).toEqual(names.map(() => 'delivered'));
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(4);
  });
});
