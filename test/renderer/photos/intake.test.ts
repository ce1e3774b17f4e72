/** Photo import: unchanged bytes, honest metadata, upright thumbnails, and refusals that do not affect other files. */
import { describe, expect, it } from 'vitest';
import { ulid } from 'ulid';
import { exportItems } from '../../../src/renderer/outbox/transfer/export.ts';
import { photosOf, photoBlob } from '../../../src/renderer/data/photos/photos.ts';
import { carriedPhotoOf } from '../../../src/renderer/data/model/photo-rows.ts';
import { carriedPhoto } from '../../../src/renderer/operations/carried-photo.ts';
import type { IntakeProgress } from '../../../src/renderer/photos/bring-in.ts';
import { takeIn } from '../../../src/renderer/photos/intake.ts';
import { makeThumbnail } from '../../../src/renderer/photos/thumbnail.ts';
import { ACCOUNT, type Call } from '../../support/renderer-host.ts';
import { jpegWith } from '../../support/renderer-jpeg.ts';
import {
  capture,
  host,
  photoBytes,
  windowPerTest,
  windows,
} from '../../support/renderer-window.ts';
import { files } from '../../../src/renderer/words/en/files.ts';
import { slow } from '../../support/slow.ts';

windowPerTest();
const bytesOf = async (blob: Blob): Promise<Uint8Array> => new Uint8Array(await blob.arrayBuffer());

