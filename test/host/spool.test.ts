/** The spool on real files: original bytes by hash, refusals with a reason, space reserved for records, no partial files. */
import { createHash } from 'node:crypto';
import fs, { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { ulid } from 'ulid';
import { expect, it, onTestFinished } from 'vitest';
import { fileType } from '../../src/contract/file-type.ts';
import { createHasher, SEGMENT_SIZE } from '../../src/host/photos/hash.ts';
import { KEEP_FREE_BYTES, tidyName } from '../../src/host/photos/spool/incoming-files.ts';
import { openSpool } from '../../src/host/photos/spool/spool.ts';
import { makeJpeg, makeLongJpeg } from '../support/jpeg.ts';
import { temporaryFolder, until } from './fixtures/folder.ts';
import { filesBelow } from '../support/files.ts';
import { replaceFs } from '../support/windows-errors.ts';
import { startWorld } from './fixtures/world.ts';
import { slow } from '../support/slow.ts';

const hex = (name: 'sha256' | 'md5', bytes: Uint8Array): string =>
  createHash(name).update(bytes).digest('hex');

it('original bytes, sha256 of the whole, sha256 and md5 of each segment, on disk and private when finish answers', async () => {
  const world = await startWorld();
  const jpeg = await makeLongJpeg({ seed: 21, bytes: 2_500_000 });
  const photo_id = ulid();
  const facts = await world.spool(photo_id, 'IMG_1.jpg', jpeg);
  expect(facts).toEqual({
    photo_id,
    filename: 'IMG_1.jpg',
    content_type: 'image/jpeg',
    size: jpeg.length,
    sha256: hex('sha256', jpeg),
  });
  const original = join(world.folder, 'photos/originals', facts.sha256);
  expect(Buffer.compare(await readFile(original), jpeg)).toBe(0);
  const meta = JSON.parse(
    await readFile(join(world.folder, `photos/meta/${photo_id}.json`), 'utf8'),
  ) as { segments: { sha256: string; md5: string; size: number }[] };
  const second = jpeg.subarray(SEGMENT_SIZE, 2 * SEGMENT_SIZE);
  expect(meta.segments[1]).toEqual({
    size: SEGMENT_SIZE,
    sha256: hex('sha256', second),
    md5: hex('md5', second),
  });
  if (process.platform !== 'win32') {
    for (const path of await filesBelow(world.folder))
      expect((await stat(path)).mode & 0o077, path).toBe(0);
    expect((await stat(join(world.folder, 'photos'))).mode & 0o077).toBe(0);
  }
  const read = await world.reply('photos.read', { photo_id, offset: 1000, length: 500 });
  expect(read.result).toMatchObject({
    ok: true,
    value: { size: jpeg.length, content_type: 'image/jpeg' },
  });
  expect(Buffer.from(read.bytes ?? []).equals(jpeg.subarray(1000, 1500))).toBe(true);
  expect(await world.call('photos.finish', { photo_id })).toEqual(facts); // asked twice: the same answer
});

it('hashes the same whatever the chunks', () => {
  const bytes = Buffer.alloc(10_000, 'abcdefg');
  const hashed = (chunk: number) => {
    const hasher = createHasher(3000);
    for (let at = 0; at < bytes.length; at += chunk) hasher.update(bytes.subarray(at, at + chunk));
    return hasher.finish();
  };
  const once = hashed(10_000);
  expect(once.segments.map(({ size }) => size)).toEqual([3000, 3000, 3000, 1000]);
  for (const chunk of [1, 7, 2999, 3000, 3001]) expect(hashed(chunk)).toEqual(once);
});

it('takes JPEG, PNG, WebP, HEIC, HEIF, AVIF, GIF, MP4 and MOV by their first bytes, whatever the name', async () => {
  const pixels = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } });
  const box = (brand: string, more = '') =>
    Buffer.from(
      `\0\0\0${String.fromCharCode(16 + more.length)}ftyp${brand}\0\0\0\0${more}`,
      'latin1',
    );
  const types: [Uint8Array, string | null][] = [
    [await pixels.clone().jpeg().toBuffer(), 'image/jpeg'],
    [await pixels.clone().png().toBuffer(), 'image/png'],
    [await pixels.clone().webp().toBuffer(), 'image/webp'],
    [box('heic'), 'image/heic'],
    [box('mif1', 'heicmif1'), 'image/heif'],
    [box('mif1', 'avifmif1'), 'image/avif'],
    [box('avif'), 'image/avif'],
    [box('isom'), 'video/mp4'],
    [box('qt  '), 'video/quicktime'],
    [await pixels.clone().gif().toBuffer(), 'image/gif'],
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), null],
    [Buffer.from('%PDF-1.7'), null],
    [Buffer.alloc(0), null],
  ];
  for (const [bytes, type] of types) expect(fileType(bytes)).toBe(type);
});

