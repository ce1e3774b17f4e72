/**
 * The thread that decodes pictures (thumbnail-decoder.ts starts it): libvips, and libheif for HEIC, as WebAssembly. What a
 * crafted file makes of a decoder stays inside WebAssembly's memory, which has an upper end here; there is no native library that
 * could crash the process or quarrel with what that process has loaded (Electron's GLib: lovell/sharp#4522). It is told a path
 * and limits, one picture at a time, and answers the small JPEG.
 */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type Vips from 'wasm-vips';
import { fileType, HEAD_BYTES } from '../../contract/file-type.ts';

export interface Job {
  readonly path: string;
  /** Longest side of the result, pixels. */
  readonly side: number;
  readonly max_pixels: number;
}

export interface Limits {
  /** Bytes of memory that a decoder may have. */
  readonly memory: number;
}

export type Done =
  | { readonly kind: 'made'; readonly bytes: Uint8Array }
  | { readonly kind: 'no_image' }
  | { readonly kind: 'too_many_pixels'; readonly text: string }
  | { readonly kind: 'out_of_bounds' };

type Library = typeof Vips;
type Image = Vips.Image;

/**
 * Most pixels of each format, by the name that libvips gives its loader. What a format costs is not the same: a JPEG is shrunk
 * while it is read, an AVIF takes twenty bytes for each pixel at once, and of a GIF or a TIFF nothing small can be had.
 */
const PIXELS: Readonly<Record<string, number>> = {
  jpeg: 80_000_000,
  png: 40_000_000,
  webp: 40_000_000,
  // AVIF: libvips calls both by the name of the container.
  heif: 24_000_000,
  // What a telephone makes of its whole sensor (8064 x 6048) is inside.
  heic: 50_000_000,
  tiff: 24_000_000,
  gif: 24_000_000,
};

const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'];

/** What is used here of a global that Node has and its types leave to those of a browser. */
interface Memory {
  readonly buffer: { readonly byteLength: number };
  grow(pages: number): number;
}
interface Pages {
  readonly initial: number;
  readonly maximum?: number;
}
declare const WebAssembly: {
  Memory: { new (pages: Pages): Memory; readonly prototype: Memory };
};

const PAGE = 65_536;
const { memory } = workerData as Limits;

/** Both libraries ask JavaScript for memory: here is its end. */
const limitMemory = (): void => {
  const { Memory: Unlimited } = WebAssembly;
  const pages = Math.floor(memory / PAGE);
  const { grow } = Unlimited.prototype;
  Unlimited.prototype.grow = function limited(this: Memory, delta): number {
    if (this.buffer.byteLength / PAGE + delta > pages) throw new RangeError('over the limit');
    return grow.call(this, delta);
  };
  // libvips' threads share one memory, which keeps its maximum wherever it is grown.
  WebAssembly.Memory = class extends Unlimited {
    constructor(described: Pages) {
      super({ ...described, maximum: Math.min(described.maximum ?? pages, pages) });
    }
  };
};

const openLibrary = async (): Promise<Library> => {
  limitMemory();
  const { default: open } = await import('wasm-vips');
  const silent = (): void => undefined;
  const vips = await open({
    dynamicLibraries: ['vips-heif.wasm'],
    print: silent,
    printErr: silent,
  });
  vips.concurrency(1);
  vips.Cache.max(0);
  vips.operationBlock('VipsForeignLoad', true);
  for (const loader of LOADERS) vips.operationBlock(`VipsForeignLoad${loader}`, false);
  return vips;
};

const tooMany = (width: number, height: number, format: string, limit: number): Done | null => {
  const most = Math.min(limit, PIXELS[format] ?? 0);
  if (width * height <= most) return null;
  const text = `${width} x ${height} is more than ${most} pixels of ${format}`;
  return { kind: 'too_many_pixels', text };
};

/** A thumbnail has no transparency, no profile and no EXIF. */
const asJpeg = (small: Image): Done => {
  // Without transparency flatten would take a colour for it.
  using flat = small.hasAlpha() ? small.flatten({ background: [255] }) : small.copy();
  const bytes = flat.jpegsaveBuffer({
    Q: 80,
    keep: 'none',
    optimize_coding: true,
    interlace: true,
    quant_table: 3,
    trellis_quant: true,
    overshoot_deringing: true,
    optimize_scans: true,
  });
  return { kind: 'made', bytes };
};

