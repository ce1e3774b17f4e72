/**
 * Thumbnails by sharp (decisions §5.8; failures S10). The size in pixels is read from the header before anything is
 * decoded, and only formats of photos can be decoded at all. One image is decoded at a time: an image of the largest
 * size allowed takes some hundred megabytes for a moment, several at once would not be bounded. What was made is
 * kept beside the upload's parts and goes with them. sharp is loaded when the first thumbnail is asked for.
 */
import { Refusal } from '../domain/problem.ts';
import type { FileStore, Part } from './file-store.ts';

export interface ThumbnailLimits {
  /** Longest side of the result, pixels. */
  readonly side: number;
  readonly max_pixels: number;
  /** Bytes of the original. */
  readonly max_size: number;
}

export interface Thumbnailer {
  /**
   * Makes the thumbnail unless there is one; answers its part. @throws Refusal 415 not an image, 422 too large
   */
  ensure(upload: string, parts: readonly Part[]): Promise<Part>;
}

const NAME = 'thumbnail';

const noImage = (): Refusal =>
  new Refusal(415, ['This file is no image that a thumbnail can be made of.']);
const tooLarge = (text: string): Refusal => new Refusal(422, [`No thumbnail: ${text}.`]);

/** EXIF orientation as what must be done to the pixels: mirrored left to right first, then turned clockwise. */
const TURNS: Readonly<Record<number, readonly [mirror: boolean, degrees: number]>> = {
  2: [true, 0],
  3: [false, 180],
  4: [true, 180],
  5: [true, 270],
  6: [false, 90],
  7: [true, 90],
  8: [false, 270],
};

const loadSharp = async () => {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: [
      'VipsForeignLoadJpeg',
      'VipsForeignLoadPng',
      'VipsForeignLoadWebp',
      'VipsForeignLoadNsgif',
      'VipsForeignLoadHeif',
      'VipsForeignLoadTiff',
    ],
  });
  return sharp;
};

/** Runs one at a time, in order. */
const oneByOne = () => {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return mine;
  };
};

export const createThumbnailer = (files: FileStore, limits: ThumbnailLimits): Thumbnailer => {
  const queue = oneByOne();
  const underWay = new Map<string, Promise<Part>>();
  let loading: ReturnType<typeof loadSharp> | undefined;

  const shrink = async (path: string): Promise<Buffer> => {
    const sharp = await (loading ??= loadSharp());
    const header = sharp(path, { limitInputPixels: false });
    const { width, height, orientation } = await header.metadata().catch(() => {
      throw noImage();
    });
    if (width * height > limits.max_pixels)
      throw tooLarge(`${width} x ${height} is more than ${limits.max_pixels} pixels`);
    const [mirror, degrees] = TURNS[orientation ?? 1] ?? [false, 0];
    try {
      // Shrunk first and turned afterwards, so that turning never holds the large image in memory.
      const small = await sharp(path, { limitInputPixels: limits.max_pixels, failOn: 'error' })
        .resize(limits.side, limits.side, { fit: 'inside', withoutEnlargement: true })
        .flatten({ background: '#fff' })
        .toColourspace('srgb')
        .raw()
        .toBuffer({ resolveWithObject: true });
      const { width: w, height: h, channels } = small.info;
      return await sharp(small.data, { raw: { width: w, height: h, channels } })
        .flop(mirror)
        .rotate(degrees)
        .jpeg({ quality: 80, mozjpeg: true })
        .toBuffer();
    } catch {
      throw noImage(); // the header was an image's, the rest was not
    }
  };

  const make = async (upload: string, parts: readonly Part[]): Promise<Part> => {
    const size = parts.reduce((sum, part) => sum + part.size, 0);
    if (size > limits.max_size) throw tooLarge(`the file has more than ${limits.max_size} bytes`);
    if (size === 0) throw noImage();
    const { path, release } = await files.local(upload, parts);
    try {
      const bytes = await shrink(path);
      const part = await files.begin(upload, NAME);
      try {
        await part.write(bytes);
        await part.commit();
      } finally {
        await part.abandon();
      }
      return { name: NAME, size: bytes.length };
    } finally {
      await release();
    }
  };

  return {
    ensure: async (upload, parts) => {
      const size = await files.sizeOf(upload, NAME);
      if (size !== null) return { name: NAME, size };
      const running = underWay.get(upload);
      if (running) return running;
      const mine = queue(() => make(upload, parts)).finally(() => underWay.delete(upload));
      underWay.set(upload, mine);
      return mine;
    },
  };
};
