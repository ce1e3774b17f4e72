/** An evidence pack through the host (decisions §19.2): received from a real service, read in pieces, cancelled, cut off, deleted. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { expect, it } from 'vitest';
import { verifyPack } from '../../src/browser/verify/verify-pack.ts';
import { sendFile } from '../service/matrix-world.ts';
import { startServerWorld, type ServerWorld } from './fixtures/world.ts';

const nearMiss = async ({ service: { demo } }: ServerWorld): Promise<number> => {
  const incident_id = (await demo.post('~/incidents', { incident: { title: 'Pack' } })).json
    .id as number;
  const near_miss = { incident_id, description: 'x', upload_uuids: [await sendFile(demo)] };
  return (await demo.post('~/incidents/near_misses', { near_miss })).json.id as number;
};

const opened = async (world: ServerWorld, near_miss_id: number, key = ulid()) => {
  const { project_id } = world.service.demo;
  const wanted = { with_names: false, language: 'en' as const, key };
  return world.call('evidence.open', { project_id, near_miss_id, ...wanted });
};

const bytesOf = async (world: ServerWorld, pack: string, size: number): Promise<Buffer> => {
  const parts: Uint8Array[] = [];
  for (let offset = 0; offset < size; offset += parts.at(-1)?.length ?? 0) {
    const reply = await world.reply('evidence.read', { pack, offset });
    expect(reply.result.ok, JSON.stringify(reply.result)).toBe(true);
    parts.push(reply.bytes ?? new Uint8Array());
  }
  return Buffer.concat(parts);
};

const kept = (world: ServerWorld): string[] => {
  try {
    return readdirSync(join(world.folder, 'evidence'));
  } catch {
    return [];
  }
};

it('decisions §19.2: a pack comes whole, a repeated call logs it once, and closing deletes it', async () => {
  const world = await startServerWorld();
  const id = await nearMiss(world);
  const key = ulid();
  await opened(world, id, key);
  const { pack, filename, size } = await opened(world, id, key);
  expect(filename).toMatch(/^evidence-\d+-\d+\.zip$/);
  const bytes = await bytesOf(world, pack, size);
  const source = {
    size: bytes.length,
    read: (offset: number, length: number) =>
      Promise.resolve(bytes.subarray(offset, offset + length)),
  };
  const { problems } = await verifyPack(source, { without_text: false });
  expect([bytes.length, problems]).toEqual([size, []]);
  expect(kept(world)).toHaveLength(1);
  await world.call('evidence.close', { pack });
  expect(kept(world)).toEqual([]);
  const after = await world.reply('evidence.read', { pack, offset: 0 });
  expect(after.result).toMatchObject({ ok: false, problem: { kind: 'bad_input' } });
  const { demo } = world.service;
  const acts = await demo.get(`/rest/v1.0/companies/${demo.company_id}/admin_acts`);
  expect(acts.json.map(({ act }: { act: string }) => act)).toEqual(['evidence_exported']);
});

it('decisions §19.2: a second pack replaces the first, and a near miss that is gone is said so', async () => {
  const world = await startServerWorld();
  const id = await nearMiss(world);
  const first = await opened(world, id);
  const second = await opened(world, id);
  expect(kept(world)).toEqual([second.pack]);
  const lost = await world.reply('evidence.read', { pack: first.pack, offset: 0 });
  expect(lost.result.ok).toBe(false);
  const { project_id } = world.service.demo;
  const wanted = { with_names: false, language: 'en' as const, key: ulid() };
  const none = await world.reply('evidence.open', { project_id, near_miss_id: 999_999, ...wanted });
  expect(none.result).toMatchObject({ ok: false, problem: { kind: 'gone' } });
  // A new pack that cannot be made ends the one before: there is never a name on the disk that nobody saves.
  expect(kept(world)).toEqual([]);
});

it('decisions §19.2: a photo that changed on the server breaks the pack off, and nothing is taken for whole', async () => {
  const world = await startServerWorld();
  const id = await nearMiss(world);
  const { store } = world.service.service.app;
  await store.write((tx) =>
    tx
      .updateTable('stored_files')
      .set({ sha256: '0'.repeat(64) })
      .execute(),
  );
  const { project_id } = world.service.demo;
  const wanted = { with_names: false, language: 'en' as const, key: ulid() };
  const answer = await world.reply('evidence.open', { project_id, near_miss_id: id, ...wanted });
  const value = answer.result.ok ? (answer.result.value as { pack: string }) : null;
  const read =
    value === null ? answer : await world.reply('evidence.read', { pack: value.pack, offset: 0 });
  expect(read.result).toMatchObject({ ok: false, problem: { kind: 'broken_reply' } });
});

it('decisions §19.2: of two packs that are asked for at once one is kept', async () => {
  const world = await startServerWorld();
  const id = await nearMiss(world);
  const { project_id } = world.service.demo;
  const ask = () => {
    const wanted = { with_names: true, language: 'en' as const, key: ulid() };
    return world.reply('evidence.open', { project_id, near_miss_id: id, ...wanted });
  };
  const answers = await Promise.all([ask(), ask()]);
  const packs = answers.flatMap(({ result }) =>
    result.ok ? [(result.value as { pack: string }).pack] : [],
  );
  expect(packs).toEqual(expect.arrayContaining(kept(world)));
  expect(kept(world)).toHaveLength(1);
  await world.call('evidence.close', {});
  expect(kept(world)).toEqual([]);
});
