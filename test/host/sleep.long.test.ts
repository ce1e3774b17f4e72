/**
 * A laptop that sleeps during an upload (failures A31): the host is stopped by SIGSTOP and continued by SIGCONT. The idle
 * timeout is shortened from 30 s to 1.5 s, so a sleep of 3 s is twice as long.
 */
import { createHash } from 'node:crypto';
import { ulid } from 'ulid';
import { expect, it, onTestFinished } from 'vitest';
import { startChaos, type Seen } from '../support/chaos.ts';
import { makeLongJpeg } from '../support/jpeg.ts';
import { startTestService } from '../support/service.ts';
import { temporaryFolder, until } from './fixtures/folder.ts';
import { spawnHost } from './fixtures/spawn-host.ts';

const IDLE_MS = 1_500;
const SLEEP_MS = 3_000;
const isSegment = (seen: Seen): boolean => seen.method === 'PUT';

const asleep = async (pid: number, meanwhile: () => void): Promise<void> => {
  process.kill(pid, 'SIGSTOP');
  try {
    meanwhile();
    await new Promise((resolve) => setTimeout(resolve, SLEEP_MS));
  } finally {
    process.kill(pid, 'SIGCONT');
  }
};

it.skipIf(process.platform === 'win32')(
  'failures A31: asleep in a segment, connections dead when it wakes: the upload goes on, nothing is doubled',
  async () => {
    const service = await startTestService();
    onTestFinished(() => service.stop());
    const chaos = await startChaos(service.url);
    onTestFinished(() => chaos.close());
    const { demo } = service;
    const host = await spawnHost(await temporaryFolder(), { idle_ms: IDLE_MS });
    await host.call('session.connect', {
      kind: 'server',
      address: chaos.url,
      token: demo.token,
      company_id: demo.company_id,
      project_id: demo.project_id,
    });
    const jpeg = await makeLongJpeg({ seed: 31, bytes: 5_000_000 });
    const photo_id = ulid();
    await host.call('photos.begin', { photo_id, filename: 'a.jpg', size: jpeg.length });
    for (let offset = 0; offset < jpeg.length; offset += 1_000_000)
      await host.call(
        'photos.write',
        { photo_id, offset },
        jpeg.subarray(offset, offset + 1_000_000),
      );
    await host.call('photos.finish', { photo_id });

    // After two segments everything is held in its middle for good, so the host sees silent connections.
    const gate = Promise.withResolvers<void>();
    onTestFinished(() => gate.resolve());
    let segments = 0;
    chaos.plan = (seen) =>
      isSegment(seen) && (segments += 1) > 2
        ? { kind: 'hold_request', after: 200_000, until: gate.promise }
        : null;
    const input = { photo_id, company_id: demo.company_id };
    const first = host.reply('photos.upload', input);
    const stored = () => chaos.seen.filter((seen) => isSegment(seen) && seen.status === 200);
    const held = () =>
      chaos.seen.filter((seen) => isSegment(seen) && seen.status === 0 && seen.received > 200_000);
    await until(() => stored().length === 2 && held().length > 0, 'a segment in its middle');
    const before = stored().map((seen) => seen.path.split('?')[0]);
    await asleep(host.pid, () => (chaos.plan = () => null));
    const woken = performance.now();

    // It does not wait for dead connections: the call ends with success or with a retryable problem.
    let result = await first;
    expect(performance.now() - woken).toBeLessThan(15_000);
    for (let tries = 0; !result.ok && tries < 5; tries += 1) {
      expect(['timeout', 'offline']).toContain(result.problem.kind);
      result = await host.reply('photos.upload', input);
    }
    if (!result.ok) throw new Error(JSON.stringify(result.problem));
    const { upload_uuid } = result.value as { upload_uuid: string };
    const again = stored().filter((seen) => before.includes(seen.path.split('?')[0]));
    expect(again, 'segments that were in are not sent again').toHaveLength(2);
    const begun = chaos.seen.filter((seen) => seen.method === 'POST' && /uploads$/.test(seen.path));
    expect(begun, 'one upload').toHaveLength(1);
    const { json: incidents } = await demo.get('~/incidents');
    const made = await service.demo.post('~/incidents/near_misses', {
      near_miss: { incident_id: incidents[0].id, upload_uuids: [upload_uuid] },
    });
    expect(made.json.attachments).toHaveLength(1);
    const sha256 = createHash('sha256').update(jpeg).digest('hex');
    expect(made.json.attachments[0].sha256).toBe(sha256);
  },
);

it.skipIf(process.platform === 'win32')(
  'failures A31: asleep while the answer to a create is on its way: the same key again, one record',
  async () => {
    const service = await startTestService();
    onTestFinished(() => service.stop());
    const chaos = await startChaos(service.url);
    onTestFinished(() => chaos.close());
    const { demo } = service;
    const host = await spawnHost(await temporaryFolder(), { idle_ms: IDLE_MS });
    await host.call('session.connect', {
      kind: 'server',
      address: chaos.url,
      token: demo.token,
      company_id: demo.company_id,
      project_id: demo.project_id,
    });
    const { json: incidents } = await demo.get('~/incidents');
    const key = ulid();
    const create = {
      endpoint: 'near_misses.create',
      input: {
        params: { project_id: demo.project_id },
        body: { near_miss: { incident_id: incidents[0].id, description: `slept ${key}` } },
        idempotency_key: key,
      },
    };
    chaos.plan = (seen) => (seen.method === 'POST' ? { kind: 'drip', every_ms: 10_000 } : null);
    const first = host.reply('rest.request', create);
    await until(() => chaos.seen.some((seen) => seen.status === 201), 'the service to commit');
    await asleep(host.pid, () => (chaos.plan = () => null));
    const answer = await first;
    expect(answer.ok).toBe(false);
    expect(await host.call('rest.request', create)).toMatchObject({ status: 201, replayed: true });
    const list = await demo.get(`~/incidents/near_misses?filters[query]=${key}`);
    expect(list.headers.get('total')).toBe('1');
  },
);
