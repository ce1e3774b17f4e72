/**
 * Prepares a file for the viewer: unchanged if possible, a HEIC as a JPEG. Files that must not or cannot be decoded
 * (more pixels than fit the memory, failures S10) become octets, which the viewer offers to save.
 */
import { inspect } from './formats/inspect.ts';
import { isHeif, pictureOfHeif } from './heif/heif-picture.ts';
import { PREVIEW_PIXELS_MAX } from './limits.ts';
import { pixelsOf } from './thumbnail.ts';

/** The longest side of a HEIC in the viewer, in pixels. */
const SHOWN_MAX = 3072;

const octets = (file: Blob): Blob => new Blob([file], { type: 'application/octet-stream' });

export const showable = async (file: Blob): Promise<Blob> => {
  if (!file.type.startsWith('image/')) return file;
  if (pixelsOf(await inspect(file)) > PREVIEW_PIXELS_MAX) return octets(file);
  // No browser decodes it.
  if (file.type === 'image/tiff') return octets(file);
  if (!isHeif(file.type)) return file;
  return (await pictureOfHeif(file, SHOWN_MAX, 'image/jpeg')) ?? octets(file);
};
