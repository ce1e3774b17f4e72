/**
 * Smaller renditions, previews of every kind, bombs, duplicates, privacy and cancelling during import: real files, real
 * workers.
 */
import { describe, expect, it } from 'vitest';
import { ulid } from 'ulid';
import { photoSendSchema } from '../../../src/renderer/operations/photo.ts';
import { discardDraft } from '../../../src/renderer/data/near-misses/drafts.ts';
import { removeDraftPhoto } from '../../../src/renderer/data/photos/photos.ts';
import { saveNearMiss } from '../../../src/renderer/data/near-misses/near-misses.ts';
import { inspect } from '../../../src/renderer/photos/formats/inspect.ts';
import { showable } from '../../../src/renderer/photos/shown.ts';
import type { IntakeOptions } from '../../../src/renderer/photos/bring-in.ts';
import { asTheyAre, takeIn, type IntakeOutcome } from '../../../src/renderer/photos/intake.ts';
import { readMetadata } from '../../../src/renderer/photos/metadata.ts';
import { pictureToMark } from '../../../src/renderer/photos/markup/render.ts';
import { makeRendition, scaleDown } from '../../../src/renderer/photos/rendition.ts';
import { makeThumbnail } from '../../../src/renderer/photos/thumbnail.ts';
import { ACCOUNT } from '../../support/renderer-host.ts';
import { jpegWith } from '../../support/renderer-jpeg.ts';
import {
  exiftoolIsHere,
  fromFixture,
  make,
  tagsOf,
  withPersonalTags,
} from '../../support/renderer-photos.ts';
import { fieldsOf, host, owner, windowPerTest, windows } from '../../support/renderer-window.ts';

windowPerTest();

const sizeOf = async (blob: Blob | null): Promise<readonly [number, number]> => {
  if (blob === null) throw new Error('no picture');
  const bitmap = await createImageBitmap(blob);
  return [bitmap.width, bitmap.height];
};
const private_: IntakeOptions = { privacy: true, max_side: null };
const photoOf = (outcome: IntakeOutcome | undefined) => {
  if (!outcome?.ok) throw new Error(`refused: ${JSON.stringify(outcome)}`);
  return outcome.kept;
};
const refusalOf = (outcome: IntakeOutcome | undefined) =>
  outcome?.ok === false ? outcome.refusal.kind : 'taken';

describe('previews', () => {
  it.each(['plain.heic', 'clip.mp4', 'clip.mov'])('%s has a thumbnail', async (name) => {
    const file = await fromFixture(name);
    const thumbnail = await makeThumbnail(file);
    expect(await sizeOf(thumbnail)).toEqual(name.endsWith('heic') ? [320, 240] : [160, 120]);
    expect(thumbnail?.type).toBe('image/webp');
  });

  it('a video whose frame comes a moment after its seek has a thumbnail all the same', async () => {
    const file = await fromFixture('clip.mp4');
    const real = globalThis.createImageBitmap;
    let asked = 0;
    globalThis.createImageBitmap = ((...args: Parameters<typeof real>) => {
      // Chromium fails like this about once in three hundred calls.
      if ((asked += 1) > 2) return real(...args);
      return Promise.reject(new DOMException('not usable', 'InvalidStateError'));
    }) as typeof real;
    try {
      expect(await sizeOf(await makeThumbnail(file))).toEqual([160, 120]);
    } finally {
      globalThis.createImageBitmap = real;
    }
    expect(asked).toBeGreaterThan(2);
  });

  it('a HEIC is shown in full by a picture of it; what the window can show stays as it is', async () => {
    const heic = new Blob([await fromFixture('plain.heic')], { type: 'image/heic' });
    const shown = await showable(heic);
    expect([shown.type, ...(await sizeOf(shown))]).toEqual(['image/jpeg', 320, 240]);
    const jpeg = await make({ format: 'jpeg', width: 20, height: 20 });
    expect(await showable(jpeg)).toBe(jpeg);
  });

  it('a photo of 50 megapixels has its thumbnail, turned as it says', async () => {
    const file = await make({ format: 'jpeg', width: 8200, height: 6150 });
    expect(await sizeOf(await makeThumbnail(file))).toEqual([512, 384]);
  });
});

