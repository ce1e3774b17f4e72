/**
 * HEIC as phones make it (a tile grid, rotated by `irot` and again in EXIF, ten bits, a depth map): rotated exactly once,
 * everywhere.
 */
import { describe, expect, it } from 'vitest';
import { ulid } from 'ulid';
import { inspect } from '../../../src/renderer/photos/formats/inspect.ts';
import { showable } from '../../../src/renderer/photos/shown.ts';
import { takeIn } from '../../../src/renderer/photos/intake.ts';
import { renderMarkup } from '../../../src/renderer/photos/markup/render.ts';
import { readMetadata } from '../../../src/renderer/photos/metadata.ts';
import { scaleDown } from '../../../src/renderer/photos/rendition.ts';
import { makeThumbnail } from '../../../src/renderer/photos/thumbnail.ts';
import { phoneHeic, type PhoneHeic } from '../../support/phone-heic.ts';
import { ACCOUNT } from '../../support/renderer-host.ts';
import {
  exiftoolIsHere,
  fromFixture,
  tagsOf,
  withPersonalTags,
} from '../../support/renderer-photos.ts';
import { host, windowPerTest, windows } from '../../support/renderer-window.ts';

windowPerTest();

const heicOf = async (wanted: PhoneHeic, fixture = 'tiles.heic'): Promise<File> => {
  const tiles = new Uint8Array(await (await fromFixture(fixture)).arrayBuffer());
  return new File([phoneHeic(tiles, wanted)], 'IMG_0001.heic', { type: 'image/heic' });
};

/** Tiles of 64 x 64, in turn: red and lime, below them blue and yellow. */
const nameOf = ([red = 0, green = 0, blue = 0]: readonly number[]): string => {
  const high = [red, green, blue].map((value) => (value > 128 ? 1 : 0)).join('');
  return { '100': 'red', '010': 'lime', '001': 'blue', '110': 'yellow' }[high] ?? high;
};

/** Size and the colours near the corners: upper left, upper right, lower left, lower right. */
const lookOf = async (blob: Blob | null) => {
  if (blob === null) throw new Error('no picture');
  const bitmap = await createImageBitmap(blob);
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext('2d');
  context?.drawImage(bitmap, 0, 0);
  const at = (x: number, y: number) => nameOf([...(context?.getImageData(x, y, 1, 1).data ?? [])]);
  const [right, low] = [width - 8, height - 8];
  return { size: [width, height], corners: [at(8, 8), at(right, 8), at(8, low), at(right, low)] };
};

/** 192 x 128: three tiles by two. Upright as stored: red lime red / blue yellow blue. */
const stored = { width: 192, height: 128 };
const cases: readonly (readonly [string, PhoneHeic, unknown])[] = [
  ['as it is stored', stored, { size: [192, 128], corners: ['red', 'red', 'blue', 'blue'] }],
  [
    'a quarter turned with the clock, as a phone held upright, EXIF 6 beside it',
    { ...stored, turns: 3, orientation: 6, extras: true },
    { size: [128, 192], corners: ['blue', 'red', 'blue', 'red'] },
  ],
  [
    'turned half round, EXIF 3 beside it',
    { width: 128, height: 192, turns: 2, orientation: 3 },
    { size: [128, 192], corners: ['lime', 'red', 'lime', 'red'] },
  ],
  [
    'left and right changed, as a front camera does',
    { width: 128, height: 128, mirror: 1, orientation: 2 },
    { size: [128, 128], corners: ['lime', 'red', 'yellow', 'blue'] },
  ],
  [
    'clipped to its middle',
    { width: 256, height: 128, clip: { width: 128, height: 128 } },
    { size: [128, 128], corners: ['lime', 'red', 'yellow', 'blue'] },
  ],
  [
    'EXIF alone says that it is turned: it does not count, the properties do',
    { ...stored, orientation: 6 },
    { size: [192, 128], corners: ['red', 'red', 'blue', 'blue'] },
  ],
];

