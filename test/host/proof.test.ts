/** A photo counts as delivered once the server proved that it holds it (decisions §5.10): no second transfer, and nothing weaker. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { beforeAll, expect, it } from 'vitest';
import { PROOF_TYPE } from '../../src/contract/rest/protocol/proof.ts';
import { firstOf, type Seen } from '../support/chaos.ts';
import { makeJpeg } from '../support/jpeg.ts';
import { newNearMiss, onto } from './fixtures/delivery.ts';
import { startServerWorld } from './fixtures/world.ts';

let jpeg: Buffer;
beforeAll(async () => {
  jpeg = await makeJpeg({ seed: 12, bytes: 120_000 });
});

/** A photo, and the call that delivers it to a near miss of the real service. */
const setUp = async () => {
  const world = await startServerWorld();
  const { demo } = world.service;
  const photo_id = ulid();
  await world.spool(photo_id, 'site photo.jpg', jpeg);
  const { id } = await newNearMiss(demo);
  const reads = () => world.chaos.seen.filter(isRead);
  return { world, reads, deliver: () => world.call('photos.deliver', onto(demo, photo_id, id)) };
};
const isRead = ({ method, path }: Seen): boolean =>
  method === 'GET' && path.startsWith('/storage/files/');
const nonceOf = ({ headers }: Seen): string | null => {
  const nonce = headers['proof-nonce'];
  return typeof nonce === 'string' ? nonce : null;
};
const sumOf = (nonce: string, bytes: Uint8Array): string =>
  createHash('sha256').update(Buffer.from(nonce, 'hex')).update(bytes).digest('hex');

it('decisions §5.10: one small answer proves every byte, and the receipt says so; each proof has its own nonce', async () => {
  const { world, reads, deliver } = await setUp();
  expect(await deliver()).toMatchObject({
    outcome: 'delivered',
    receipt: { checked: 'proof', size: jpeg.length },
  });
  expect(reads()).toHaveLength(1);
  await deliver();
  const nonces = reads().map(nonceOf);
  expect(nonces[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set(nonces).size).toBe(reads().length);
  expect(world.log.filter(({ level }) => level === 'error')).toEqual([]);
});

it('decisions §5.10: the setting reads every photo back, and the server is asked for no proof', async () => {
  const { world, reads, deliver } = await setUp();
  await world.call('settings.set', { photo_read_back: true });
  expect(await deliver()).toMatchObject({ receipt: { checked: 'bytes' } });
  expect(reads().map(nonceOf)).toEqual([null]);
});

it('decisions §5.10: a server without proofs answers with the bytes, which are compared as they come', async () => {
  const { world, reads, deliver } = await setUp();
  world.chaos.plan = (seen) =>
    isRead(seen)
      ? { kind: 'answer', status: 200, headers: { 'content-type': 'image/jpeg' }, body: jpeg }
      : null;
  expect(await deliver()).toMatchObject({ receipt: { checked: 'bytes' } });
  expect(reads()).toHaveLength(1);
});

const old = 'ab'.repeat(32);
it.each<readonly [string, (nonce: string) => string]>([
  [
    'of other bytes',
    (nonce) => JSON.stringify({ size: 120_000, sha256: sumOf(nonce, Buffer.from('x')) }),
  ],
  ['of another nonce', () => JSON.stringify({ size: jpeg.length, sha256: sumOf(old, jpeg) })],
  ['of another size', (nonce) => JSON.stringify({ size: 1, sha256: sumOf(nonce, jpeg) })],
  [
    'that is the photo’s own sum',
    () =>
      JSON.stringify({
        size: jpeg.length,
        sha256: createHash('sha256').update(jpeg).digest('hex'),
      }),
  ],
  ['in another shape', () => JSON.stringify([true])],
  ['that is no JSON', () => '<html>'],
  ['that is empty', () => ''],
])(
  'decisions §5.10: a proof %s counts for nothing: the bytes are read back and decide',
  async (_what, body) => {
    const { world, reads, deliver } = await setUp();
    world.chaos.plan = (seen) => {
      const nonce = isRead(seen) ? nonceOf(seen) : null;
      if (nonce === null) return null;
      const headers = { 'content-type': PROOF_TYPE };
      return { kind: 'answer', status: 200, headers, body: body(nonce) };
    };
    expect(await deliver()).toMatchObject({ outcome: 'delivered', receipt: { checked: 'bytes' } });
    expect(reads().map((seen) => nonceOf(seen) === null)).toEqual([false, true]);
  },
);

it('decisions §5.10: a line that is cut before the proof comes reads the bytes back within the same call', async () => {
  const { world, reads, deliver } = await setUp();
  world.chaos.plan = firstOf(1, isRead, { kind: 'cut_reply', after: -1 });
  expect(await deliver()).toMatchObject({ outcome: 'delivered', receipt: { checked: 'bytes' } });
  expect(reads().map((seen) => nonceOf(seen) === null)).toEqual([false, true]);
});

it('decisions §5.10: after a wrong proof other bytes are no receipt', async () => {
  const { world, deliver } = await setUp();
  const wrong = Buffer.from(jpeg);
  wrong[9000] = (wrong[9000] ?? 0) ^ 1;
  world.chaos.plan = (seen) => {
    if (!isRead(seen)) return null;
    const nonce = nonceOf(seen);
    const proof = nonce && JSON.stringify({ size: wrong.length, sha256: sumOf(nonce, wrong) });
    const headers = { 'content-type': proof === null ? 'image/jpeg' : PROOF_TYPE };
    return { kind: 'answer', status: 200, headers, body: proof ?? wrong };
  };
  await expect(deliver()).rejects.toThrow(/"kind":"gone"/);
});

it('failures A72: an original that was damaged on the disk proves nothing, not even with a server that holds the same', async () => {
  const { world, deliver } = await setUp();
  const sum = createHash('sha256').update(jpeg).digest('hex');
  const path = join(world.folder, 'photos/originals', sum);
  const damaged = Buffer.from(jpeg);
  damaged[9000] = (damaged[9000] ?? 0) ^ 1;
  world.chaos.plan = (seen) => {
    if (!isRead(seen)) return null;
    writeFileSync(path, damaged);
    const nonce = nonceOf(seen);
    const proof = nonce && JSON.stringify({ size: damaged.length, sha256: sumOf(nonce, damaged) });
    const headers = { 'content-type': proof === null ? 'image/jpeg' : PROOF_TYPE };
    return { kind: 'answer', status: 200, headers, body: proof ?? damaged };
  };
  await expect(deliver()).rejects.toThrow(/"kind":"gone"/);
});