describe('size', () => {
  it('at most the wished size, upright, with its time, smaller in bytes', async () => {
    const file = await jpegWith(3000, 2000, {
      orientation: 6,
      taken: '2026:03:04 05:06:07',
      offset: '+02:00',
      gps: true,
    });
    const made = await scaleDown(file, 1600);
    expect(await sizeOf(made)).toEqual([1067, 1600]);
    if (made === null) return;
    expect(made.size).toBeLessThan(file.size);
    const seen = await inspect(made);
    expect(seen.stripped).toEqual({ kind: 'clean' });
    expect(await readMetadata(seen)).toMatchObject({
      taken_at: { local: '2026-03-04T05:06:07', offset: '+02:00' },
      gps: null,
      orientation: 1,
    });
    const context = new OffscreenCanvas(1067, 1600).getContext('2d');
    context?.drawImage(await createImageBitmap(made), 0, 0);
    const at = (x: number) => [...(context?.getImageData(x, 800, 1, 1).data ?? [])].slice(0, 3);
    expect((at(1000)[0] ?? 0) > 200 && (at(1000)[2] ?? 255) < 60).toBe(true);
    expect((at(60)[2] ?? 0) > 200 && (at(60)[0] ?? 255) < 60).toBe(true);
  });

  it.each(['jpeg', 'png', 'webp'] as const)(
    '%s stays its type, or stays as it is',
    async (format) => {
      const file = await make({ format, width: 3000, height: 1000, noise: true });
      const made = await scaleDown(file, 1600);
      if (made === null) throw new Error('not made');
      expect([(await inspect(made)).type, ...(await sizeOf(made))]).toEqual([
        `image/${format}`,
        1600,
        533,
      ]);
      expect(made.size).toBeLessThan(file.size);
    },
  );

  it('never larger than the original: then there is no rendition', async () => {
    // Already strongly compressed: re-encoded in fair quality it would be larger.
    const squeezed = await make({
      format: 'jpeg',
      width: 1700,
      height: 1200,
      noise: true,
      quality: 8,
    });
    expect(await scaleDown(squeezed, 1600)).toBeNull();
    const small = await make({ format: 'jpeg', width: 1500, height: 1000 });
    expect(await scaleDown(small, 1600)).toBeNull();
    const heic = await fromFixture('plain.heic');
    expect(await scaleDown(heic, 320)).toBeNull();
    const video = await fromFixture('clip.mp4');
    expect(await scaleDown(video, 100)).toBeNull();
  });

  it('both are in the spool, the queue names both, and the choice can be turned round', async () => {
    host.up = false;
    const window = await windows.start(host);
    const id = ulid();
    const target = { account: ACCOUNT, draft_id: id };
    const file = await make({ format: 'jpeg', width: 2400, height: 1600, noise: true });
    const options = { privacy: true, max_side: 1600 };
    const photo = photoOf((await takeIn(window, target, [file], () => {}, options))[0]);
    expect(photo.original).toMatchObject({ size: file.size });
    expect(photo.size).toBeLessThan(file.size);
    expect([...host.spool.keys()].sort()).toEqual(
      [photo.original?.photo_id, photo.photo_id].sort(),
    );

    const original = await makeRendition(window, photo, () =>
      Promise.resolve({ ok: true, value: null }),
    );
    if (!original.ok) throw new Error('not turned round');
    expect(original.value).toMatchObject({ photo_id: photo.original?.photo_id, size: file.size });
    expect(original.value.original).toBeUndefined();
    expect([...host.spool.keys()]).toEqual([original.value.photo_id]);

    const again = await makeRendition(window, original.value, async (bytes) => ({
      ok: true,
      value: await scaleDown(bytes, 1600),
    }));
    if (!again.ok) throw new Error('not made again');
    expect(again.value.original?.photo_id).toBe(original.value.photo_id);
    expect(await window.db.photos.count()).toBe(1);

    const saved = await saveNearMiss(window, { id, ...owner, fields: fieldsOf('With two') });
    expect(saved.ok).toBe(true);
    const [queued] = [...host.journal.values()].filter(
      (operation) => operation.kind === 'photo.send',
    );
    const payload = photoSendSchema.parse(queued?.payload);
    expect(payload.photo.photo_id).toBe(again.value.photo_id);
    expect(payload.photo.original?.photo_id).toBe(original.value.photo_id);
  });

  it('a photo taken off, and a draft thrown away, drop both from the spool', async () => {
    const window = await windows.start(host);
    const options = { privacy: true, max_side: 1600 };
    const files = await Promise.all(
      [2000, 2100].map((width) => make({ format: 'jpeg', width, height: 1200, noise: true })),
    );
    const draft_id = ulid();
    const taken = await takeIn(window, { account: ACCOUNT, draft_id }, files, () => {}, options);
    expect(host.spool.size).toBe(4);
    await removeDraftPhoto(window, photoOf(taken[0]).photo_id);
    expect(host.spool.size).toBe(2);
    await discardDraft(window, draft_id);
    expect(host.spool.size).toBe(0);
  });
});