describe('intake', () => {
  it('keeps every byte, and time, place and orientation as the camera wrote them', async () => {
    const window = await windows.start(host);
    const file = await jpegWith(1600, 1200, {
      orientation: 6,
      taken: '2026:03:04 05:06:07',
      offset: '+02:00',
      gps: true,
    });
    const heard: IntakeProgress[] = [];
    const target = { account: ACCOUNT, draft_id: ulid() };
    const [taken] = await takeIn(window, target, [file], (progress) => heard.push(progress));
    if (!taken?.ok) throw new Error('refused');
    expect(host.spool.get(taken.kept.photo_id)?.bytes).toEqual(await bytesOf(file));
    expect(heard.map(({ step, written }) => [step, written])).toEqual([
      ['waiting', 0],
      ['writing', file.size],
      ['done', file.size],
    ]);
    expect(taken.kept).toMatchObject({
      filename: 'camera.jpg',
      orientation: 6,
      taken_at: {
        local: '2026-03-04T05:06:07',
        offset: '+02:00',
        at: Date.parse('2026-03-04T05:06:07+02:00'),
      },
    });
    expect(taken.kept.gps?.latitude).toBeCloseTo(52.52, 3);
    expect(taken.kept.gps?.longitude).toBeCloseTo(13.405, 3);
  });

  it('an orientation that is no whole number is none: the queue takes the photo and can read it again', async () => {
    const window = await windows.start(host);
    const file = await jpegWith(40, 40, { orientation: 6.5 });
    const target = { account: ACCOUNT, draft_id: ulid() };
    const [taken] = await takeIn(window, target, [file]);
    expect(taken).toMatchObject({ ok: true, kept: { orientation: null } });
    expect(carriedPhoto.safeParse(taken?.ok && carriedPhotoOf(taken.kept)).success).toBe(true);
  });

  slow(
    'a time without a zone stays a wall-clock time, unless GPS says what it was in UTC',
    async () => {
      const window = await windows.start(host);
      const taken = '2026:03:04 05:06:07';
      const files = [
        await jpegWith(40, 40, { taken }),
        await jpegWith(40, 40, { taken, gps: true }),
      ];
      const outcomes = await takeIn(window, { account: ACCOUNT, draft_id: ulid() }, files);
      expect(outcomes.map((one) => one.ok && one.kept.taken_at)).toEqual([
        { local: '2026-03-04T05:06:07', offset: null, at: null },
        { local: '2026-03-04T05:06:07', offset: null, at: Date.parse('2026-03-04T03:06:07Z') },
      ]);
    },
  );

  it('the thumbnail is upright and at most 512 px on its longer side', async () => {
    const turned = await makeThumbnail(await jpegWith(1600, 1200, { orientation: 6 }));
    if (turned === null) throw new Error('no thumbnail');
    const bitmap = await createImageBitmap(turned);
    expect([bitmap.width, bitmap.height]).toEqual([384, 512]);
    // Orientation 6: the stored top is the right side.
    const context = new OffscreenCanvas(384, 512).getContext('2d');
    context?.drawImage(bitmap, 0, 0);
    const at = (x: number) => [...(context?.getImageData(x, 256, 1, 1).data ?? [])].slice(0, 3);
    expect((at(340)[0] ?? 0) > 200 && (at(340)[2] ?? 255) < 60).toBe(true);
    expect((at(40)[2] ?? 0) > 200 && (at(40)[0] ?? 255) < 60).toBe(true);
    const tall = await makeThumbnail(await jpegWith(100, 3000));
    const small = tall && (await createImageBitmap(tall));
    expect([small?.width, small?.height]).toEqual([17, 512]);
  });

  it('a file that is refused says why and the others go on; what is no picture has no thumbnail', async () => {
    const window = await windows.start(host);
    let second_id: unknown = null;
    const second = (call: Call) => {
      if (call.input['filename'] === '1.jpg') second_id = call.input['photo_id'];
      return call.method === 'photos.finish' && call.input['photo_id'] === second_id;
    };
    const messages = ['This is not a photo.'];
    const refused = { kind: 'bad_input' as const, messages, fields: {} };
    host.faults.push({ at: 'before', on: second, problem: refused });
    const files = [photoBytes(10, 1), photoBytes(10, 2), photoBytes(10, 3)].map(
      (bytes, index) => new File([bytes], `${index}.jpg`),
    );
    const outcomes = await takeIn(window, { account: ACCOUNT, draft_id: ulid() }, files);
    expect(outcomes.map((one) => one.ok)).toEqual([true, false, true]);
    expect(outcomes[1]).toMatchObject({
      filename: '1.jpg',
      refusal: { kind: 'problem', problem: { messages } },
    });
    expect((await window.db.photos.toArray()).map((row) => row.thumbnail)).toEqual([null, null]);
  });

  it('of two files with the same bytes the first one given is kept, whichever is ready first', async () => {
    const window = await windows.start(host);
    const second = Promise.withResolvers<void>();
    const sendPhoto: typeof window.host.sendPhoto = async (body, photo_id, filename, ...more) => {
      if (filename === 'first.jpg') await second.promise;
      const answer = await window.host.sendPhoto(body, photo_id, filename, ...more);
      if (filename === 'second.jpg') second.resolve();
      return answer;
    };
    const files = ['first.jpg', 'second.jpg'].map((name) => new File([photoBytes(500, 1)], name));
    const slow = { ...window, host: { ...window.host, sendPhoto } };
    const outcomes = await takeIn(slow, { account: ACCOUNT, draft_id: ulid() }, files);
    expect(outcomes).toMatchObject([
      { ok: true, filename: 'first.jpg' },
      { ok: false, filename: 'second.jpg', refusal: { kind: 'duplicate' } },
    ]);
  });

  it('a pasted picture without a name gets one', async () => {
    const window = await windows.start(host);
    const pasted = new Blob([photoBytes(10, 1)], { type: 'image/png' });
    const [one] = await takeIn(window, { account: ACCOUNT, draft_id: ulid() }, [pasted]);
    expect(one?.filename).toMatch(/^photo-\d{8}-\d{6}\.png$/);
  });

  slow('after a rebuild the thumbnail is made again from the original', async () => {
    host.up = false;
    const window = await windows.start(host);
    const file = await jpegWith(800, 600);
    const key = await capture(window, 'With photo', [new Uint8Array(await file.arrayBuffer())]);
    await window.db.photos.toCollection().modify({ thumbnail: null });
    const row = await window.db.near_misses.get(key);
    const [photo] = row ? await photosOf(window, row) : [];
    if (photo === undefined) throw new Error('no photo');
    const blob = await photoBlob(window, row ?? null, photo, 'thumbnail');
    expect(blob.ok && blob.value.type).toBe('image/webp');
    expect((await window.db.photos.toArray())[0]?.thumbnail?.size).toBeGreaterThan(0);
  });

  it('A29: of what no small picture can be made the whole original is not read again for it, and never shown in its place', async () => {
    host.up = false;
    const window = await windows.start(host);
    const key = await capture(window, 'With a broken photo', [photoBytes(500, 1)]);
    const row = await window.db.near_misses.get(key);
    const [photo] = row ? await photosOf(window, row) : [];
    if (photo === undefined) throw new Error('no photo');
    const reads = () => host.calls.filter(({ method }) => method === 'photos.read').length;
    const before = reads();
    for (let time = 0; time < 3; time += 1)
      expect((await photoBlob(window, row ?? null, photo, 'thumbnail')).ok).toBe(false);
    expect(reads() - before).toBe(0);
    const full = await photoBlob(window, row ?? null, photo, 'full');
    expect(full.ok && full.value.size).toBe(500);
  });
});

describe('export', () => {
  slow('holds every waiting record as JSON and every photo byte by byte', async () => {
    host.up = false;
    const window = await windows.start(host);
    const bytes = photoBytes(4_500_000, 7);
    await capture(window, 'Stuck', [bytes]);
    const { filename, response } = await exportItems(window, ACCOUNT, files);
    expect(filename).toMatch(/^spotter-waiting-.*\.zip$/);
    const zip = await bytesOf(await response.blob());
    const text = new TextDecoder('latin1').decode(zip);
    expect(text).toContain('"title":"Stuck"');
    // client-zip stores without compression: the photo's bytes follow the name in the local header.
    const local = /PK\x03\x04[^]{26}photos\/[0-9A-Z]{26}-photo-0\.jpg/.exec(text);
    const from = (local?.index ?? 0) + (local?.[0].length ?? 0);
    expect(bytes.every((byte, index) => zip[from + index] === byte)).toBe(true);
  });
});
