/**
 * A file far larger than the memory limit: streamed from the window's chunks into the spool, uploaded in segments, and
 * verified. Host and service are separate processes, and the kernel reports their peaks. SPOTTER_LARGE_MB sets another size;
 * 2,048 is the promise (failures A29) and takes minutes.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ulid } from 'ulid';
import { expect, it, onTestFinished } from 'vitest';
import { bareDemo, clientOf, spawnService, tempDir } from '../support/service.ts';
import { onto } from './fixtures/delivery.ts';
import { temporaryFolder } from './fixtures/folder.ts';
import { spawnHost } from './fixtures/spawn-host.ts';

const MIB = 1024 * 1024;
const LARGE = Number(process.env['SPOTTER_LARGE_MB'] ?? 160);
/** Limit of growth of either process, MiB: buffers and garbage, at any file size. */
const GROWTH = 112;

/** Peak resident memory since it started, MiB. */
const peak = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? NaN) / 1024;

/** The nth mebibyte of a film: the first starts as MP4, and each is different. */
const part = (n: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(MIB).fill(n % 251);
  new DataView(bytes.buffer).setUint32(64, n);
  if (n === 0) bytes.set(Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1'));
  return bytes;
};

it.skipIf(process.platform !== 'linux')(
  `failures A29: ${LARGE} MiB through spool, upload, service, receipt; neither side grows by over ${GROWTH} MiB`,
  { timeout: 300_000 + 5 * LARGE * 1_000 },
  async () => {
    const data = tempDir('large');
    onTestFinished(() => data.remove());
    const service = await spawnService(bareDemo(data.path));
    onTestFinished(() => service.end('SIGKILL').then(() => undefined));
    const { first } = service;
    const client = clientOf(first.url, first);
    const host = await spawnHost(await temporaryFolder());
    await host.call('session.connect', {
      kind: 'server',
      address: first.url,
      company_id: first.company_id,
      project_id: first.project_id,
      token: first.token,
    });
    const { json: incidents } = await client.get('~/incidents');

    const film = async (mebibytes: number) => {
      const began = performance.now();
      const photo_id = ulid();
      const whole = createHash('sha256');
      const size = mebibytes * MIB;
      await host.call('photos.begin', { photo_id, filename: 'crane.mp4', size });
      for (let n = 0; n < mebibytes; n += 1) {
        const bytes = part(n);
        whole.update(bytes);
        await host.call('photos.write', { photo_id, offset: n * MIB }, bytes);
      }
      const facts = await host.call('photos.finish', { photo_id });
      const sha256 = whole.digest('hex');
      expect(facts).toMatchObject({ size, sha256, content_type: 'video/mp4' });
      const spooled = performance.now();
      await host.call('photos.upload', { photo_id, company_id: first.company_id });
      const made = await client.post('~/incidents/near_misses', {
        near_miss: { incident_id: incidents[0].id },
      });
      expect(made.status, made.text).toBe(201);
      const sent = performance.now();
      const delivered = await host.call('photos.deliver', onto(first, photo_id, made.json.id));
      expect(delivered).toMatchObject({ receipt: { size, sha256 } });
      const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(1);
      return `spooled ${seconds(began, spooled)} s, sent ${seconds(spooled, sent)} s, read back ${seconds(sent, performance.now())} s`;
    };

    await film(24); // warm-up: the first file loads code, pools and buffers
    const before = { host: peak(host.pid), service: peak(service.child.pid ?? 0) };
    const took = await film(LARGE);
    const grown = {
      host: peak(host.pid) - before.host,
      service: peak(service.child.pid ?? 0) - before.service,
    };
    console.log(
      `${LARGE} MiB: ${took}; peaks host ${Math.round(before.host)} + ${Math.round(grown.host)} MiB, service ${Math.round(before.service)} + ${Math.round(grown.service)} MiB`,
    );
    expect(grown.host).toBeLessThan(GROWTH);
    expect(grown.service).toBeLessThan(GROWTH);
  },
);
