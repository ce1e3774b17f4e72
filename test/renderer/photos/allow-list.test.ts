/**
 * Data that is not on a format's allow-list does not leave this laptop: an unknown box, chunk or segment, a motion photo's
 * video, a maker's trailer, text in padding, bytes after the end. The picture stays the same, pixel by pixel.
 */
import { describe, expect, it } from 'vitest';
import { pictureOfHeif } from '../../../src/renderer/photos/heif/heif-picture.ts';
import { cleanTiff } from '../../../src/renderer/photos/formats/tiff.ts';
import { inspect } from '../../../src/renderer/photos/formats/inspect.ts';
import {
  be32,
  box,
  bytesOf,
  chunk,
  join,
  latin1Of,
  riffChunk,
  SECRET,
  segment,
  sentOf,
  text,
} from '../../support/photo-parts.ts';
import { fromFixture, make } from '../../support/renderer-photos.ts';
import { slow } from '../../support/slow.ts';

const pixelsOf = async (blob: Blob): Promise<Uint8ClampedArray> => {
  const decoded = await createImageBitmap(blob, { imageOrientation: 'none' });
  const context = new OffscreenCanvas(decoded.width, decoded.height).getContext('2d');
  context?.drawImage(decoded, 0, 0);
  return context?.getImageData(0, 0, decoded.width, decoded.height).data ?? new Uint8ClampedArray();
};

const heifPixels = async (blob: Blob): Promise<Uint8ClampedArray> => {
  const picture = await pictureOfHeif(blob, 512, 'image/jpeg');
  if (picture === null) throw new Error('it cannot be decoded');
  return pixelsOf(picture);
};

/** Offset of the first top-level box of this type. */
const beforeBox = (file: Uint8Array<ArrayBuffer>, type: string): number => {
  const view = new DataView(file.buffer);
  for (let at = 0; at + 8 <= file.length; at += view.getUint32(at))
    if (new TextDecoder('latin1').decode(file.slice(at + 4, at + 8)) === type) return at;
  throw new Error(`no ${type}`);
};

describe('A42: HEIC', () => {
  slow(
    'A42: a motion photo loses its video with picture, sound and place, and is no longer than the picture',
    async () => {
      const file = await fromFixture('heic-motion-mpvd.heic');
      expect(await latin1Of(file)).toContain('mpvd');
      const sent = await sentOf(file);
      expect(await latin1Of(sent)).not.toMatch(/mpvd|moov|udta|trak/);
      expect(sent.size).toBeLessThan(file.size / 2);
      expect(await heifPixels(sent)).toEqual(await heifPixels(file));
      expect(await inspect(sent)).toMatchObject({ stripped: { kind: 'clean' } });
    },
  );

  it('a trailer of its maker goes', async () => {
    const sent = await sentOf(await fromFixture('heic-trailer-box.heic'));
    expect(await latin1Of(sent)).not.toContain('sefd');
  });

  it.each(['zzzz', 'free', 'sefd', 'skip', 'udta'])(
    'a box %s at the end, with text, goes, and the picture stays',
    async (type) => {
      const plain = await bytesOf(await fromFixture('plain.heic'));
      const sent = await sentOf(join(plain, box(type, text(SECRET))));
      expect(await latin1Of(sent)).not.toContain('Secret');
      expect(await bytesOf(sent)).toEqual(await bytesOf(await sentOf(join(plain))));
    },
  );

  it('a box between the others becomes an empty one, so that nothing moves', async () => {
    const plain = await bytesOf(await fromFixture('plain.heic'));
    const at = beforeBox(plain, 'meta');
    // All later data moves, so the picture is not checked here, only the remaining text.
    const sent = await inspect(
      join(plain.slice(0, at), box('zzzz', text(SECRET)), plain.slice(at)),
    );
    if (sent.stripped.kind === 'stripped')
      expect(await latin1Of(sent.stripped.blob)).not.toContain('Secret');
    else expect(sent.stripped.kind).toBe('unsafe');
  });

  slow('bytes of the picture’s box that no item names become zeros', async () => {
    const plain = await bytesOf(await fromFixture('plain.heic'));
    const at = beforeBox(plain, 'mdat');
    const grown = join(plain, text(SECRET));
    const bytes = await bytesOf(grown);
    const view = new DataView(bytes.buffer);
    // Makes the last box contain the text.
    expect(at + view.getUint32(at)).toBe(plain.length);
    view.setUint32(at, view.getUint32(at) + SECRET.length);
    const sent = await sentOf(join(bytes));
    expect(await latin1Of(sent)).not.toContain('Secret');
    expect(await heifPixels(sent)).toEqual(await heifPixels(join(plain)));
  });
});

