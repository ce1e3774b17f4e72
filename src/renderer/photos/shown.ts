/**
 * What the window shows of a file in full: the same bytes where it can, a picture of a HEIC, and of what it cannot or must not
 * decode (more pixels than fit the memory, failures S10) octets, which are offered to be saved.
 */
import { inspect } from './formats/inspect.ts';
import { isHeif, pictureOfHeif } from './heif-picture.ts';
import { PREVIEW_PIXELS_MAX } from './limits.ts';
import { pixelsOf } from './thumbnail.ts';

/** Longest side of a HEIC as it is shown in full, pixels. */
const SHOWN_MAX = 3072;

const octets = (file: Blob): Blob => new Blob([file], { type: 'application/octet-stream' });

export const showable = async (file: Blob): Promise<Blob> => {
  if (!file.type.startsWith('image/')) return file;
  if (pixelsOf(await inspect(file)) > PREVIEW_PIXELS_MAX) return octets(file);
  if (!isHeif(file.type)) return file;
  return (await pictureOfHeif(file, SHOWN_MAX, 'image/jpeg')) ?? octets(file);
};