describe('what is not taken', () => {
  it('failures S10: a file that declares more pixels than any camera makes is refused before anything is decoded', async () => {
    const window = await windows.start(host);
    const png = new Uint8Array(
      await (await make({ format: 'png', width: 8, height: 8 })).arrayBuffer(),
    );
    // 60,000 × 60,000 in its header, a few bytes of content.
    new DataView(png.buffer).setUint32(16, 60_000);
    new DataView(png.buffer).setUint32(20, 60_000);
    const files = [
      new File([png], 'bomb.png'),
      await make({ format: 'png', width: 30, height: 30 }),
    ];
    const [bomb, good] = await takeIn(window, { account: ACCOUNT, draft_id: ulid() }, files);
    expect(bomb).toMatchObject({
      refusal: { kind: 'too_many_pixels', width: 60_000, height: 60_000 },
    });
    expect(good?.ok).toBe(true);
    expect(host.spool.size).toBe(1);
    expect(await makeThumbnail(files[0] ?? new Blob())).toBeNull();
  });

  it('failures S10: 120 real megapixels are sent as they are and never decoded: not shown, drawn on or made smaller', async () => {
    const window = await windows.start(host);
    const file = await make({ format: 'jpeg', width: 12_000, height: 10_000 });
    const target = { account: ACCOUNT, draft_id: ulid() };
    const [taken] = await takeIn(window, target, [file], () => {}, { ...private_, max_side: 1600 });
    expect(photoOf(taken)).toMatchObject({ size: file.size, thumbnail: null });
    expect(photoOf(taken).original).toBeUndefined();
    const jpeg = new Blob([file], { type: 'image/jpeg' });
    const shown = await showable(jpeg);
    expect([shown.type, shown.size]).toEqual(['application/octet-stream', file.size]);
    expect(await pictureToMark(jpeg)).toMatchObject({ ok: false });
  });

  it('the same photo twice on one record is noticed, in one go and later, on the edited record too', async () => {
    const window = await windows.start(host);
    const file = await make({ format: 'jpeg', width: 300, height: 200, noise: true });
    const target = { account: ACCOUNT, draft_id: ulid() };
    const both = await takeIn(window, target, [file, new File([file], 'copy.jpg')]);
    expect(both.map(refusalOf).sort()).toEqual(['duplicate', 'taken']);
    expect(refusalOf((await takeIn(window, target, [file]))[0])).toBe('duplicate');
    expect(host.spool.size).toBe(1);
    await saveNearMiss(window, { id: target.draft_id, ...owner, fields: fieldsOf('Once') });
    const edit = { account: ACCOUNT, draft_id: 'edit', near_miss_key: target.draft_id };
    expect(refusalOf((await takeIn(window, edit, [file]))[0])).toBe('duplicate');
    const other = { account: ACCOUNT, draft_id: ulid() };
    expect(refusalOf((await takeIn(window, other, [file]))[0])).toBe('taken');
  });

  it('a damaged file waits for a word; said so, it goes in as it is', async () => {
    const window = await windows.start(host);
    const jpeg = await make({ format: 'jpeg', width: 300, height: 200 });
    const broken = new File([jpeg.slice(0, 200), new Uint8Array(400).fill(7)], 'broken.jpg');
    const target = { account: ACCOUNT, draft_id: ulid() };
    const [asked, fine] = await takeIn(window, target, [broken, jpeg], () => {}, private_);
    expect(asked).toMatchObject({ refusal: { kind: 'ask', reason: 'damaged', file: broken } });
    expect(fine?.ok).toBe(true);
    const [said] = await takeIn(window, target, [broken], () => {}, asTheyAre);
    expect(photoOf(said)).toMatchObject({ size: broken.size, thumbnail: null });
  });

  it('stopped, nothing of it is kept, and the others go on', async () => {
    const window = await windows.start(host);
    const files = await Promise.all(
      [1, 2, 3].map((n) => make({ format: 'jpeg', width: 200 + n, height: 200, noise: true })),
    );
    const stop = new AbortController();
    const names: string[] = [];
    const outcomes = await takeIn(
      window,
      { account: ACCOUNT, draft_id: ulid() },
      files,
      ({ photo_id, step }) => {
        if (step === 'waiting') names.push(photo_id);
        if (step === 'writing' && photo_id === names[1]) stop.abort();
      },
      {
        ...private_,
        signal: (id) => (id === names[1] ? stop.signal : new AbortController().signal),
      },
    );
    expect(outcomes.map(refusalOf)).toEqual(['taken', 'cancelled', 'taken']);
    expect([...host.spool.keys()].sort()).toEqual([names[0], names[2]].sort());
    expect(await window.db.photos.count()).toBe(2);
  });
});