/** Of a JPEG a half, a quarter or an eighth can be read, which costs less; twice the result's size keeps it clear. */
const partOf = (header: Image, side: number): number =>
  [8, 4, 2].find((part) => Math.max(header.width, header.height) / part >= 2 * side) ?? 1;

const shrink = (vips: Library, bytes: Uint8Array, { side, max_pixels }: Job): Done => {
  // The size is read from the header, before anything is decoded.
  using header = vips.Image.newFromBuffer(bytes);
  const format = /^[a-z]*?(?=load)/.exec(header.getString('vips-loader'))?.[0] ?? '';
  const refused = tooMany(header.width, header.height, format, max_pixels);
  if (refused) return refused;
  // Not `thumbnailBuffer`, which makes a picture of a file that was cut off, too.
  using whole = vips.Image.newFromBuffer(bytes, '', {
    access: 'sequential',
    fail_on: 'error',
    ...(format === 'jpeg' ? { shrink: partOf(header, side) } : {}),
  });
  // Turned as EXIF says after it was shrunk, so that turning never holds the large image in memory.
  using small = whole.thumbnailImage(side, { height: side, size: 'down', output_profile: 'srgb' });
  return asJpeg(small);
};

/** Rows of the picture in between that are handed from one library to the other at a time. */
const ROWS = 64;

/** libvips has no decoder of HEVC. It takes what libheif decoded in strips, made coarser: it never holds the large image. */
const shrinkHeic = async (vips: Library, bytes: Uint8Array, job: Job): Promise<Done> => {
  const { openHeic } = await import('./heic.ts');
  const heic = openHeic(bytes);
  if (heic === null) return { kind: 'no_image' };
  const { width, height } = heic;
  const refused = tooMany(width, height, 'heic', job.max_pixels);
  if (refused) return refused;
  const pixels = await heic.pixels();
  if (pixels === null) return { kind: 'no_image' };
  const coarse = Math.max(1, Math.floor(Math.max(width, height) / (2 * job.side)));
  using strips = new DisposableStack();
  const joined: Image[] = [];
  for (let from = 0; from < height; from += ROWS * coarse) {
    const high = Math.min(ROWS * coarse, height - from);
    const part = pixels.subarray(from * width * 4, (from + high) * width * 4);
    using strip = vips.Image.newFromMemory(part, width, high, 4, vips.BandFormat.uchar);
    using coloured = strip.copy({ interpretation: 'srgb' });
    using coarser = coloured.shrink(coarse, coarse);
    joined.push(strips.use(coarser.copyMemory()));
  }
  const rows = joined.reduce((sum, one) => sum + one.height, 0);
  // Strips are as high as the highest of them there: what is too much is below the last one.
  using padded = vips.Image.arrayjoin(joined, { across: 1 });
  using whole = padded.crop(0, 0, padded.width, rows);
  using small = whole.thumbnailImage(job.side, { height: job.side, size: 'down' });
  return asJpeg(small);
};

const isHeic = (bytes: Uint8Array): boolean =>
  /^image\/hei[cf]$/.test(fileType(bytes.subarray(0, HEAD_BYTES)) ?? '');

/** libvips tells of a file that it cannot read by an exception of its own; all else is the end of this thread. */
const isRefusal = (error: unknown): boolean => {
  const text = String((error as { readonly message?: unknown }).message);
  return text.startsWith('vips::Error') && !/out of memory|unable to allocate|malloc/i.test(text);
};

const decode = async (vips: Library, job: Job): Promise<Done> => {
  try {
    const bytes = readFileSync(job.path);
    return isHeic(bytes) ? await shrinkHeic(vips, bytes, job) : shrink(vips, bytes, job);
  } catch (error) {
    return { kind: isRefusal(error) ? 'no_image' : 'out_of_bounds' };
  }
};

const library = openLibrary();
parentPort?.on('message', (job: Job) => {
  void library.then((vips) => decode(vips, job)).then((done) => parentPort?.postMessage(done));
});