describe('A42: JPEG, PNG, WebP, video', () => {
  it.each([0xe5, 0xed, 0xef, 0xfe, 0xf0, 0xfd, 0xc8])(
    'a JPEG segment %i with text goes, and no pixel changes',
    async (marker) => {
      const plain = await bytesOf(await make({ format: 'jpeg', width: 64, height: 48 }));
      const file = join(plain.slice(0, 2), segment(marker, text(SECRET)), plain.slice(2));
      const sent = await sentOf(file);
      expect(await latin1Of(sent)).not.toContain('Secret');
      expect(await pixelsOf(sent)).toEqual(await pixelsOf(join(plain)));
    },
  );

  it.each([
    ['JFIF', 0xe0, 'JFIF\0\x01\x01\0\0\x01\0\x01\x01\x01RGB'],
    ['Adobe', 0xee, 'Adobe\0\x64\0\0\0\0\x01'],
  ])(
    'text behind what a decoder reads of a JPEG’s %s segment goes, and a thumbnail in it',
    async (_name, marker, head) => {
      const plain = await bytesOf(await make({ format: 'jpeg', width: 64, height: 48 }));
      const grown = segment(marker, text(head + SECRET));
      const file = join(plain.slice(0, 2), grown, plain.slice(2));
      const sent = await sentOf(file);
      expect(await latin1Of(sent)).not.toMatch(/Secret|RGB/);
      expect(await pixelsOf(sent)).toEqual(await pixelsOf(file));
      expect(await inspect(sent)).toMatchObject({ stripped: { kind: 'clean' } });
    },
  );

  it('bytes behind the end of a JPEG and a PNG go', async () => {
    for (const format of ['jpeg', 'png'] as const) {
      const plain = await bytesOf(await make({ format, width: 64, height: 48 }));
      const sent = await sentOf(join(plain, text(SECRET)));
      expect(await latin1Of(sent), format).not.toContain('Secret');
      expect(await pixelsOf(sent)).toEqual(await pixelsOf(join(plain)));
    }
  });

  it.each(['zTXt', 'iTXt', 'prVt', 'caBX'])('a PNG chunk %s goes', async (type) => {
    const plain = await bytesOf(await make({ format: 'png', width: 64, height: 48 }));
    const sent = await sentOf(join(plain.slice(0, 33), chunk(type, text(SECRET)), plain.slice(33)));
    expect(await latin1Of(sent)).not.toContain('Secret');
    expect(await pixelsOf(sent)).toEqual(await pixelsOf(join(plain)));
  });

  it('a WebP chunk nobody knows goes', async () => {
    const plain = await bytesOf(await make({ format: 'webp', width: 64, height: 48 }));
    const extra = riffChunk('ZZZZ', text(SECRET));
    const grown = await bytesOf(join(plain, extra));
    new DataView(grown.buffer).setUint32(4, grown.length - 8, true);
    const sent = await sentOf(join(grown));
    expect(await latin1Of(sent)).not.toContain('Secret');
    expect(await pixelsOf(sent)).toEqual(await pixelsOf(join(plain)));
  });

  it('a chunk nobody knows inside a frame of an animated WebP is left to the person', async () => {
    const still = await bytesOf(await make({ format: 'webp', width: 16, height: 16 }));
    const picture = still.slice(12);
    const place = new Uint8Array(16);
    place.set([15, 0, 0, 15, 0, 0], 6);
    const frame = riffChunk(
      'ANMF',
      new Uint8Array([...place, ...riffChunk('ZZZZ', text(SECRET)), ...picture]),
    );
    const head = riffChunk('VP8X', new Uint8Array([2, 0, 0, 0, 15, 0, 0, 15, 0, 0]));
    const body = new Uint8Array([
      ...text('WEBP'),
      ...head,
      ...riffChunk('ANIM', new Uint8Array(6)),
      ...frame,
    ]);
    const file = join(text('RIFF'), be32(body.length).reverse(), body);
    expect(await inspect(file)).toMatchObject({ stripped: { kind: 'unsafe' } });
  });

  it.each(['zzzz', 'free', 'udta', 'wide'])(
    'a box %s of a video, with text, goes',
    async (type) => {
      const plain = await bytesOf(await fromFixture('clip.mp4'));
      const sent = await sentOf(join(plain, box(type, text(SECRET))));
      expect(await latin1Of(sent)).not.toContain('Secret');
    },
  );

  it('a box among a track’s tables, and in a fragment, goes or the person is asked', async () => {
    const plain = await bytesOf(await fromFixture('clip.mov'));
    // The movie is the last box, so growing it moves nothing else.
    const view = new DataView(plain.buffer);
    const path: number[] = [beforeBox(plain, 'moov')];
    for (const type of ['trak', 'mdia', 'minf', 'stbl']) {
      let at = (path.at(-1) ?? 0) + 8;
      while (new TextDecoder('latin1').decode(plain.slice(at + 4, at + 8)) !== type)
        at += view.getUint32(at);
      path.push(at);
    }
    const extra = box('zzzz', text(SECRET));
    const table = path.at(-1) ?? 0;
    const end = table + view.getUint32(table);
    for (const at of path) view.setUint32(at, view.getUint32(at) + extra.length);
    const sent = await sentOf(join(plain.slice(0, end), extra, plain.slice(end)));
    expect(await latin1Of(sent)).not.toContain('Secret');
    const fragment = box('moof', box('traf', extra));
    expect(await inspect(join(await bytesOf(sent), fragment))).toMatchObject({
      stripped: { kind: 'unsafe' },
    });
  });
});