describe.skipIf(!exiftoolIsHere)('privacy at intake', () => {
  it('what is kept has no place and no names; both were read before, and are offered', async () => {
    const window = await windows.start(host);
    const files = [
      await withPersonalTags(await make({ format: 'webp', width: 300, height: 200 })),
      await withPersonalTags(await fromFixture('plain.heic')),
      await withPersonalTags(await fromFixture('clip.mov')),
    ];
    const taken = await takeIn(
      window,
      { account: ACCOUNT, draft_id: ulid() },
      files,
      () => {},
      private_,
    );
    for (const outcome of taken) {
      const photo = photoOf(outcome);
      expect(photo.cleaned).toBe(true);
      expect(photo.gps?.latitude).toBeCloseTo(52.52, 4);
      expect(photo.taken_at?.at).toBe(
        Date.parse('2026-03-04T05:06:07Z') - (photo.filename === 'clip.mov' ? 0 : 7_200_000),
      );
      await expect
        .poll(async () => (await window.db.photos.get(photo.photo_id))?.thumbnail ?? null)
        .not.toBeNull();
      const kept = host.spool.get(photo.photo_id)?.bytes ?? new Uint8Array();
      const tags = await tagsOf(new Blob([kept]), photo.filename.split('.').pop() ?? '');
      expect(
        Object.keys(tags).filter((name) => /GPS|Owner|Serial(?!Spec)|Artist/.test(name)),
      ).toEqual([]);
    }
    expect(photoOf(taken[0]).direction).toBeCloseTo(123.5, 3);
  });
});
