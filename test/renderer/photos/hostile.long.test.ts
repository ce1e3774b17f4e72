/**
 * Failures S10, S11: files made to freeze the window, fill the memory or get past the guard. Every reader runs in a worker with
 * a deadline and bounds its work by the file's size; an unknown size counts as too large.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inspect } from '../../../src/renderer/photos/formats/inspect.ts';
import { look } from '../../../src/renderer/photos/formats/look.ts';
import { cleanTiff, exifForRendition } from '../../../src/renderer/photos/formats/tiff.ts';
import { renderMarkup } from '../../../src/renderer/photos/markup/render.ts';
import { noEdits } from '../../../src/renderer/photos/markup/model.ts';
import { readMetadata } from '../../../src/renderer/photos/metadata.ts';
import { scaleDown } from '../../../src/renderer/photos/rendition.ts';
import { showable } from '../../../src/renderer/photos/shown.ts';
import { makeThumbnail, pixelsOf } from '../../../src/renderer/photos/thumbnail.ts';
import { hostilePhotos, knownHostile } from '../../support/hostile-photos.ts';
import { make } from '../../support/renderer-photos.ts';

const took = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};
const damaged = { stripped: { kind: 'unsafe', reason: 'damaged' } };
const octets = 'application/octet-stream';

describe('files that were seen to do harm', () => {
  it('S10: a HEIC of 48 kB with parts that are nowhere is damaged at once', async () => {
    const file = new Blob([knownHostile.heicOfNowhere(8000)]);
    expect(file.size).toBeLessThan(60_000);
    const seen = await look(file);
    expect(seen).toMatchObject({ type: 'image/heic', pixels: null, ...damaged });
    expect(await took(() => look(file))).toBeLessThan(10_000);
  });

  it('S10: a HEIC whose items all hold the whole file is read no more often than the file is long', async () => {
    const file = new Blob([knownHostile.heicOfTheSame(2000, 1_000_000)]);
    expect(await look(file)).toMatchObject(damaged);
    expect(await took(() => look(file))).toBeLessThan(30_000);
  });

  it('S10: a JPEG of nothing but scans is given up', async () => {
    expect(await look(new Blob([knownHostile.jpegOfScans(400_000)]))).toMatchObject(damaged);
  });

  it('S10: bytes that belong nowhere hide the size of no JPEG: what decoders find is found', async () => {
    const sound = await make({ format: 'jpeg', width: 320, height: 240 });
    const file = new File(
      [knownHostile.withJunk(new Uint8Array(await sound.arrayBuffer()))],
      'junk.jpg',
      { type: 'image/jpeg' },
    );
    // The browser can show it, so its size must be known.
    expect((await createImageBitmap(file)).width).toBe(320);
    expect(await inspect(file)).toMatchObject({ pixels: { width: 320, height: 240 }, ...damaged });
  });

  it('S10: a size that is not known is too large: no thumbnail, nothing shown, drawn on or made smaller', async () => {
    expect(pixelsOf({ pixels: null })).toBe(Infinity);
    expect(pixelsOf({ pixels: { width: 0, height: 9 } })).toBe(Infinity);
    // 20,000 x 20,000 after junk, and a header without a size.
    const sound = new Uint8Array(
      await (await make({ format: 'jpeg', width: 320, height: 240 })).arrayBuffer(),
    );
    const frame = sound.findIndex((byte, at) => byte === 0xff && sound[at + 1] === 0xc0);
    const huge = sound.slice();
    huge.set([0x4e, 0x20, 0x4e, 0x20], frame + 5);
    const none = sound.slice();
    none[frame + 1] = 0xfe;
    for (const bytes of [knownHostile.withJunk(huge), none]) {
      const file = new File([bytes], 'x.jpg', { type: 'image/jpeg' });
      expect(await makeThumbnail(file)).toBeNull();
      expect((await showable(file)).type).toBe(octets);
      expect(await scaleDown(file, 300)).toBeNull();
      const drawn = await renderMarkup(file, noEdits(null), { privacy: true } as never);
      expect(drawn.ok).toBe(false);
    }
  });

  it('S10: what takes too long is ended: its type is known, nothing of it is decoded, the person is asked', async () => {
    const file = await make({ format: 'jpeg', width: 320, height: 240 });
    expect(await inspect(file, 0)).toMatchObject({
      type: 'image/jpeg',
      pixels: null,
      stripped: { kind: 'unsafe', reason: 'stopped' },
    });
    // The next file is read normally.
    expect(await inspect(file)).toMatchObject({ pixels: { width: 320 } });
  });

  it('S10: fields of an EXIF block that share their bytes are never written side by side', () => {
    // 4,900 GPS fields that each cover the whole block: 4,900 times 60 kB.
    const fields = 4_900;
    const block = new Uint8Array(60_100);
    const view = new DataView(block.buffer);
    block.set([0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26]);
    view.setUint16(26, fields);
    for (let at = 0; at < fields; at += 1) {
      const operation = 28 + at * 12;
      view.setUint16(operation, at);
      view.setUint16(operation + 2, 1);
      view.setUint32(operation + 4, 60_000);
      view.setUint32(operation + 8, 0);
    }
    expect(exifForRendition(block, true)?.length ?? 0).toBeLessThan(100);
    expect(cleanTiff(block).kind).not.toBe('clean');
  });
});

describe('files whose structure is drawn', () => {
  it.each(Object.entries(hostilePhotos))(
    'S11: %s: every one is answered, soon, and its metadata too',
    async (name, files) => {
      await fc.assert(
        fc.asyncProperty(files, async (bytes) => {
          const began = performance.now();
          const seen = await look(new Blob([bytes]));
          if (seen.stripped.kind === 'stripped')
            expect(seen.stripped.blob.size).toBeLessThanOrEqual(bytes.length + 4096);
          expect(performance.now() - began, name).toBeLessThan(30_000);
        }),
        { numRuns: 300 },
      );
      // Through the workers, as in the app.
      for (const bytes of fc.sample(files, 5)) {
        const seen = await inspect(new Blob([bytes]));
        expect(await readMetadata(seen)).toHaveProperty('taken_at');
      }
    },
  );
});