const le16 = (value: number): number[] => [value & 255, value >> 8];
const le32 = (value: number): number[] => [...be32(value)].toReversed();

/** Two by two pixels, with bytes between headers and pixels. */
const bmpWith = (gap: Uint8Array<ArrayBuffer>, { compression = 0 } = {}): File => {
  const rows = [0, 0, 255, 255, 0, 0, 0, 0, 0, 255, 0, 255, 255, 255, 0, 0];
  const from = 54 + gap.length;
  const info = [...le32(40), ...le32(2), ...le32(2), ...le16(1), ...le16(24), ...le32(compression)];
  const head = [...text('BM'), ...le32(from + 16), 0, 0, 0, 0, ...le32(from), ...info];
  return join(new Uint8Array([...head, ...new Uint8Array(20), ...gap, ...rows]));
};

/** Two by two grey pixels, and further fields with a text each. */
const PIXELS = [1, 2, 3, 4];
const tiffWith = (...tags: readonly number[]): File => {
  const short = (tag: number, value: number) => [...le16(tag), 3, 0, ...le32(1), ...le32(value)];
  const count = 8 + tags.length;
  const at = 8 + 2 + count * 12 + 4;
  const placed = (tag: number, type: number, amount: number, from: number) =>
    [le16(tag), le16(type), le32(amount), le32(from)].flat();
  const operations = [
    short(256, 2),
    short(257, 2),
    short(258, 8),
    short(259, 1),
    short(262, 1),
    placed(273, 4, 1, at),
    short(278, 2),
    short(279, 4),
    ...tags.map((tag, index) => placed(tag, 2, SECRET.length, at + 4 + index * SECRET.length)),
  ];
  const head = [le16(0x4949), le16(42), le32(8), le16(count), operations.flat(), le32(0)].flat();
  return join(new Uint8Array([...head, ...PIXELS]), ...tags.map(() => text(SECRET)));
};

