/**
 * Decodes HEIC and HEIF with libheif, because Chromium cannot. The library is loaded only when such a file is seen.
 * Each picture has a worker that ends with it, which frees the decoder's three megabytes and the pixels.
 */
import { inWorker } from '../work.ts';

export interface HeifJob {
  readonly file: Blob;
  /** The maximum of the longer side, in pixels. */
  readonly max_side: number;
  readonly type: 'image/webp' | 'image/jpeg';
}

const worker = () =>
  new Worker(new URL('./heif-picture-worker.ts', import.meta.url), {
    type: 'module',
    name: 'heif',
  });

/** An upright picture that the window can show; null if the file cannot be decoded. */
export const pictureOfHeif = (
  file: Blob,
  max_side: number,
  type: HeifJob['type'] = 'image/webp',
): Promise<Blob | null> => inWorker<HeifJob>(worker, { file, max_side, type });

export const isHeif = (type: string | null): boolean =>
  type === 'image/heic' || type === 'image/heif';
