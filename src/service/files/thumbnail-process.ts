/**
 * The program that decodes pictures, in a process of its own: what a crafted file makes of the decoder (memory, a crash, a loop)
 * ends here. It is told a path and limits, one picture at a time, and answers the small JPEG. It watches its own memory,
 * which the decoder takes outside of JavaScript's, and ends itself above its limit. thumbnail-decoder.ts starts it.
 */
import sharp from 'sharp';

export interface Job {
  readonly path: string;
  /** Longest side of the result, pixels. */
  readonly side: number;
  readonly max_pixels: number;
  /** Bytes that this process may have in memory. */
  readonly memory: number;
}

export type Done =
  | { readonly kind: 'made'; readonly bytes: Uint8Array }
  | { readonly kind: 'no_image' }
  | { readonly kind: 'too_many_pixels'; readonly text: string };

/** Milliseconds between looks at the memory. */
const LOOK = 5;

/**
 * What a format costs is not the same: a JPEG is shrunk while it is read, an AVIF takes twenty bytes for each pixel at once, and
 * of a GIF or a TIFF nothing small can be had.
 */
const PIXELS: Readonly<Record<string, number>> = {
  jpeg: 80_000_000,
  png: 40_000_000,
  webp: 40_000_000,
  heif: 24_000_000,
  tiff: 24_000_000,
  gif: 24_000_000,
};

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

const shrink = async ({ path, side, max_pixels }: Job): Promise<Done> => {
  // The size is read from the header, before anything is decoded.
  const header = await sharp(path, { limitInputPixels: false })
    .metadata()
    .catch(() => null);
  if (header === null) return { kind: 'no_image' };
  const { width, height, format, orientation } = header;
  const most = Math.min(max_pixels, PIXELS[format] ?? 0);
  if (width * height > most)
    return {
      kind: 'too_many_pixels',
      text: `${width} x ${height} is more than ${most} pixels of ${format}`,
    };
  const [mirror, degrees] = TURNS[orientation ?? 1] ?? [false, 0];
  try {
    // Shrunk first and turned afterwards, so that turning never holds the large image in memory.
    const small = await sharp(path, { limitInputPixels: most, failOn: 'error' })
      .resize(side, side, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#fff' })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width: w, height: h, channels } = small.info;
    const bytes = await sharp(small.data, { raw: { width: w, height: h, channels } })
      .flop(mirror)
      .rotate(degrees)
      .jpeg({ quality: 80, mozjpeg: true })
      .toBuffer();
    return { kind: 'made', bytes };
  } catch {
    return { kind: 'no_image' }; // the header was an image's, the rest was not
  }
};

const run = async (job: Job): Promise<Done> => {
  // The decoder works on another thread, so this one can look. SIGKILL, for nothing else stops that thread.
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() > job.memory) process.kill(process.pid, 'SIGKILL');
  }, LOOK);
  try {
    return await shrink(job);
  } finally {
    clearInterval(watch);
  }
};

process.on('message', (job: Job) => {
  void run(job).then((done) => process.send?.(done));
});
process.on('disconnect', () => process.exit(0));
