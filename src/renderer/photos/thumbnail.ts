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
/** On paper 18 cm wide that is 220 dots an inch. */
const PRINT_MAX = 1600;

/** How large, and in which format; JPEG where the browser cannot make that. */
interface Wanted {
  readonly max: number;
  readonly type: 'image/webp' | 'image/jpeg';
  readonly quality: number;
}
const thumbnail: Wanted = { max: THUMBNAIL_MAX, type: 'image/webp', quality: 0.8 };
/** A PDF takes a JPEG as it is; every other format becomes many times as large in it. */
const print: Wanted = { max: PRINT_MAX, type: 'image/jpeg', quality: 0.85 };

let turn: Promise<unknown> = Promise.resolve();

/**
 * At most 512 px on the longer side, WebP (JPEG where the browser cannot). Null where it cannot read the picture, or must
 * not try.
 */
export const makeThumbnail = (file: Blob, seen?: Inspection): Promise<Blob | null> =>
  make(file, thumbnail, seen);

/** The same for paper, at most 1600 px. */
export const makePrintPicture = (file: Blob): Promise<Blob | null> => make(file, print);

const make = (file: Blob, wanted: Wanted, seen?: Inspection): Promise<Blob | null> => {
  const mine = turn
    .then(async () => draw(file, seen ?? (await inspect(file)), wanted))
    .catch(() => null);
  turn = mine;
  return mine;
};

/** How many pixels a decoder would make. A size that no header tells is too large for any. */
export const pixelsOf = ({ pixels }: Pick<Inspection, 'pixels'>): number =>
  pixels === null || pixels.width * pixels.height === 0 ? Infinity : pixels.width * pixels.height;

const draw = async (file: Blob, seen: Inspection, wanted: Wanted): Promise<Blob | null> => {
  if (seen.type?.startsWith('video/')) return small(await frameOf(file), wanted);
  if (pixelsOf(seen) > PREVIEW_PIXELS_MAX) return null;
  if (isHeif(seen.type)) return pictureOfHeif(file, wanted.max, wanted.type);
  const { width, height } = seen.pixels ?? { width: wanted.max, height: wanted.max };
  // `from-image`: turned as EXIF says. The longer side is not known yet: a first decode scaled by width tells it.
  const bitmap = await createImageBitmap(file, {
    imageOrientation: 'from-image',
    resizeWidth: Math.min(wanted.max, Math.max(width, height)),
    resizeQuality: 'medium',
  });
  return small(bitmap, wanted);
};

const small = async (bitmap: ImageBitmap | null, wanted: Wanted): Promise<Blob | null> => {
  if (bitmap === null) return null;
  const { max, type, quality } = wanted;
  try {
    const scale = Math.min(1, max / Math.max(bitmap.width, bitmap.height));
    const width = Math.max(1, Math.round(bitmap.width * scale));
    const height = Math.max(1, Math.round(bitmap.height * scale));
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d');
    if (context === null) return null;
    // What is clear in a picture is black in a JPEG; paper is white.
    if (type === 'image/jpeg') {
      context.fillStyle = '#fff';
      context.fillRect(0, 0, width, height);
    }
    context.drawImage(bitmap, 0, 0, width, height);
    const made = await canvas.convertToBlob({ type, quality });
    if (made.type === type) return made;
    return await canvas.convertToBlob({ type: 'image/jpeg', quality });
  } finally {
    bitmap.close();
  }
};
