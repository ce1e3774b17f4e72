/**
 * The queue never gives up (failures A5, A24), on the real path: window, host, a proxy that refuses writes or cuts photo bytes
 * repeatedly, service. Nothing is parked, and everything arrives once the network recovers.
 */
import { Dexie } from 'dexie';
import { ulid } from 'ulid';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { refreshCatalog } from '../../../src/renderer/data/db/catalog.ts';
import { emptyFields } from '../../../src/renderer/data/model/near-miss-rows.ts';
import { saveNearMiss } from '../../../src/renderer/data/near-misses/near-misses.ts';
import { queueCounts, openBreakerOf } from '../../../src/renderer/outbox/queue/queue.ts';
import { history } from '../../../src/renderer/data/near-misses/history.ts';
import { type StartedWindow, startWindow } from '../../../src/renderer/outbox/start.ts';
import { takeIn } from '../../../src/renderer/photos/intake.ts';
import { jpegWith } from '../../support/renderer-jpeg.ts';
import { type RealWorld, realWorld } from '../../support/renderer-real.ts';
import { photoBytes, until } from '../../support/renderer-window.ts';

let world: RealWorld;
let window: StartedWindow;
let db_name: string;
let incident_id: number;
/** The most operations seen parked since the start; updated with every count. */
let parked: number;

beforeEach(async () => {
  world = await realWorld();
  db_name = `lossy-${ulid()}`;
  const answer = await startWindow(world.host, {
    history,
    db_name,
    engine: { lock_name: db_name },
  });
  if (!answer.ok) throw new Error(JSON.stringify(answer.problem));
  window = answer.value;
  const catalog = await refreshCatalog(window, scope());
  incident_id = catalog.ok ? (catalog.value.catalog.incidents[0]?.id ?? 0) : 0;
  parked = 0;
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
const counts = async () => {
  const now = await queueCounts(window, scope().account);
  parked = Math.max(parked, now.parked);
  return now;
};
const save = async (text: string, size = 0) => {
  const id = ulid();
  if (size > 0) {
    const head = new Uint8Array(await (await jpegWith(64, 48, {})).arrayBuffer());
    const file = new File([head, photoBytes(size, text.length)], 'photo.jpg');
    const [taken] = await takeIn(window, { account: scope().account, draft_id: id }, [file]);
    if (taken?.ok !== true) throw new Error(JSON.stringify(taken));
  }
  const fields = { ...emptyFields, incident_id, description: `<p>${text}</p>` };
  const saved = await saveNearMiss(window, { id, ...scope(), fields });
  if (!saved.ok) throw new Error(JSON.stringify(saved.problem));
};
/** Delivered without a press by anyone. */
const delivered = (ms: number) =>
  until('nothing waits', async () => (await counts()).operations === 0, ms);

it.each([
  [503, undefined],
  [503, 1],
  [507, undefined],
  [500, undefined],
] as const)(
  'A5: reads are answered, writes are %i (Retry-After %s): 12 reports are held, none parked, all go within a minute',
  { timeout: 600_000 },
  async (writes, after) => {
    await world.weather('down');
    for (let n = 0; n < 12; n += 1) await save(`Unwritable ${n}`);
    await world.weather({ writes, ...(after === undefined ? {} : { after }) });
    // Counted from here, because every earlier request was refused.
    const { posts } = await world.seen();
    window.engine.wake();
    await until('some were tried', async () => {
      await counts();
      return (await world.seen()).posts - posts >= 4;
    });
    const held = async () => (await openBreakerOf(window, scope().account))?.problem.kind;
    await until('held', async () => (await held()) === 'server_error');
    expect((await counts()).operations).toBe(12);
    await world.weather('fair');
    await delivered(60_000);
    expect(parked).toBe(0);
    expect(await world.records('Unwritable')).toHaveLength(12);
  },
);

it.each([
  ['30 %', 0.3, 2, 12_000_000],
  ['5 %', 0.05, 1, 60_000_000],
] as const)(
  'A24: %s of the requests that carry photo bytes are cut: nothing is parked, and every photo arrives while it goes on',
  { timeout: 600_000 },
  async (_share, cuts, files, size) => {
    await world.weather({ cuts, seed: 7 });
    for (let n = 0; n < files; n += 1) await save(`Lossy ${n}`, size);
    await delivered(500_000);
    expect(parked).toBe(0);
    const records = await world.records('Lossy');
    expect(records.map(({ attachments }) => attachments?.map((one) => one.size))).toEqual(
      Array.from({ length: files }, () => [expect.closeTo(size, -4)]),
    );
    // The faults really happened.
    const { puts, puts_in } = await world.seen();
    expect(puts - puts_in).toBeGreaterThan(0);
  },
);
