/**
 * A small upright picture of a photo. The browser decodes and scales in one step (`resizeWidth`), so the full bitmap of
 * a 50-megapixel photo is not kept, and one is made at a time, so that thirty dropped photos do not fill the memory.
 */
export const THUMBNAIL_MAX = 512;

let turn: Promise<unknown> = Promise.resolve();

/** At most 512 px on the longer side, WebP (JPEG where the browser cannot). Null where it cannot read the picture. */
export const makeThumbnail = (file: Blob): Promise<Blob | null> => {
  const mine = turn.then(() => draw(file)).catch(() => null);
  turn = mine;
  return mine;
};

const draw = async (file: Blob): Promise<Blob | null> => {
  // `from-image`: turned as EXIF says. The longer side is not known yet: a first decode scaled by width tells it.
  const bitmap = await createImageBitmap(file, {
    imageOrientation: 'from-image',
    resizeWidth: THUMBNAIL_MAX,
    resizeQuality: 'medium',
  });
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
