/** A host killed by SIGKILL in the middle of its work and restarted on the same folder: nothing is lost, little is resent. */
import { createHash } from 'node:crypto';
import { ulid } from 'ulid';
import { expect, it, onTestFinished } from 'vitest';
import type { JournalOperation } from '../../src/contract/host.ts';
import type { Plan, Seen } from '../support/chaos.ts';
import { startChaos } from '../support/chaos.ts';
import { makeLongJpeg } from '../support/jpeg.ts';
import { startTestService } from '../support/service.ts';
import { newNearMiss, onto } from './fixtures/delivery.ts';
import { temporaryFolder, until } from './fixtures/folder.ts';
import { spawnHost } from './fixtures/spawn-host.ts';
import { slow, SLOW } from '../support/slow.ts';

const isSegment = (seen: Seen): boolean => seen.method === 'PUT';
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const world = async () => {
  const service = await startTestService();
  onTestFinished(() => service.stop());
  const chaos = await startChaos(service.url);
  onTestFinished(() => chaos.close());
  const folder = await temporaryFolder();
  const { demo } = service;
  const connect = {
    kind: 'server' as const,
    address: chaos.url,
    company_id: demo.company_id,
    project_id: demo.project_id,
    token: demo.token,
  };
  return { service, chaos, folder, demo, connect };
};

const operation = (seq: number, photo_id?: string): JournalOperation => ({
  id: ulid(),
  seq,
  account: 'a',
  kind: 'near_miss.create',
  version: 1,
  lane: `lane-${seq}`,
  created_at: 1,
  payload: { text: `near miss ${seq}`, photo_id },
});

/** Passes the first `pass` segments and holds later ones in their middle. */
const holdAfter = (pass: number, until: Promise<unknown>): Plan => {
  let count = 0;
  return (seen) => {
    if (!isSegment(seen)) return null;
    count += 1;
    return count > pass ? { kind: 'hold_request', after: 200_000, until } : null;
  };
};

it('failures A1: SIGKILL in a segment; restarted, only unfinished segments are sent again and every byte is equal', async () => {
  const { chaos, folder, demo, connect } = await world();
  const jpeg = await makeLongJpeg({ seed: 11, bytes: 6_000_000 });
  const gate = Promise.withResolvers<void>();
  gate.promise.catch(() => undefined);
  chaos.plan = holdAfter(2, gate.promise);
  const first = await spawnHost(folder);
  await first.call('session.connect', connect);
  const photo_id = ulid();
  await first.call('photos.begin', { photo_id, filename: 'a.jpg', size: jpeg.length });
  for (let offset = 0; offset < jpeg.length; offset += 1_000_000)
    await first.call(
      'photos.write',
      { photo_id, offset },
      jpeg.subarray(offset, offset + 1_000_000),
    );
  await first.call('photos.finish', { photo_id });
  void first.reply('photos.upload', { photo_id, company_id: demo.company_id });
  const segments = (status: number) =>
    chaos.seen.filter((seen) => isSegment(seen) && seen.status === status);
  await until(
    () =>
      segments(200).length === 2 &&
      segments(0).filter((seen) => seen.received > 200_000).length === 3,
    'two segments stored and three held in their middle',
  );
  await first.kill();
  gate.reject(new Error('the host is dead: what it had on its way is lost'));
  chaos.plan = () => null;
  const stored = chaos.seen.filter((seen) => isSegment(seen) && seen.status === 200);
  expect(stored).toHaveLength(2);
  chaos.seen.length = 0;

  const second = await spawnHost(folder);
  expect(second.started).toBe(true);
  await second.call('session.connect', connect);
  const { upload_uuid } = await second.call('photos.upload', {
    photo_id,
    company_id: demo.company_id,
  });
  const sentAgain = chaos.seen.filter(isSegment);
  expect(sentAgain).toHaveLength(Math.ceil(jpeg.length / 1_048_576) - 2);
  const storedPaths = stored.map((seen) => seen.path.split('?')[0]);
  expect(sentAgain.filter((seen) => storedPaths.includes(seen.path.split('?')[0]))).toHaveLength(0);
  const { id } = await newNearMiss(demo);
  const sent = await second.call('photos.deliver', onto(demo, photo_id, id));
  expect(sent).toMatchObject({ upload_uuid, receipt: { sha256: sha256(jpeg) } });
});

