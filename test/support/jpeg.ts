/**
 * Realistic photos for tests: JPEGs of noise, which does not compress, so that a few thousand pixels a side make megabytes.
 * They carry the EXIF of a phone (orientation, time, optionally GPS). Each seed gives different bytes.
 */
import sharp from 'sharp';

export interface JpegOptions {
  readonly seed: number;
  /** Approximate size in bytes; 4,000,000 by default. */
  readonly bytes?: number;
  /** EXIF orientation, 1 to 8. */
  readonly orientation?: number;
  /** Adds GPS coordinates. The app removes them on import, so the bytes it uploads differ. */
  readonly gps?: boolean;
  /** `2026-03-04T05:06:07` on the camera's clock, which is also the default. */
  readonly taken?: string;
}

/** xorshift32 noise: the same seed gives the same picture. */
const noise = (length: number, seed: number): Buffer => {
  const words = new Uint32Array(Math.ceil(length / 4));
  let state = (seed * 2654435761 + 1) >>> 0 || 1;
  for (let at = 0; at < words.length; at += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[at] = state >>> 0;
  }
  return Buffer.from(words.buffer, 0, length);
};

const exifTime = (taken: string): string => taken.replaceAll('-', ':').replace('T', ' ');

/** Measured size of noise at quality 80. */
const BYTES_PER_PIXEL = 0.635;

/** A JPEG of about `bytes` bytes with orientation and DateTimeOriginal in its EXIF. */
export const makeJpeg = async (options: JpegOptions): Promise<Buffer> => {
  const pixels = Math.max(64, (options.bytes ?? 4_000_000) / BYTES_PER_PIXEL);
  const width = Math.round(Math.sqrt((pixels * 4) / 3) / 8) * 8;
  const height = Math.round((width * 3) / 4 / 8) * 8;
  const raw = noise(width * height * 3, options.seed);
  return sharp(raw, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 80 })
    .withExif({
      IFD0: { Make: 'Spotter', Model: 'Test' },
      IFD2: { DateTimeOriginal: exifTime(options.taken ?? '2026-03-04T05:06:07') },
      ...(options.gps
        ? {
            IFD3: {
              GPSLatitudeRef: 'N',
              GPSLatitude: '52/1 31/1 12/1',
              GPSLongitudeRef: 'E',
              GPSLongitude: '13/1 24/1 18/1',
            },
          }
        : {}),
    })
    .withMetadata({ orientation: options.orientation ?? 6 })
    .toBuffer();
};

/** Longest comment of a JPEG, without marker and length. */
const COMMENT_MAX = 65_533;

/**
 * A JPEG of about `bytes` bytes, most of them noise in comment segments, which no decoder reads. For tests of transfers: a
 * picture of that size takes ten times as long to make.
 */
export const makeLongJpeg = async ({
  seed,
  bytes,
}: Required<Pick<JpegOptions, 'seed' | 'bytes'>>): Promise<Buffer> => {
  const small = await makeJpeg({ seed, bytes: 20_000 });
  const filling = noise(bytes - small.length, seed);
  const comments: Buffer[] = [];
  for (let at = 0; at < filling.length; at += COMMENT_MAX) {
    const text = filling.subarray(at, at + COMMENT_MAX);
    const head = Buffer.from([0xff, 0xfe, 0, 0]);
    head.writeUInt16BE(text.length + 2, 2);
    comments.push(head, text);
  }
  // Comments go before the end of the picture, so that the EXIF stays where a phone writes it.
  return Buffer.concat([small.subarray(0, -2), ...comments, small.subarray(-2)]);
};
