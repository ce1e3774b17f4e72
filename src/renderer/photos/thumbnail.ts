/**
 * Makes small upright pictures of photos and videos. The declared size is checked before decoding, because a few
 * kilobytes may claim a billion pixels (failures S10). The browser decodes and scales in one step (`resizeWidth`), so
 * the full bitmap is not kept. Pictures are made one at a time, so that thirty dropped photos do not fill the memory.
 */
import { inspect } from './formats/inspect.ts';
import type { Inspection } from './formats/inspection.ts';
import { isHeif, pictureOfHeif } from './heif/heif-picture.ts';
import { PREVIEW_PIXELS_MAX } from './limits.ts';
import { frameOf } from './video-frame.ts';

const THUMBNAIL_MAX = 512;
/** 18 cm wide on paper, that is 220 dots per inch. */
const PRINT_MAX = 1600;

/** Size and format; JPEG if the browser cannot encode the format. */
interface Wanted {
  readonly max: number;
  readonly type: 'image/webp' | 'image/jpeg';
  readonly quality: number;
}
const thumbnail: Wanted = { max: THUMBNAIL_MAX, type: 'image/webp', quality: 0.8 };
/** A PDF embeds a JPEG as it is; every other format becomes much larger in it. */
const print: Wanted = { max: PRINT_MAX, type: 'image/jpeg', quality: 0.85 };

let turn: Promise<unknown> = Promise.resolve();

/**
 * At most 512 px on the longer side, WebP (JPEG if the browser cannot encode it). Null if the picture cannot or must
 * not be decoded.
 */
export const makeThumbnail = (file: Blob, seen?: Inspection): Promise<Blob | null> =>
  make(file, thumbnail, seen);

/** Like `makeThumbnail`, for printing: at most 1600 px. */
export const makePrintPicture = (file: Blob): Promise<Blob | null> => make(file, print);

const make = (file: Blob, wanted: Wanted, seen?: Inspection): Promise<Blob | null> => {
  const mine = turn
    .then(async () => draw(file, seen ?? (await inspect(file)), wanted))
    .catch(() => null);
  turn = mine;
  return mine;
};

/** The pixels that a decoder would produce. An undeclared size counts as infinite. */
export const pixelsOf = ({ pixels }: Pick<Inspection, 'pixels'>): number =>
  pixels === null || pixels.width * pixels.height === 0 ? Infinity : pixels.width * pixels.height;

const draw = async (file: Blob, seen: Inspection, wanted: Wanted): Promise<Blob | null> => {
  if (seen.type?.startsWith('video/')) return small(await frameOf(file), wanted);
  if (pixelsOf(seen) > PREVIEW_PIXELS_MAX) return null;
  if (isHeif(seen.type)) return pictureOfHeif(file, wanted.max, wanted.type);
  const { width, height } = seen.pixels ?? { width: wanted.max, height: wanted.max };
  // `from-image` applies the EXIF orientation. The longer side is unknown until a first decode, which is scaled by
  // width.
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
    // JPEG has no transparency and would show it black; paper is white.
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
