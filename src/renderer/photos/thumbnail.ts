/**
 * A small upright picture of a photo or a video. What a file declares to be is looked at before anything is decoded: a few
 * kilobytes may claim a billion pixels (failures S10). The browser decodes and scales in one step (`resizeWidth`), so the full
 * bitmap is not kept, and one is made at a time, so that thirty dropped photos do not fill the memory.
 */
import { inspect } from './formats/inspect.ts';
import type { Inspection } from './formats/inspection.ts';
import { isHeif, pictureOfHeif } from './heif-picture.ts';
import { PREVIEW_PIXELS_MAX } from './limits.ts';
import { frameOf } from './video-frame.ts';

export const THUMBNAIL_MAX = 512;

let turn: Promise<unknown> = Promise.resolve();

/**
 * At most 512 px on the longer side, WebP (JPEG where the browser cannot). Null where it cannot read the picture, or must
 * not try.
 */
export const makeThumbnail = (file: Blob, seen?: Inspection): Promise<Blob | null> => {
  const mine = turn.then(async () => draw(file, seen ?? (await inspect(file)))).catch(() => null);
  turn = mine;
  return mine;
};

/** How many pixels a decoder would make. A size that no header tells is too large for any. */
export const pixelsOf = ({ pixels }: Pick<Inspection, 'pixels'>): number =>
  pixels === null || pixels.width * pixels.height === 0 ? Infinity : pixels.width * pixels.height;

const draw = async (file: Blob, seen: Inspection): Promise<Blob | null> => {
  if (seen.type?.startsWith('video/')) return small(await frameOf(file));
  if (pixelsOf(seen) > PREVIEW_PIXELS_MAX) return null;
  if (isHeif(seen.type)) return pictureOfHeif(file, THUMBNAIL_MAX);
  // `from-image`: turned as EXIF says. The longer side is not known yet: a first decode scaled by width tells it.
  return small(
    await createImageBitmap(file, {
      imageOrientation: 'from-image',
      resizeWidth: THUMBNAIL_MAX,
      resizeQuality: 'medium',
    }),
  );
};

const small = async (bitmap: ImageBitmap | null): Promise<Blob | null> => {
  if (bitmap === null) return null;
  try {
    const scale = Math.min(1, THUMBNAIL_MAX / Math.max(bitmap.width, bitmap.height));
    const width = Math.max(1, Math.round(bitmap.width * scale));
    const height = Math.max(1, Math.round(bitmap.height * scale));
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d');
    if (context === null) return null;
    context.drawImage(bitmap, 0, 0, width, height);
    const webp = await canvas.convertToBlob({ type: 'image/webp', quality: 0.8 });
    if (webp.type === 'image/webp') return webp;
    return await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.8 });
  } finally {
    bitmap.close();
  }
};
