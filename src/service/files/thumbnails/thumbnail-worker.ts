/**
 * Worker thread that decodes pictures with libvips, and libheif for HEIC, as WebAssembly (started by
 * thumbnail-decoder.ts). An exploited decoder stays inside WebAssembly's memory, which is limited here. No native
 * library can crash the process or conflict with its libraries (Electron's GLib: lovell/sharp#4522). It receives a
 * path and limits, one picture at a time, and returns a small JPEG.
 */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type Vips from 'wasm-vips';
import { fileType, HEAD_BYTES } from '../../../contract/file-type.ts';

export interface Job {
  readonly path: string;
  /** Longest side of the result, pixels. */
  readonly side: number;
  readonly max_pixels: number;
  /** Longest side in pixels that a strongly blurred picture is enlarged to; absent: it stays small and sharp. */
  readonly blurred?: number;
}

export interface Limits {
  /** Maximum memory of a decoder, in bytes. */
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
 * Maximum pixels per format, by libvips' loader name. Costs differ: a JPEG is shrunk while it is read, an AVIF takes
 * twenty bytes per pixel at once, and a GIF or a TIFF cannot be read at a reduced size.
 */
const PIXELS: Readonly<Record<string, number>> = {
  jpeg: 80_000_000,
  png: 40_000_000,
  webp: 40_000_000,
  // AVIF: libvips uses the container's name for both formats.
  heif: 24_000_000,
  // Includes full-sensor photos of phones (8064 x 6048).
  heic: 50_000_000,
  tiff: 24_000_000,
  gif: 24_000_000,
};

const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'];

/** The used part of a global that Node has but leaves to the browser types. */
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

/** Limits the memory that both libraries request from JavaScript. */
const limitMemory = (): void => {
  const { Memory: Unlimited } = WebAssembly;
  const pages = Math.floor(memory / PAGE);
  const { grow } = Unlimited.prototype;
  Unlimited.prototype.grow = function limited(this: Memory, delta): number {
    if (this.buffer.byteLength / PAGE + delta > pages) throw new RangeError('over the limit');
    return grow.call(this, delta);
  };
  // libvips' threads share one memory, which keeps its maximum wherever it grows.
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

/** Removes transparency, profile and EXIF. */
const asJpeg = (small: Image): Done => {
  // Without an alpha channel, flatten would treat a colour channel as one.
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

/** Spread of the blur in pixels: it hides the steps of the enlarged picture. */
const SIGMA = 12;

/** What few pixels do not hold, nothing brings back. */
const finish = (vips: Library, small: Image, { blurred }: Job): Done => {
  if (blurred === undefined) return asJpeg(small);
  const scale = Math.max(1, blurred / Math.max(small.width, small.height));
  using large = small.resize(scale, { kernel: vips.Kernel.cubic });
  using soft = large.gaussblur(SIGMA);
  return asJpeg(soft);
};

/** A JPEG can be read at 1/2, 1/4 or 1/8 size, which is cheaper; twice the result's size keeps it sharp. */
const partOf = (header: Image, side: number): number =>
  [8, 4, 2].find((part) => Math.max(header.width, header.height) / part >= 2 * side) ?? 1;

const shrink = (vips: Library, bytes: Uint8Array, job: Job): Done => {
  const { side, max_pixels } = job;
  // Reads the size from the header before decoding anything.
  using header = vips.Image.newFromBuffer(bytes);
  const format = /^[a-z]*?(?=load)/.exec(header.getString('vips-loader'))?.[0] ?? '';
  const refused = tooMany(header.width, header.height, format, max_pixels);
  if (refused) return refused;
  // Not `thumbnailBuffer`, which also accepts a truncated file.
  using whole = vips.Image.newFromBuffer(bytes, '', {
    access: 'sequential',
    fail_on: 'error',
    ...(format === 'jpeg' ? { shrink: partOf(header, side) } : {}),
  });
  // Rotates by EXIF after shrinking, so that the large image is never in memory for it.
  using small = whole.thumbnailImage(side, { height: side, size: 'down', output_profile: 'srgb' });
  return finish(vips, small, job);
};

/** Rows of the reduced picture per strip. */
const ROWS = 64;

/**
 * Passes libheif's pixels to libvips in reduced strips, because libvips has no HEVC decoder. libvips never holds the
 * large image.
 */
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
  // arrayjoin pads all strips to the height of the tallest, so crop below the last one.
  using padded = vips.Image.arrayjoin(joined, { across: 1 });
  using whole = padded.crop(0, 0, padded.width, rows);
  using small = whole.thumbnailImage(job.side, { height: job.side, size: 'down' });
  return finish(vips, small, job);
};

const isHeic = (bytes: Uint8Array): boolean =>
  /^image\/hei[cf]$/.test(fileType(bytes.subarray(0, HEAD_BYTES)) ?? '');

/** libvips reports an unreadable file by its own exception; any other error ends this thread. */
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