describe('HEIC as phones make it', () => {
  it.each(cases)('%s', async (_, wanted, expected) => {
    expect(await lookOf(await makeThumbnail(await heicOf(wanted)))).toEqual(expected);
  });

  it('of ten bits, with a depth map: small and in full', async () => {
    const file = await heicOf(
      { ...stored, turns: 3, orientation: 6, extras: true },
      'tiles-10bit.heic',
    );
    const expected = { size: [128, 192], corners: ['blue', 'red', 'blue', 'red'] };
    expect(await lookOf(await makeThumbnail(file)), 'small').toEqual(expected);
    expect(await lookOf(await showable(file)), 'in full').toEqual(expected);
  });

  it('marked up it is upright once, and its EXIF says so', async () => {
    const file = await heicOf({ ...stored, turns: 3, orientation: 6, extras: true });
    const edits = { version: 1 as const, shapes: [], max_side: null };
    const made = await renderMarkup(file, edits, { keep_place: false });
    if (!made.ok) throw new Error(made.problem.kind);
    expect(await lookOf(made.value)).toMatchObject({ size: [128, 192] });
    const seen = await inspect(made.value);
    expect(await readMetadata(seen)).toMatchObject({
      orientation: 1,
      taken_at: { local: '2026-03-04T05:06:07' },
    });
  });

  it('sent smaller it is a JPEG that says so in its name, upright, with its time; never larger than it was', async () => {
    // Single-colour tiles are tiny; reducing helps only if the picture is larger than its JPEG.
    const flat = await heicOf({ ...stored, turns: 3, orientation: 6 });
    expect(await scaleDown(flat, 100)).toBeNull();
    const tiles = new Uint8Array(await flat.arrayBuffer());
    const heavy = new File([tiles, new Uint8Array(60_000)], 'IMG_0002.HEIC');
    const window = await windows.start(host);
    const target = { account: ACCOUNT, draft_id: ulid() };
    const [taken] = await takeIn(window, target, [heavy], undefined, {
      privacy: false,
      max_side: 100,
    });
    if (!taken?.ok) throw new Error('refused');
    expect(taken.kept).toMatchObject({
      filename: 'IMG_0002.HEIC.jpg',
      content_type: 'image/jpeg',
      original: { size: heavy.size },
    });
    expect(taken.kept.size).toBeLessThan(heavy.size);
    const bytes = host.spool.get(taken.kept.photo_id)?.bytes ?? new Uint8Array();
    const sent = new Blob([Uint8Array.from(bytes)]);
    expect(await lookOf(sent)).toEqual({
      size: [67, 100],
      corners: ['blue', 'red', 'blue', 'red'],
    });
    const metadata = await readMetadata(await inspect(sent));
    expect(metadata).toMatchObject({ orientation: 1, taken_at: { offset: null } });
  });
});

describe.skipIf(!exiftoolIsHere)('privacy of such a HEIC, judged by exiftool', () => {
  it.each(['tiles.heic', 'tiles-10bit.heic'])(
    '%s as a grid with depth map loses what is personal, keeps time and turning, and shows the same picture',
    async (fixture) => {
      const made = await heicOf({ ...stored, turns: 3, orientation: 6, extras: true }, fixture);
      const file = await withPersonalTags(made);
      expect(JSON.stringify(await tagsOf(file, 'heic'))).toMatch(/secret/i);
      const seen = await inspect(file);
      expect(seen.pixels).toEqual({ width: 192, height: 128 });
      if (seen.stripped.kind !== 'stripped') throw new Error(seen.stripped.kind);
      const { blob } = seen.stripped;
      const after = await tagsOf(blob, 'heic');
      const left = Object.entries(after).filter(
        ([name, value]) =>
          /secret|gps|serial|owner|artist/i.test(name) || /secret/i.test(JSON.stringify(value)),
      );
      expect(left).toEqual([]);
      expect(Object.keys(after).filter((name) => /Warning|Error/.test(name))).toEqual([]);
      expect(after).toMatchObject({
        'ExifIFD:DateTimeOriginal': '2026:03:04 05:06:07',
        'IFD0:Orientation': 6,
      });
      expect(await lookOf(await makeThumbnail(blob))).toEqual(
        await lookOf(await makeThumbnail(made)),
      );
      expect((await inspect(blob)).stripped).toEqual({ kind: 'clean' });
    },
  );
});
