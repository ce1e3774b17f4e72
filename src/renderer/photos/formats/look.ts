/**
 * Every format: what the file is by its first bytes, what it says of itself, and the file without what is nobody else's
 * business. The pixels are never decoded here, and never changed. Runs in a worker: `inspect` (inspect.ts) is the door.
 */
import { fileType, HEAD_BYTES } from '../../../contract/file-type.ts';
import { inspectHeif } from './heif.ts';
import { Damaged, type FormatFacts, type Inspection } from './inspection.ts';
import { inspectJpeg } from './jpeg.ts';
import { inspectPng } from './png.ts';
import { nothing } from './nothing.ts';
import { readerOf, type Reader } from './reader.ts';
import { inspectVideo } from './video.ts';
import { inspectWebp } from './webp.ts';

const formats: Readonly<Record<string, (file: Blob, reader: Reader) => Promise<FormatFacts>>> = {
  'image/jpeg': inspectJpeg,
  'image/png': inspectPng,
  'image/webp': inspectWebp,
  'image/heic': inspectHeif,
  'image/heif': inspectHeif,
  'video/mp4': inspectVideo,
  'video/quicktime': inspectVideo,
};

/** Never fails: a file whose structure is broken is `unsafe`, and one of no known kind has no type. */
export const look = async (file: Blob): Promise<Inspection> => {
  let type: string | null = null;
  try {
    const reader = readerOf(file);
    type = fileType(await reader.at(0, HEAD_BYTES));
    const format = type === null ? undefined : formats[type];
    return format === undefined ? { type, ...nothing } : { type, ...(await format(file, reader)) };
  } catch (error) {
    // RangeError: a table that ends before what it announces. NotReadableError: the file is gone; the spool will say so.
    if (error instanceof Damaged || error instanceof RangeError || error instanceof DOMException)
      return { type, ...nothing };
    throw error;
  }
};