it('refuses with the reason and keeps nothing: no photo, empty, too short, too long, out of order', async () => {
  const world = await startWorld();
  const jpeg = await makeJpeg({ seed: 22, bytes: 60_000 });
  const photo_id = ulid();
  const begin = (size: number | null) =>
    world.call('photos.begin', { photo_id, filename: 'a.jpg', size });
  const write = (offset: number, bytes: Uint8Array) =>
    world.reply('photos.write', { photo_id, offset }, new Uint8Array(bytes));
  const finish = () => world.problem('photos.finish', { photo_id });

  await begin(null);
  await write(0, Buffer.from('%PDF-1.7 not a photo'));
  expect(await finish()).toMatchObject({
    kind: 'bad_input',
    fault: 'file_pdf',
  });
  await begin(2_000_000_000);
  expect((await write(0, Buffer.alloc(4096, '%PDF-1.7 '))).result).toMatchObject({
    ok: false,
    problem: { fault: 'file_pdf' },
  });
  await begin(null);
  expect(await finish()).toMatchObject({ fault: 'file_empty' });
  await begin(jpeg.length);
  await write(0, jpeg.subarray(0, 100));
  expect(await finish()).toMatchObject({ fault: 'file_cut_short' });
  await begin(100);
  expect((await write(0, jpeg)).result).toMatchObject({
    ok: false,
    problem: { kind: 'bad_input' },
  });
  await begin(jpeg.length);
  expect((await write(5, jpeg)).result).toMatchObject({
    ok: false,
    problem: { fields: { offset: ['The next byte is 0, not 5.'] } },
  });
  expect(await finish()).toMatchObject({ kind: 'bad_input' });
  expect(await readdir(join(world.folder, 'photos/originals'))).toEqual([]);
  expect(await readdir(join(world.folder, 'photos/incoming'))).toEqual([]);
});

it('begun again with the same id it starts over', async () => {
  const world = await startWorld();
  const jpeg = await makeJpeg({ seed: 23, bytes: 60_000 });
  const photo_id = ulid();
  await world.call('photos.begin', { photo_id, filename: 'a.jpg', size: null });
  await world.call('photos.write', { photo_id, offset: 0 }, new Uint8Array(jpeg.subarray(0, 500)));
  expect((await world.spool(photo_id, 'b.jpg', jpeg)).sha256).toBe(hex('sha256', jpeg));
});

it('failures A16: a photo that would leave less than 64 MB is refused; records are still taken', async () => {
  let free = KEEP_FREE_BYTES + 50_000;
  const world = await startWorld({ free_space: async () => free });
  const photo_id = ulid();
  expect(
    await world.problem('photos.begin', { photo_id, filename: 'a.jpg', size: 60_000 }),
  ).toMatchObject({ kind: 'no_space' });
  const jpeg = await makeJpeg({ seed: 24, bytes: 40_000 });
  await world.call('photos.begin', { photo_id, filename: 'a.jpg', size: null });
  free = KEEP_FREE_BYTES - 1;
  expect(
    await world.problem('photos.write', { photo_id, offset: 0 }, new Uint8Array(jpeg)),
  ).toMatchObject({ kind: 'no_space' });
  expect(await readdir(join(world.folder, 'photos/incoming'))).toEqual([]);
  const operation = {
    id: ulid(),
    seq: 1,
    account: 'a',
    kind: 'k',
    version: 1,
    lane: 'l',
    created_at: 1,
    payload: 'text',
  };
  await world.call('journal.append', { operations: [operation] });
  // The window shows it before a photo is refused.
  expect(await world.call('app.disk', {})).toEqual({ free });
});

