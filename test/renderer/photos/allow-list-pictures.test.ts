/**
 * JPEG, PNG, WebP and EXIF: text in segments, chunks and fields that decoders know, and bytes behind a file that is cut
 * off, do not leave this laptop. The picture stays the same.
 */
import { describe, expect, it } from 'vitest';
import { cleanTiff } from '../../../src/renderer/photos/formats/tiff.ts';
import { inspect } from '../../../src/renderer/photos/formats/inspect.ts';
import { exifOf, textField } from '../../support/exif-block.ts';
import {
  bytesOf,
  chunk,
  join,
  joined,
  latin1,
  latin1Of,
  riffChunk,
  SECRET,
  segment,
  sentOf,
  text,
} from '../../support/photo-parts.ts';
import { fromFixture, make } from '../../support/renderer-photos.ts';

type Bytes = Uint8Array<ArrayBuffer>;
const secret = text(SECRET);
const small = { width: 64, height: 48 };

const pixelsOf = async (blob: Blob): Promise<Uint8ClampedArray> => {
  const decoded = await createImageBitmap(blob);
  const context = new OffscreenCanvas(decoded.width, decoded.height).getContext('2d');
  context?.drawImage(decoded, 0, 0);
  return context?.getImageData(0, 0, decoded.width, decoded.height).data ?? new Uint8ClampedArray();
};

/** The text goes, the picture stays, and a second look finds nothing. */
const expectClean = async (file: Blob, plain: Blob): Promise<void> => {
  expect(await latin1Of(file)).toContain('Secret');
  const sent = await sentOf(file);
  expect(await latin1Of(sent)).not.toContain('Secret');
  expect(await pixelsOf(sent)).toEqual(await pixelsOf(plain));
  expect(await inspect(sent)).toMatchObject({ stripped: { kind: 'clean' } });
};

describe('JPEG', () => {
  it.each([
    ['a number of lines', 0xdc, secret],
    ['a hierarchical picture', 0xde, secret],
    ['an expansion', 0xdf, secret],
    ['bytes after the restart interval', 0xdd, joined(new Uint8Array(2), secret)],
    ['a profile that is none', 0xe2, joined(latin1('ICC_PROFILE\0\x01\x01'), secret)],
    ['the second part of no profile', 0xe2, joined(latin1('ICC_PROFILE\0\x02\x02'), secret)],
  ])('%s with text goes', async (_name, marker, body) => {
    const plain = await make({ format: 'jpeg', ...small });
    const bytes = await bytesOf(plain);
    await expectClean(join(bytes.slice(0, 2), segment(marker, body), bytes.slice(2)), plain);
  });

  it.each([
    ['an EXIF block', 0xe1, 'Exif\0\0'],
    ['a comment', 0xfe, ''],
  ])('%s that is longer than a file without an end goes', async (_name, marker, head) => {
    const bytes = await bytesOf(await make({ format: 'jpeg', ...small }));
    const part = bytes.slice(0, -2);
    const rest = joined(new Uint8Array([0xff, marker, 0xff, 0xff]), latin1(head), secret);
    expect(await inspect(join(part, rest))).toMatchObject({ cut_off: true });
    expect(await bytesOf(await sentOf(join(part, rest)))).toEqual(part);
  });
});

describe('EXIF', () => {
  const block = exifOf([textField(0xa434, 'A lens')], []);

  it('a block of known fields stays, with zeros behind it', () => {
    expect(cleanTiff(block)).toEqual({ kind: 'clean' });
    expect(cleanTiff(joined(block, new Uint8Array(40)))).toEqual({ kind: 'clean' });
  });

  it.each([
    ['bytes that no field names', joined(block, secret)],
    ['a field of an unknown type', exifOf([[0x9003, 14, 1, [...text('Mari')]]], [])],
    ['a field twice', exifOf([textField(0xa434, 'A lens'), textField(0xa434, SECRET)], [])],
  ] satisfies readonly (readonly [string, Bytes])[])(
    '%s: the block is rewritten',
    (_name, given) => {
      const clean = cleanTiff(given);
      if (clean.kind !== 'rewritten') throw new Error(clean.kind);
      expect(new TextDecoder('latin1').decode(clean.bytes)).not.toMatch(/Mari/);
      expect(cleanTiff(clean.bytes)).toEqual({ kind: 'clean' });
    },
  );

  it('bytes between the fields of a JPEG go', async () => {
    const plain = await make({ format: 'jpeg', ...small });
    const bytes = await bytesOf(plain);
    const exif = segment(0xe1, joined(latin1('Exif\0\0'), block, secret));
    await expectClean(join(bytes.slice(0, 2), exif, bytes.slice(2)), plain);
  });
});

