/**
 * A lost answer followed by a month offline, against the real host and service: the service has forgotten the key (decisions
 * §1.5). key-over.test.ts has the cases, against the scripted service.
 */
import { Dexie } from 'dexie';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ulid } from 'ulid';
import { refreshCatalog } from '../../../src/renderer/data/db/catalog.ts';
import { emptyFields } from '../../../src/renderer/data/model/near-miss-rows.ts';
import { history } from '../../../src/renderer/data/near-misses/history.ts';
import { saveNearMiss } from '../../../src/renderer/data/near-misses/near-misses.ts';
import { queueCounts } from '../../../src/renderer/outbox/queue/queue.ts';
import { type StartedWindow, startWindow } from '../../../src/renderer/outbox/start.ts';
import { type RealWorld, realWorld } from '../../support/renderer-real.ts';
import { until } from '../../support/renderer-window.ts';

const DAY_MS = 86_400_000;
const TEXT = 'Sling slipped off the hook';

let world: RealWorld;
let window: StartedWindow;
let db_name: string;
beforeEach(async () => {
  world = await realWorld(true);
  db_name = `key-over-${ulid()}`;
  const engine = { lock_name: `outbox-${db_name}`, random: () => 0 };
  const started = await startWindow(world.host, { history, db_name, engine });
  if (!started.ok) throw new Error(JSON.stringify(started.problem));
  window = started.value;
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

/** Saves a report; its create is executed, the answer is lost, and the laptop is offline from then on. */
const loseAnswer = async (): Promise<string> => {
  const catalog = await refreshCatalog(window, scope());
  if (!catalog.ok) throw new Error(JSON.stringify(catalog.problem));
  const incident_id = catalog.value.catalog.incidents[0]?.id ?? 0;
  await world.weather('lost_then_away');
  const id = ulid();
  const fields = { ...emptyFields, incident_id, description: `<p>${TEXT}</p>` };
  const saved = await saveNearMiss(window, { id, ...scope(), fields });
  if (!saved.ok) throw new Error(JSON.stringify(saved.problem));
  await until('the answer is lost', async () => {
    const [operation] = await window.db.operations.toArray();
    return operation?.state === 'waiting' && operation.attempts > 0;
  });
  return id;
};

const comeBack = async (after_ms: number): Promise<void> => {
  await world.later(after_ms);
  await world.weather('fair');
  window.engine.wake();
  await until(
    'nothing waits',
    async () => (await queueCounts(window, scope().account)).operations === 0,
  );
};

it('A70, decisions §1.5: eight days later the real service has one record, and the report is that one', async () => {
  const key = await loseAnswer();
  const [made, ...more] = await world.records(TEXT);
  expect([typeof made?.id, more]).toEqual(['number', []]);
  const { posts } = await world.seen();
  await comeBack(8 * DAY_MS);
  expect((await world.records(TEXT)).map(({ id }) => id)).toEqual([made?.id]);
  expect((await window.db.near_misses.get(key))?.server_id).toBe(made?.id);
  // Found by the lookup: no create was sent again.
  expect((await world.seen()).posts).toBe(posts);
});

it('A70, decisions §1.5: within the window the key answers, and the real service has one record', async () => {
  const key = await loseAnswer();
  const [made] = await world.records(TEXT);
  const { posts } = await world.seen();
  await comeBack(5 * DAY_MS);
  expect((await world.records(TEXT)).map(({ id }) => id)).toEqual([made?.id]);
  expect((await window.db.near_misses.get(key))?.server_id).toBe(made?.id);
  expect((await world.seen()).posts).toBeGreaterThan(posts);
});