it('a photo named in the journal is not dropped; one that is not is; two with the same bytes share a file', async () => {
  const world = await startWorld();
  const jpeg = await makeJpeg({ seed: 25, bytes: 60_000 });
  const [one, two] = [ulid(), ulid()];
  await world.spool(one, 'a.jpg', jpeg);
  await world.spool(two, 'b.jpg', jpeg);
  const originals = () => readdir(join(world.folder, 'photos/originals'));
  expect(await originals()).toHaveLength(1);
  const operation = {
    id: ulid(),
    seq: 1,
    account: 'a',
    kind: 'photo.send',
    version: 1,
    lane: 'l',
    created_at: 1,
    payload: { photo_id: one },
  };
  await world.call('journal.append', { operations: [operation] });
  expect(await world.call('photos.discard', { photo_id: one })).toEqual({ dropped: false });
  expect(await world.call('photos.discard', { photo_id: two })).toEqual({ dropped: true });
  expect(await originals()).toHaveLength(1);
  await world.call('journal.settle', { operation_ids: [operation.id], links: [] });
  expect(await world.call('photos.discard', { photo_id: one })).toEqual({ dropped: true });
  expect(await originals()).toEqual([]);
});

it('failures S12: a name is for people: its last part, without what no file name may hold', () => {
  expect(tidyName('../../etc/passwd')).toBe('passwd');
  expect(tidyName('C:\\photos\\a.jpg')).toBe('a.jpg');
  expect(tidyName('a\r\nb\0"\u202egpj.exe')).toBe('abgpj.exe');
  expect(tidyName('')).toBe('photo');
  expect(tidyName(`${'x'.repeat(900)}.jpeg`)).toHaveLength(179);
});

it('an original whose bytes changed on disk is found out by its hash', async () => {
  const folder = await temporaryFolder();
  const spool = await openSpool(folder);
  const jpeg = await makeJpeg({ seed: 26, bytes: 60_000 });
  const photo_id = ulid();
  await spool.begin({ photo_id, filename: 'a.jpg', size: null });
  await spool.write(photo_id, 0, jpeg);
  await spool.finish(photo_id);
  const found = await spool.find(photo_id);
  if (!found.ok) throw new Error('not there');
  expect(await spool.check(found.value)).toEqual({ ok: true, value: null });
});

it('a known id takes no other bytes, waiting or not: what was there stays; the same bytes again are the same answer', async () => {
  const world = await startWorld();
  const [first, other] = [
    await makeJpeg({ seed: 91, bytes: 30_000 }),
    await makeJpeg({ seed: 92, bytes: 30_000 }),
  ];
  const sameSize = Buffer.from(first);
  sameSize[first.length - 3] = (first.at(-3) ?? 0) ^ 1;
  for (const queued of [false, true]) {
    const photo_id = ulid();
    const facts = await world.spool(photo_id, 'a.jpg', first);
    const operation = {
      id: ulid(),
      seq: 1,
      account: 'a',
      kind: 'photo.send',
      version: 1,
      lane: 'l',
      created_at: 1,
      payload: { photo: { photo_id, sha256: facts.sha256 } },
    };
    if (queued) await world.call('journal.append', { operations: [operation] });
    // Recognised by its size before any byte arrives; else by its hash.
    const begin = { photo_id, filename: 'b.jpg', size: other.length + 1 };
    expect(await world.problem('photos.begin', begin)).toMatchObject({ fault: 'file_known' });
    for (const [bytes, size] of [
      [other, null],
      [sameSize, sameSize.length],
    ] as const) {
      await world.call('photos.begin', { photo_id, filename: 'b.jpg', size });
      await world.call('photos.write', { photo_id, offset: 0 }, new Uint8Array(bytes));
      expect(await world.problem('photos.finish', { photo_id })).toMatchObject({
        kind: 'bad_input',
        fault: 'file_known',
      });
    }
    const read = await world.reply('photos.read', { photo_id, offset: 0, length: first.length });
    expect(Buffer.from(read.bytes ?? []).equals(first)).toBe(true);
    expect(await world.spool(photo_id, 'c.jpg', first)).toEqual(facts);
    expect(await readdir(join(world.folder, 'photos/incoming'))).toEqual([]);
  }
  expect(await readdir(join(world.folder, 'photos/originals'))).toHaveLength(1);
});

