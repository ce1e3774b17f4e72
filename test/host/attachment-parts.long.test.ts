/** Files that only the server has reach the window in parts: videos, and files larger than the memory limit. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ulid } from 'ulid';
import { expect, it } from 'vitest';
import { CHUNK_MAX } from '../../src/contract/host.ts';
import { startServerWorld, type ServerWorld } from './fixtures/world.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const clip = await readFile(new URL('../fixtures/clip.mp4', import.meta.url));
/** A video with a long tail: `free` space after the last box. */
const video = (size: number): Buffer => {
  const rest = Buffer.alloc(size - clip.length);
  rest.writeUInt32BE(rest.length, 0);
  rest.write('free', 4);
  for (let at = 8; at + 4 < rest.length; at += 4096) rest.writeUInt32BE(at, at);
  return Buffer.concat([clip, rest]);
};

/** Uploads it and attaches it to a new near miss. */
const put = async (world: ServerWorld, bytes: Buffer, filename: string) => {
  const { demo } = world.service;
  const { company_id, project_id } = demo;
  const photo_id = ulid();
  await world.spool(photo_id, filename, bytes);
  const { upload_uuid } = await world.call('photos.upload', { photo_id, company_id });
  const { json: incidents } = await demo.get('~/incidents');
  const made = await demo.post('~/incidents/near_misses', {
    near_miss: { incident_id: incidents[0].id, description: 'x', upload_uuids: [upload_uuid] },
  });
  const [attachment] = made.json.attachments;
  await world.call('photos.discard', { photo_id });
  return {
    url: new URL(attachment.url as string, world.chaos.url).pathname,
    input: { project_id, near_miss_id: made.json.id, attachment_id: attachment.id },
  };
};

const partsOf = async (world: ServerWorld, input: object) => {
  const parts: Uint8Array[] = [];
  let type = '';
  for (let offset = 0, size = 1; offset < size;) {
    const { result, bytes } = await world.reply('photos.attachment', {
      ...input,
      variant: 'full',
      offset,
    });
    if (!result.ok) return result;
    const told = result.value as { content_type: string; size: number };
    if (offset === 0) type = told.content_type;
    else expect(told.content_type).toBe('application/octet-stream');
    size = told.size;
    parts.push(bytes ?? new Uint8Array());
    offset += bytes?.length ?? size;
  }
  return { ok: true as const, type, parts };
};

it('reference: file reading; a video of 70 MB comes in parts of at most 4 MiB, whole and equal', async () => {
  const world = await startServerWorld();
  const bytes = video(70_000_000);
  const { input, url } = await put(world, bytes, 'crane.mp4');
  const got = await partsOf(world, input);
  if (!got.ok || !('parts' in got)) throw new Error(JSON.stringify(got));
  expect(got.type).toBe('video/mp4');
  expect(Math.max(...got.parts.map((part) => part.length))).toBe(CHUNK_MAX);
  expect(sha256(Buffer.concat(got.parts))).toBe(sha256(bytes));
  const reads = world.chaos.seen.filter(({ path }) => path.startsWith(url));
  expect(reads.every(({ headers }) => /^bytes=\d+-\d+$/.test(headers.range ?? ''))).toBe(true);
});

it('a server that gives no parts is read whole up to 64 MB, and refused beyond; a page in a video’s place is no video', async () => {
  const world = await startServerWorld();
  const bytes = video(300_000);
  const { input, url } = await put(world, bytes, 'crane.mp4');
  const answer = (body: Buffer) => {
    world.chaos.plan = (seen) =>
      seen.path.startsWith(url) ? { kind: 'answer', status: 200, headers: {}, body } : null;
  };
  answer(bytes);
  const whole = await partsOf(world, input);
  expect(whole.ok && 'parts' in whole && sha256(whole.parts[0] ?? bytes)).toBe(sha256(bytes));
  const later = { ...input, variant: 'full' as const, offset: 1000 };
  expect(await world.problem('photos.attachment', later)).toMatchObject({ kind: 'broken_reply' });
  answer(Buffer.from(`<html>Log in</html>${' '.repeat(100)}`));
  expect(await partsOf(world, input)).toMatchObject({
    ok: false,
    problem: { kind: 'broken_reply', looks_like: 'garbage' },
  });
  answer(Buffer.alloc(65 * 1024 * 1024, clip));
  expect(await partsOf(world, input)).toMatchObject({
    ok: false,
    problem: { kind: 'broken_reply', looks_like: 'too_large' },
  });
});
