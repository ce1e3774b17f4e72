/**
 * Inspects a file: its type by the first bytes, its metadata, and the file without personal data. Never decodes or
 * changes pixels. Runs in a worker; call it through `inspect` (inspect.ts).
 */
import { fileType, HEAD_BYTES } from '../../../contract/file-type.ts';
import { inspectBmp } from './bmp.ts';
import { inspectGif } from './gif.ts';
import { inspectHeif } from './heif.ts';
import { Damaged, type FormatFacts, type Inspection } from './inspection.ts';
import { inspectJpeg } from './jpeg.ts';
import { inspectPng } from './png.ts';
import { nothing } from './nothing.ts';
import { readerOf, type Reader } from './reader.ts';
import { inspectTiff } from './tiff-picture.ts';
import { inspectVideo } from './video.ts';
import { inspectWebp } from './webp.ts';

const formats: Readonly<Record<string, (file: Blob, reader: Reader) => Promise<FormatFacts>>> = {
  'image/jpeg': inspectJpeg,
  'image/png': inspectPng,
  'image/webp': inspectWebp,
  'image/heic': inspectHeif,
  'image/heif': inspectHeif,
  'image/avif': inspectHeif,
  'image/tiff': inspectTiff,
  'image/bmp': inspectBmp,
  'image/gif': inspectGif,
  'video/mp4': inspectVideo,
  'video/quicktime': inspectVideo,
};

/** Never fails: a damaged file is `unsafe`, and an unknown one has no type. */
export const look = async (file: Blob): Promise<Inspection> => {
  let type: string | null = null;
  try {
    const reader = readerOf(file);
    type = fileType(await reader.at(0, HEAD_BYTES));
    const format = type === null ? undefined : formats[type];
    return format === undefined ? { type, ...nothing } : { type, ...(await format(file, reader)) };
  } catch (error) {
    // RangeError: a table ends before its declared size. NotReadableError: the file is gone, which the spool reports.
    if (error instanceof Damaged || error instanceof RangeError || error instanceof DOMException)
      return { type, ...nothing };
    throw error;
  }
};
