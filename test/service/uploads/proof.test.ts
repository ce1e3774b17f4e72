/** Proof that the service holds a file, in place of a second transfer (decisions §5.10). */
import { createHash, randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { PROOF_TYPE } from '../../../src/contract/rest/protocol/proof.ts';
import { filesBelow } from '../../support/files.ts';
import { startTestService, type Client } from '../../support/service.ts';
import { cut, DAY, KIB, md5, put, random } from './support.ts';

const start = async () => {
  const service = await startTestService({ 'upload-sweep-interval': DAY });
  onTestFinished(() => service.stop());
  return service;
};

/** A near miss with one photo of these bytes, which arrived in two segments. */
const attach = async (
  client: Client,
  bytes: Buffer,
): Promise<{ url: string; thumbnail_url: string }> => {
  const path = `/rest/v1.1/companies/${client.company_id}/uploads`;
  const parts = cut(bytes, 256 * KIB);
  const body = { response_filename: 'site.jpg', segments: parts.pieces };
  const { json: upload } = await client.post(path, body);
  for (const [index, part] of parts.entries())
    expect((await put(upload, index, part)).status).toBe(200);
  const segments = parts.map((part) => ({ etag: md5(part) }));
  await client.patch(`${path}/${upload.uuid}`, { segments });
  const [incident] = (await client.get('~/incidents')).json as { id: number }[];
  const near_miss = { incident_id: incident?.id, upload_uuids: [upload.uuid] };
  const made = await client.post('~/incidents/near_misses', { near_miss });
  return made.json.attachments[0] as { url: string; thumbnail_url: string };
};

const nonceOf = (): string => randomBytes(32).toString('hex');
const ask = (url: string, nonce: string, method = 'GET') =>
  fetch(url, { method, headers: { 'Proof-Nonce': nonce } });
const sumOf = (nonce: string, bytes: Uint8Array): string =>
  createHash('sha256').update(Buffer.from(nonce, 'hex')).update(bytes).digest('hex');

it('decisions §5.10: the sum of a fresh nonce and every byte as it lies on the disk; a changed byte changes it', async () => {
  const { demo, data_dir } = await start();
  const bytes = random(300 * KIB);
  const { url } = await attach(demo, bytes);
  const [one, other] = [nonceOf(), nonceOf()];
  const proof = await ask(url, one);
  expect([proof.status, proof.headers.get('content-type')]).toEqual([200, PROOF_TYPE]);
  expect(proof.headers.get('cache-control')).toBe('no-store');
  expect(await proof.json()).toEqual({ size: bytes.length, sha256: sumOf(one, bytes) });
  expect(await (await ask(url, other)).json()).toMatchObject({ sha256: sumOf(other, bytes) });

  const tail = bytes.subarray(256 * KIB);
  for (const path of await filesBelow(data_dir)) {
    const held = await readFile(path);
    if (!held.equals(tail)) continue;
    held[7] = (held[7] ?? 0) ^ 1;
    await writeFile(path, held);
    bytes[256 * KIB + 7] = held[7] ?? 0;
  }
  expect(await (await ask(url, one)).json()).toMatchObject({ sha256: sumOf(one, bytes) });
});

it('decisions §5.10: malformed nonces, thumbnails and HEAD get what they got before; a forged address gets nothing', async () => {
  const { demo } = await start();
  const bytes = random(1000);
  const { url, thumbnail_url } = await attach(demo, bytes);
  for (const nonce of ['', 'x', nonceOf().slice(2), nonceOf().toUpperCase(), `${nonceOf()}00`])
    expect(Buffer.from(await (await ask(url, nonce)).arrayBuffer())).toEqual(bytes);
  expect((await ask(url, nonceOf(), 'HEAD')).headers.get('content-length')).toBe('1000');
  const small = await ask(thumbnail_url, nonceOf());
  expect(small.headers.get('content-type')).not.toBe(PROOF_TYPE);
  expect((await ask(url.replace('signature=', 'signature=0'), nonceOf())).status).toBe(403);
});

it('decisions §5.10: more proofs at once than eight are answered with the bytes, and none fails', async () => {
  const { demo } = await start();
  const bytes = random(300 * KIB);
  const { url } = await attach(demo, bytes);
  const nonces = Array.from({ length: 40 }, nonceOf);
  const answers = await Promise.all(
    nonces.map(async (nonce) => {
      const answer = await ask(url, nonce);
      return answer.headers.get('content-type') === PROOF_TYPE
        ? ((await answer.json()) as { sha256: string }).sha256 === sumOf(nonce, bytes)
        : Buffer.from(await answer.arrayBuffer()).equals(bytes);
    }),
  );
  expect(answers.filter((right) => !right)).toEqual([]);
});

it('decisions §5.10: bytes that are missing are a 410, not a proof', async () => {
  const { demo, data_dir } = await start();
  const bytes = random(500);
  const { url } = await attach(demo, bytes);
  for (const path of await filesBelow(data_dir))
    if ((await readFile(path)).equals(bytes)) await rm(path);
  expect((await ask(url, nonceOf())).status).toBe(410);
});
