/**
 * A network that goes up and down (failures A24), by a seed, between the real host and service. The queue empties, everything
 * arrives once, and neither a record nor the probe is requested more often than the outages explain.
 */
import { Dexie } from 'dexie';
import { ulid } from 'ulid';
import { afterEach, expect, it } from 'vitest';
import { refreshCatalog } from '../../../src/renderer/data/db/catalog.ts';
import { emptyFields } from '../../../src/renderer/data/model/near-miss-rows.ts';
import { saveNearMiss } from '../../../src/renderer/data/near-misses/near-misses.ts';
import type { Host } from '../../../src/renderer/host/client.ts';
import { FLOOR_MS } from '../../../src/renderer/outbox/engine/backoff.ts';
import { history } from '../../../src/renderer/data/near-misses/history.ts';
import { startWindow } from '../../../src/renderer/outbox/start.ts';
import { takeIn } from '../../../src/renderer/photos/intake.ts';
import { randomFrom } from '../../prove/random.ts';
import { jpegWith } from '../../support/renderer-jpeg.ts';
import { type RealWorld, realWorld } from '../../support/renderer-real.ts';
import { photoBytes, until } from '../../support/renderer-window.ts';

const OUTAGES = 8;
const RECORDS = 30;
const closings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

/** Counts calls to the host: creates by key, and probes. */
const counting = (world: RealWorld) => {
  const creates = new Map<string, number>();
  let probes = 0;
  const host: Host = {
    ...world.host,
    call: (method, input, bytes) => {
      if (method === 'reach.check') probes += 1;
      return world.host.call(method, input, bytes);
    },
    request: (name, input, account) => {
      const key = (input as { idempotency_key?: string }).idempotency_key;
      if (name === 'near_misses.create' && key !== undefined)
        creates.set(key, (creates.get(key) ?? 0) + 1);
      return world.host.request(name, input, account);
    },
  };
  return { host, creates, probes: () => probes };
};

const openWindow = async (host: Host, seed: number) => {
  const db_name = `flapping-${ulid()}`;
  const answer = await startWindow(host, {
    history,
    db_name,
    engine: { lock_name: db_name, random: randomFrom(seed) },
  });
  if (!answer.ok) throw new Error(JSON.stringify(answer.problem));
  closings.push(
    () => Dexie.delete(db_name),
    () => answer.value.stop(),
  );
  return answer.value;
};

it.each([1, 2])(
  'A24: the network flaps by seed %i: the queue empties, everything is there once, tries are bounded',
  { timeout: 300_000 },
  async (seed) => {
    const world = await realWorld();
    closings.push(world.stop);
    const { host, creates, probes } = counting(world);
    const window = await openWindow(host, seed);
    const { session } = world;
    const scope = {
      account: session.account ?? '',
      company_id: session.company?.id ?? 0,
      project_id: session.project?.id ?? 0,
    };
    const catalog = await refreshCatalog(window, scope);
    const incident_id = catalog.ok ? (catalog.value.catalog.incidents[0]?.id ?? 0) : 0;
    await world.flap(seed, OUTAGES);
    const began = performance.now();
    for (let n = 0; n < RECORDS; n += 1) {
      const id = ulid();
      if (n % 5 === 0) {
        const head = new Uint8Array(await (await jpegWith(64, 48, {})).arrayBuffer());
        const photo = new File([head, photoBytes(300_000, n)], `photo-${n}.jpg`);
        await takeIn(window, { account: scope.account, draft_id: id }, [photo]);
      }
      const fields = { ...emptyFields, incident_id, description: `<p>Flapping ${n}</p>` };
      expect(await saveNearMiss(window, { id, ...scope, fields })).toMatchObject({ ok: true });
    }
    // Outages need requests: pending operations make some, and at the end this probe does.
    const asking = setInterval(() => void world.host.call('reach.check', {}), 300);
    closings.push(async () => clearInterval(asking));
    const outages = await world.flapped();
    clearInterval(asking);
    await until('nothing waits', async () => (await window.db.operations.count()) === 0, 200_000);
    const seconds = (performance.now() - began) / 1000;

    expect(outages).toBe(OUTAGES);
    const records = await world.records('Flapping');
    expect(records).toHaveLength(RECORDS);
    expect(new Set(records.map((one) => one.description_plain_text)).size).toBe(RECORDS);
    expect(records.filter((one) => one.attachments?.length === 1)).toHaveLength(RECORDS / 5);
    // An outage costs a record at most one attempt: during it only the probe is sent.
    expect(creates.size).toBe(RECORDS);
    expect(Math.max(...creates.values())).toBeLessThanOrEqual(1 + outages);
    expect(probes()).toBeLessThanOrEqual((seconds * 1000) / FLOOR_MS + outages);
  },
);