it('failures A2, A3: killed after the commit, before the answer was used: the same key makes no second record', async () => {
  const { chaos, folder, demo, connect } = await world();
  const { json: incidents } = await demo.get('~/incidents');
  const key = ulid();
  const create = {
    endpoint: 'near_misses.create',
    input: {
      params: { project_id: demo.project_id },
      body: { near_miss: { incident_id: incidents[0].id, description: `once ${key}` } },
      idempotency_key: key,
    },
  };
  const first = await spawnHost(folder);
  await first.call('session.connect', connect);
  const gate = Promise.withResolvers<void>();
  onTestFinished(() => gate.resolve());
  chaos.plan = (seen) => (seen.method === 'POST' ? { kind: 'drip', every_ms: 1000 } : null);
  void first.reply('rest.request', create);
  await until(() => chaos.seen.some((seen) => seen.status === 201), 'the service to commit');
  await first.kill();
  chaos.plan = () => null;
  const second = await spawnHost(folder);
  await second.call('session.connect', connect);
  expect(await second.call('rest.request', create)).toMatchObject({ status: 201, replayed: true });
  const list = await demo.get(`~/incidents/near_misses?filters[query]=${key}`);
  expect(list.headers.get('total')).toBe('1');
});

slow(
  'outbox promise 1: every journal operation that was acknowledged is there after SIGKILL, and settled ones stay settled',
  async () => {
    const folder = await temporaryFolder();
    const acknowledged: string[] = [];
    const settled: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      const host = await spawnHost(folder);
      const { operations } = await host.call('journal.list', {});
      const there = new Set(operations.map((one) => one.id));
      expect(acknowledged.filter((id) => !there.has(id) && !settled.includes(id))).toEqual([]);
      expect(settled.filter((id) => there.has(id))).toEqual([]);
      if (round > 0) {
        const done = operations.slice(0, 3).map((one) => one.id);
        await host.call('journal.settle', {
          operation_ids: done,
          links: [{ local_id: done[0] ?? '', server_id: round }],
        });
        settled.push(...done);
      }
      const killAt = 20 + round * 37;
      const appends = Array.from({ length: 200 }, async (_, at) => {
        const one = operation(round * 1000 + at);
        const result = await Promise.race([
          host.reply('journal.append', { operations: [one] }),
          new Promise<null>((resolve) => setTimeout(resolve, 5_000, null).unref()),
        ]);
        if (result?.ok) acknowledged.push(one.id);
        if (acknowledged.length >= killAt * (round + 1)) void host.kill();
      });
      await Promise.race([
        Promise.all(appends),
        until(() => acknowledged.length >= killAt * (round + 1), 'enough appends').catch(
          () => undefined,
        ),
      ]);
      await host.kill();
    }
    expect(acknowledged.length).toBeGreaterThan(100);
  },
);

slow(
  'failures A21, A22: a second host on the folder is refused in a sentence; after SIGKILL of the first it starts in 10 s',
  async () => {
    const folder = await temporaryFolder();
    const first = await spawnHost(folder);
    const second = await spawnHost(folder);
    expect(second.started).toBe(false);
    expect(second.problem).toMatchObject({ kind: 'already_running' });
    expect(second.problem?.detail).toMatch(/already open on this data folder/);
    await first.kill();
    const start = performance.now();
    const third = await spawnHost(folder);
    expect(third.started).toBe(true);
    expect(performance.now() - start).toBeLessThan(10_000);
  },
);

slow(
  'failures A22: the lock of a killed host is wanted by four at once: exactly one of them has it',
  async () => {
    const folder = await temporaryFolder();
    const first = await spawnHost(folder);
    await first.kill();
    const hosts = await Promise.all(Array.from({ length: 4 }, () => spawnHost(folder)));
    const [one, ...others] = hosts.filter((host) => host.started);
    expect(others).toEqual([]);
    for (const host of hosts.filter((each) => !each.started))
      expect(host.problem).toMatchObject({ kind: 'already_running' });
    await one?.kill();
    expect((await spawnHost(folder)).started).toBe(true);
  },
);

it.skipIf(process.platform === 'win32')(
  'failures A21: a host that sleeps (SIGSTOP) is not robbed of its folder',
  SLOW,
  async () => {
    const folder = await temporaryFolder();
    const first = await spawnHost(folder);
    process.kill(first.pid, 'SIGSTOP');
    try {
      const second = await spawnHost(folder);
      expect(second.problem).toMatchObject({ kind: 'already_running' });
    } finally {
      process.kill(first.pid, 'SIGCONT');
    }
    expect(await first.call('journal.list', {})).toMatchObject({ operations: [] });
  },
);
