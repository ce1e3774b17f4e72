/**
 * Makes what is sent of a marked photo: the original turned upright, cropped, blurred and drawn on at full size, in a worker that
 * ends with the job, so that a window stays quick beside 48 megapixels and stopping is ending the worker. The capture time
 * goes along; the place only where it may.
 */
import { fail, ok, type Result } from '../../../contract/problem.ts';
import { inspect } from '../formats/inspect.ts';
import { withExif } from '../formats/jpeg.ts';
import { exifForRendition } from '../formats/tiff.ts';
import { isHeif, pictureOfHeif } from '../heif-picture.ts';
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
  /** The place in the original's EXIF goes along. */
  readonly keep_place: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onStep?: ((step: RenderStep) => void) | undefined;
}

/** Types that this program can draw on. */
export const drawable: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/heic',
  'image/heif',
]);

/** Longest side of a HEIC as it is decoded: more than any such camera makes. */
const HEIF_MAX = 16_384;

const undrawable = <T>(): Result<T> =>
  fail({ kind: 'bug', detail: 'this picture could not be drawn' });
const cancelled = <T>(): Result<T> => fail({ kind: 'cancelled' });

/** The bytes as Chromium decodes them; null where nothing here can, or must not try (failures S10). */
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

/** JPEG. Problems: `cancelled`, and `bug` where it could not be drawn; never the original instead. */
export const renderMarkup = async (
  file: Blob,
  edits: Edits,
  options: RenderOptions,
): Promise<Result<Blob>> => {
  // Asked anew after each wait: it may have been stopped meanwhile.
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

/** Longest side of the picture under the editor, pixels. */
const SHOWN_MAX = 2048;

/** The original, upright, as the editor shows it. Problems as above. The caller closes it. */
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
