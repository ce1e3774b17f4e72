/**
 * HEIC and HEIF for the eye: Chromium does not decode them, libheif does. It is loaded only when such a file is seen, and
 * each picture has a worker of its own that ends with it, so that three megabytes of decoder and the pixels go away again.
 */
import { inWorker } from './work.ts';

export interface HeifJob {
  readonly file: Blob;
  /** The longer side is at most this, pixels. */
  readonly max_side: number;
  readonly type: 'image/webp' | 'image/jpeg';
}

const worker = () =>
  new Worker(new URL('./heif-picture-worker.ts', import.meta.url), {
    type: 'module',
    name: 'heif',
  });

/** A picture the window can show, upright; null where the file cannot be decoded. */
export const pictureOfHeif = (
  file: Blob,
  max_side: number,
  type: HeifJob['type'] = 'image/webp',
): Promise<Blob | null> => inWorker<HeifJob>(worker, { file, max_side, type });

export const isHeif = (type: string | null): boolean =>
  type === 'image/heic' || type === 'image/heif';
