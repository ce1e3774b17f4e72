/**
 * Renders a marked photo at full size: the original turned upright, cropped, blurred and drawn on. Each job has a
 * worker, so that the window stays responsive with 48 megapixels and cancelling terminates the worker. The capture time
 * is kept; the location only if allowed.
 */
import { fail, ok, type Result } from '../../../contract/problem.ts';
import { inspect } from '../formats/inspect.ts';
import { withExif } from '../formats/jpeg.ts';
import { exifForRendition } from '../formats/tiff.ts';
import { isHeif, pictureOfHeif } from '../heif/heif-picture.ts';
import { PREVIEW_PIXELS_MAX } from '../limits.ts';
import { pixelsOf } from '../thumbnail.ts';
import type { Edits } from './model.ts';

export interface RenderJob {
  readonly file: Blob;
  readonly edits: Edits;
}

export type RenderStep = 'reading' | 'drawing' | 'writing';
export type RenderNews =
  | { readonly step: RenderStep }
  | { readonly step: 'done'; readonly made: Blob }
  | { readonly step: 'failed' };

export interface RenderOptions {
  /** True to keep the location in the EXIF data. */
  readonly keep_place: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onStep?: ((step: RenderStep) => void) | undefined;
}

/** Types that can be marked up. */
export const drawable: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/heic',
  'image/heif',
  'image/avif',
  'image/bmp',
]);

/** The longest side of a decoded HEIC, in pixels: more than any such camera makes. */
const HEIF_MAX = 16_384;

const undrawable = <T>(): Result<T> =>
  fail({ kind: 'bug', detail: 'this picture could not be drawn' });
const cancelled = <T>(): Result<T> => fail({ kind: 'cancelled' });

/** The picture in a form that Chromium decodes; null if it cannot or must not be decoded (failures S10). */
const decodable = async (
  file: Blob,
): Promise<{ picture: Blob; exif: Uint8Array | null } | null> => {
  const seen = await inspect(file);
  if (seen.type === null || !drawable.has(seen.type) || pixelsOf(seen) > PREVIEW_PIXELS_MAX)
    return null;
  const picture = isHeif(seen.type) ? await pictureOfHeif(file, HEIF_MAX, 'image/jpeg') : file;
  return picture === null ? null : { picture, exif: seen.exif };
};

const inWorker = (job: RenderJob, { signal, onStep }: RenderOptions): Promise<Result<Blob>> =>
  new Promise((resolve) => {
    const worker = new Worker(new URL('./render-worker.ts', import.meta.url), {
      type: 'module',
      name: 'markup',
    });
    const end = (answer: Result<Blob>) => {
      worker.terminate();
      signal?.removeEventListener('abort', stop);
      resolve(answer);
    };
    const stop = () => end(cancelled());
    signal?.addEventListener('abort', stop);
    worker.addEventListener('message', ({ data }: MessageEvent<RenderNews>) => {
      if (data.step === 'done') end(ok(data.made));
      else if (data.step === 'failed') end(undrawable());
      else onStep?.(data.step);
    });
    worker.addEventListener('error', () => end(undrawable()));
    worker.postMessage(job);
  });

/** A JPEG. Fails with `cancelled`, or `bug` if it could not be drawn; never falls back to the original. */
export const renderMarkup = async (
  file: Blob,
  edits: Edits,
  options: RenderOptions,
): Promise<Result<Blob>> => {
  // Checked after each wait, because it may have been cancelled meanwhile.
  const stopped = () => options.signal?.aborted === true;
  options.onStep?.('reading');
  const source = await decodable(file);
  if (stopped()) return cancelled();
  if (source === null) return undrawable();
  const drawn = await inWorker({ file: source.picture, edits }, options);
  if (!drawn.ok || source.exif === null) return drawn;
  const block = exifForRendition(source.exif, options.keep_place);
  return ok(block === null ? drawn.value : withExif(drawn.value, block));
};

/** The longest side of the picture in the editor, in pixels. */
const SHOWN_MAX = 2048;

/** The upright original for the editor. Fails like `renderMarkup`. The caller closes the bitmap. */
export const pictureToMark = async (file: Blob): Promise<Result<ImageBitmap>> => {
  const source = await decodable(file);
  if (source === null) return undrawable();
  try {
    const whole = await createImageBitmap(source.picture, { imageOrientation: 'from-image' });
    const scale = SHOWN_MAX / Math.max(whole.width, whole.height);
    if (scale >= 1) return ok(whole);
    const small = await createImageBitmap(whole, {
      resizeWidth: Math.max(1, Math.round(whole.width * scale)),
      resizeHeight: Math.max(1, Math.round(whole.height * scale)),
      resizeQuality: 'high',
    });
    whole.close();
    return ok(small);
  } catch {
    return undrawable();
  }
};