it('an id that waits takes no bytes anew where its facts were lost; an original rotted on the disk is whole again', async () => {
  const world = await startWorld();
  const photo_id = ulid();
  const jpeg = await makeJpeg({ seed: 93, bytes: 30_000 });
  const facts = await world.spool(photo_id, 'a.jpg', jpeg);
  const original = join(world.folder, 'photos/originals', facts.sha256);
  await writeFile(original, Buffer.alloc(jpeg.length));
  expect(await world.spool(photo_id, 'a.jpg', jpeg)).toEqual(facts);
  expect((await readFile(original)).equals(jpeg)).toBe(true);

  const operation = {
    id: ulid(),
    seq: 1,
    account: 'a',
    kind: 'photo.send',
    version: 1,
    lane: 'l',
    created_at: 1,
    payload: { photo: { photo_id } },
  };
  await world.call('journal.append', { operations: [operation] });
  await rm(join(world.folder, `photos/meta/${photo_id}.json`));
  expect(
    await world.problem('photos.begin', { photo_id, filename: 'b.jpg', size: null }),
  ).toMatchObject({ fault: 'file_known' });
});

it('an original that no photo names goes after a day; one that the queue names stays, and all where facts are unreadable', async () => {
  const folder = await temporaryFolder();
  const world = await startWorld({ data_dir: folder });
  const ids = [ulid(), ulid(), ulid(), ulid()];
  const hashes: string[] = [];
  for (const [place, photo_id] of ids.entries()) {
    const jpeg = await makeJpeg({ seed: 94 + place, bytes: 20_000 });
    hashes.push((await world.spool(photo_id, 'a.jpg', jpeg)).sha256);
  }
  const [lost = '', young = '', queued = '', whole = ''] = hashes;
  const operation = {
    id: ulid(),
    seq: 1,
    account: 'a',
    kind: 'photo.send',
    version: 1,
    lane: 'l',
    created_at: 1,
    payload: { photo: { sha256: queued } },
  };
  await world.call('journal.append', { operations: [operation] });
  const metaOf = (place: number) => join(folder, `photos/meta/${ids[place]}.json`);
  for (const place of [0, 1, 2]) await rm(metaOf(place));
  const old = new Date(Date.now() - 2 * 86_400_000);
  for (const hash of [lost, queued, whole])
    await utimes(join(folder, 'photos/originals', hash), old, old);
  const originals = async () => new Set(await readdir(join(folder, 'photos/originals')));
  const look = () => world.call('settings.set', { photo_keep_days: 7 });

  const facts = await readFile(metaOf(3));
  await writeFile(metaOf(3), '{');
  const spool = await openSpool(join(folder, 'photos'));
  onTestFinished(() => spool.close());
  expect(await spool.strays(Date.now())).toEqual([]);
  await writeFile(metaOf(3), facts);
  await look();
  await until(async () => !(await originals()).has(lost), 'the lost one is gone');
  expect(await originals()).toEqual(new Set([young, queued, whole]));
});

slow(
  'a photo is not dropped because another program holds a file: the same bytes are there, or it is finished later',
  async () => {
    const world = await startWorld();
    const jpeg = await makeJpeg({ seed: 31, bytes: 50_000 });
    const { rename } = fs;
    const originals = join(world.folder, 'photos/originals');
    const held = Object.assign(new Error('EPERM: operation not permitted'), { code: 'EPERM' });
    replaceFs({
      rename: (from, to) =>
        String(to).startsWith(originals) ? Promise.reject(held) : rename(from, to),
    });
    const photo_id = ulid();
    await expect(world.spool(photo_id, 'a.jpg', jpeg)).rejects.toThrow('EPERM');
    replaceFs({ rename });
    const facts = await world.call('photos.finish', { photo_id });
    expect(facts.sha256).toBe(hex('sha256', jpeg));
    replaceFs({
      rename: (from, to) =>
        String(to).startsWith(originals) ? Promise.reject(held) : rename(from, to),
    });
    const again = await world.spool(ulid(), 'b.jpg', jpeg);
    expect(again.sha256).toBe(facts.sha256);
    expect(await readdir(originals)).toEqual([facts.sha256]);
    expect(await readdir(join(world.folder, 'photos/incoming'))).toEqual([]);
  },
);
