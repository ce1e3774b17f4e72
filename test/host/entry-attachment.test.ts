/** Files of any kind for time-and-material entries: spooled, uploaded, verified, and what a window gets of them. */
import { createHash } from 'node:crypto';
import { ulid } from 'ulid';
import { expect, it } from 'vitest';
import { makeJpeg } from '../support/jpeg.ts';
import { onto } from './fixtures/delivery.ts';
import { startServerWorld, type ServerWorld } from './fixtures/world.ts';
import { slow } from '../support/slow.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const pdf = Buffer.from(`%PDF-1.7\n${'a delivery note '.repeat(2000)}\n%%EOF\n`);
const page = Buffer.from(`<html><script>alert(1)</script>${' '.repeat(200)}</html>`);

const begin = (photo_id: string, filename: string, bytes: Uint8Array) => ({
  photo_id,
  filename,
  size: bytes.length,
});

const spool = async (world: ServerWorld, filename: string, bytes: Uint8Array) => {
  const photo_id = ulid();
  await world.call('photos.begin', {
    ...begin(photo_id, filename, bytes),
    purpose: 'attachment' as const,
  });
  await world.call('photos.write', { photo_id, offset: 0 }, new Uint8Array(bytes));
  return world.call('photos.finish', { photo_id });
};

/** The input that delivers it to an entry of the demo. */
const toEntry = async (world: ServerWorld, photo_id: string) => {
  const { demo } = world.service;
  const catalog = (await demo.get('~/catalog')).json;
  const id = Number(catalog.time_and_material_entries[0].id);
  const to = { kind: 'time_and_material_entry' as const, id, not_attachments: [] };
  return { ...onto(demo, photo_id, 1), to };
};

const attach = async (world: ServerWorld, photo_id: string) => {
  const input = await toEntry(world, photo_id);
  const sent = await world.call('photos.deliver', input);
  if (sent.outcome !== 'delivered' || sent.attachment === null) throw new Error(sent.outcome);
  expect(sent.attachment.time_and_material_entry_id).toBe(input.to.id);
  const { project_id } = input;
  return { project_id, entry_id: input.to.id, id: sent.attachment.id, sent };
};

it('a PDF goes up for an entry, is proved by the server, and comes to the window as bytes to save, never to show', async () => {
  const world = await startServerWorld();
  const facts = await spool(world, 'Delivery note.pdf', pdf);
  expect(facts).toMatchObject({ content_type: 'application/octet-stream', sha256: sha256(pdf) });
  const { project_id, id, entry_id, sent } = await attach(world, facts.photo_id);
  const place = { kind: 'time_and_material_entry', id: entry_id };
  expect(sent.receipt).toMatchObject({ attachment_id: id, checked: 'proof', place });
  const input = { project_id, near_miss_id: null, attachment_id: id };
  const full = await world.reply('photos.attachment', { ...input, variant: 'full' });
  expect(full.result).toMatchObject({
    ok: true,
    value: { content_type: 'application/octet-stream', filename: 'Delivery note.pdf' },
  });
  expect(sha256(full.bytes ?? new Uint8Array())).toBe(sha256(pdf));
  const small = await world.reply('photos.attachment', { ...input, variant: 'thumbnail' });
  expect(small.result.ok).toBe(false);
});

slow(
  'a photo of an entry is given as a picture, large and small; one that is gone says so',
  async () => {
    const world = await startServerWorld();
    const jpeg = await makeJpeg({ seed: 3, bytes: 300_000 });
    const facts = await spool(world, 'slab.jpg', jpeg);
    expect(facts.content_type).toBe('image/jpeg');
    const { project_id, id } = await attach(world, facts.photo_id);
    const input = { project_id, near_miss_id: null, attachment_id: id };
    for (const variant of ['full', 'thumbnail'] as const) {
      const { result } = await world.reply('photos.attachment', { ...input, variant });
      expect(result).toMatchObject({ ok: true });
      expect(result.ok && String((result.value as { content_type: string }).content_type)).toMatch(
        /^image\//,
      );
    }
    await world.service.demo.delete(`~/time_and_material_entry_attachments/${id}`);
    expect(await world.problem('photos.attachment', { ...input, variant: 'full' })).toMatchObject({
      kind: 'gone',
    });
  },
);

it('failures S11: a page of HTML is no photo, whatever it is called; as a file for an entry it is octets', async () => {
  const world = await startServerWorld();
  const photo_id = ulid();
  await world.call('photos.begin', begin(photo_id, 'photo.jpg', page));
  const refused = await world.reply('photos.write', { photo_id, offset: 0 }, new Uint8Array(page));
  expect(refused.result).toMatchObject({ ok: false, problem: { kind: 'bad_input' } });
  const facts = await spool(world, 'photo.jpg', page);
  expect(facts.content_type).toBe('application/octet-stream');
});