describe('A66: AVIF, TIFF, BMP, GIF', () => {
  it('A66: an AVIF loses a box nobody knows, and no pixel changes', async () => {
    const plain = await bytesOf(await make({ format: 'avif', width: 64, height: 48 }));
    expect(await inspect(join(plain))).toMatchObject({
      type: 'image/avif',
      pixels: { width: 64, height: 48 },
    });
    const sent = await sentOf(join(plain, box('zzzz', text(SECRET))));
    expect(await latin1Of(sent)).not.toContain('Secret');
    expect(await pixelsOf(sent)).toEqual(await pixelsOf(join(plain)));
  });

  it.each([
    ['a comment', [0x21, 0xfe, SECRET.length, ...text(SECRET), 0]],
    [
      'a program’s block',
      [0x21, 0xff, 11, ...text('XMP DataXMP'), SECRET.length, ...text(SECRET), 0],
    ],
    ['a text', [0x21, 0x01, 12, ...new Uint8Array(12), SECRET.length, ...text(SECRET), 0]],
  ])(
    'a GIF loses %s, and what follows its end; its pictures and its loop stay',
    async (_name, bytes) => {
      const plain = await bytesOf(await make({ format: 'gif', width: 64, height: 48 }));
      const loop = [0x21, 0xff, 11, ...text('NETSCAPE2.0'), 3, 1, 0, 0, 0];
      const body = new Uint8Array([...plain.slice(0, -1), ...loop, ...bytes, 0x3b]);
      const sent = await sentOf(join(body, text(SECRET)));
      expect(await latin1Of(sent)).not.toContain('Secret');
      expect(await latin1Of(sent)).toContain('NETSCAPE2.0');
      expect(await pixelsOf(sent)).toEqual(await pixelsOf(join(plain)));
      expect(await inspect(sent)).toMatchObject({ type: 'image/gif', stripped: { kind: 'clean' } });
    },
  );

  it('a BMP loses bytes between its parts and behind them; one that holds another file is left to the person', async () => {
    const plain = bmpWith(new Uint8Array());
    expect(await inspect(plain)).toMatchObject({ type: 'image/bmp', stripped: { kind: 'clean' } });
    const sent = await sentOf(join(await bytesOf(bmpWith(text(SECRET))), text(SECRET)));
    expect(await latin1Of(sent)).not.toContain('Secret');
    expect(await pixelsOf(sent)).toEqual(await pixelsOf(plain));
    expect(await inspect(bmpWith(new Uint8Array(), { compression: 4 }))).toMatchObject({
      stripped: { kind: 'unsafe', reason: 'unknown_parts' },
    });
  });

  it('a TIFF loses the tags that are on no list and bytes that no tag names; its pixels stay where they are', async () => {
    const file = tiffWith(270, 315, 700, 34853, 65000);
    const sent = await sentOf(join(await bytesOf(file), text(SECRET)));
    expect(await latin1Of(sent)).not.toContain('Secret');
    expect(await inspect(sent)).toMatchObject({
      type: 'image/tiff',
      pixels: { width: 2, height: 2 },
      stripped: { kind: 'clean' },
    });
    const at = 8 + 2 + 13 * 12 + 4;
    expect([...(await bytesOf(sent)).slice(at, at + 4)]).toEqual(PIXELS);
    const drawn = await make({ format: 'tiff', width: 64, height: 48 });
    expect((await inspect(drawn)).stripped.kind).not.toBe('unsafe');
  });

  it.each([330, 50706])(
    'a raw picture, a TIFF with the tag %i, is left to the person',
    async (tag) => {
      expect(await inspect(tiffWith(tag))).toMatchObject({
        stripped: { kind: 'unsafe', reason: 'unknown_parts' },
      });
    },
  );
});

describe('A67: a JPEG without its end', () => {
  it('A67: says that it is cut off, and is what it was otherwise', async () => {
    const whole = await bytesOf(
      await make({ format: 'jpeg', width: 640, height: 480, noise: true }),
    );
    const part = join(whole.slice(0, whole.length * 0.6));
    expect(await inspect(join(whole))).toMatchObject({ cut_off: false });
    expect(await inspect(part)).toMatchObject({ cut_off: true, stripped: { kind: 'clean' } });
  });

  it('of three bytes it is no picture: the person is asked', async () => {
    expect(await inspect(join(new Uint8Array([0xff, 0xd8, 0xff])))).toMatchObject({
      stripped: { kind: 'unsafe', reason: 'damaged' },
    });
  });
});

/** Make and Model share a text of 60 bytes; written separately, the block grows by 60 bytes. */
const sharedTexts = (): Uint8Array<ArrayBuffer> => {
  const out = new Uint8Array(116);
  const view = new DataView(out.buffer);
  out.set([0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 3]);
  [0x10f, 0x110].forEach((tag, at) => {
    view.setUint16(10 + at * 12, tag);
    view.setUint16(12 + at * 12, 2);
    view.setUint32(14 + at * 12, 60);
    view.setUint32(18 + at * 12, 50);
  });
  view.setUint16(34, 0x112);
  view.setUint16(36, 3);
  view.setUint32(38, 1);
  view.setUint16(42, 6);
  return out;
};

describe('A43: EXIF that cannot be kept as it is', () => {
  it('a block that may not grow, as in a HEIC, keeps the orientation', () => {
    const block = sharedTexts();
    const clean = cleanTiff(block, block.length);
    if (clean.kind !== 'rewritten') throw new Error(clean.kind);
    expect(clean.bytes.length).toBeLessThanOrEqual(block.length);
    expect([...clean.bytes.slice(10, 20)]).toEqual([1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6]);
  });

  it.each(['exif-shared-values.jpg', 'exif-directory-too-long.jpg', 'exif-padding-ff.jpg'])(
    'A43: %s lies in what is sent as it does in the original',
    async (name) => {
      const file = await fromFixture(name);
      const upright = async (blob: Blob) => {
        const { width, height } = await createImageBitmap(blob);
        return { width, height };
      };
      const before = await upright(file);
      // It is rotated: the stored picture is wide.
      expect(before.height).toBeGreaterThan(before.width);
      expect(await upright(await sentOf(file))).toEqual(before);
    },
  );
});