const HEADER = 33;
const between = (png: Bytes, ...chunks: readonly Bytes[]): File =>
  join(png.slice(0, HEADER), ...chunks, png.slice(HEADER));

describe('PNG', () => {
  it.each([
    ['tEXt', text(`Software\0${SECRET}`)],
    ['iTXt', text(`Creation Time\0\0\0\0\0${SECRET}`)],
    ['sPLT', joined(secret, new Uint8Array(2))],
    ...['hIST', 'pHYs', 'gAMA', 'cHRM', 'sRGB', 'sBIT', 'tIME', 'bKGD', 'cLLI', 'mDCV', 'cICP'].map(
      (type) => [type, secret] as const,
    ),
    ...['PLTE', 'tRNS', 'acTL', 'fcTL', 'fdAT', 'IEND'].map((type) => [type, secret] as const),
  ] satisfies readonly (readonly [string, Bytes])[])(
    'a chunk %s with text goes',
    async (type, body) => {
      const plain = await make({ format: 'png', ...small });
      const bytes = await bytesOf(plain);
      if (type === 'IEND') await expectClean(join(bytes.slice(0, -12), chunk(type, body)), plain);
      else await expectClean(between(bytes, chunk(type, body)), plain);
    },
  );

  it('a colour profile keeps its colours and gets a neutral name', async () => {
    const plain = await make({ format: 'png', ...small, profile: true });
    const bytes = await bytesOf(plain);
    const all = await latin1Of(plain);
    const at = all.indexOf('iCCP');
    const length = new DataView(bytes.buffer).getUint32(at - 4);
    const data = bytes.slice(at + 4, at + 4 + length);
    const named = chunk('iCCP', joined(text('Maria Secret’s Mac'), data.slice(data.indexOf(0))));
    const file = join(bytes.slice(0, at - 4), named, bytes.slice(at + 8 + length));
    await expectClean(file, plain);
    expect(await inspect(plain)).toMatchObject({ stripped: { kind: 'clean' } });
  });

  it('a few bytes that are no chunk go', async () => {
    const plain = await bytesOf(await make({ format: 'png', ...small }));
    const sent = await sentOf(join(plain.slice(0, -12), text('Secret!')));
    expect(await latin1Of(sent)).not.toContain('Secret');
  });
});

const riff = (...chunks: readonly Bytes[]): File => {
  const body = joined(text('WEBP'), ...chunks);
  return join(riffChunk('RIFF', body));
};

describe('WebP', () => {
  it.each(['ALPH', 'ANIM', 'ICCP', 'VP8 ', 'VP8L'])('a further %s with text goes', async (type) => {
    const plain = await make({ format: 'webp', ...small });
    const picture = (await bytesOf(plain)).slice(12);
    const body = type === 'ANIM' ? text('Secret') : secret;
    const twice = type === 'ANIM' ? [riffChunk('ANIM', new Uint8Array(6))] : [];
    const sent = await sentOf(riff(...twice, picture, riffChunk(type, body)));
    expect(await latin1Of(sent)).not.toContain('Secret');
    if (type !== 'ANIM') expect(await pixelsOf(sent)).toEqual(await pixelsOf(plain));
  });

  it('a longer header is left to the person, and a few bytes that are no chunk go', async () => {
    const picture = (await bytesOf(await make({ format: 'webp', ...small }))).slice(12);
    const head = joined(new Uint8Array([0, 0, 0, 0, 63, 0, 0, 47, 0, 0]), secret);
    expect(await inspect(riff(riffChunk('VP8X', head), picture))).toMatchObject({
      stripped: { kind: 'unsafe' },
    });
    const sent = await sentOf(riff(picture, text('Secret')));
    expect(await latin1Of(sent)).not.toContain('Secret');
  });
});

it.each(['png', 'webp', 'gif', 'jpeg'] as const)('a %s without its end says so', async (format) => {
  const whole = await make({ format, width: 320, height: 240, noise: true });
  const part = whole.slice(0, whole.size * 0.6);
  expect(await inspect(whole)).toMatchObject({ cut_off: false });
  expect(await inspect(part)).toMatchObject({ cut_off: true, stripped: { kind: 'clean' } });
});

it.each(['exif-directory-too-long.jpg', 'exif-padding-ff.jpg'])(
  '%s is a clean photo',
  async (name) => {
    expect(await inspect(await fromFixture(name))).toMatchObject({ stripped: { kind: 'clean' } });
  },
);
