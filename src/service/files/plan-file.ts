/**
 * Detects what a file of a plan is by its bytes: a PNG or JPEG with its size in pixels, or a PDF (decisions §17.2). It reads the
 * head only and decodes nothing.
 */
import { buffer } from 'node:stream/consumers';
import { fileType } from '../../contract/file-type.ts';
import type { FileStore, Part } from './file-store.ts';

export interface PlanFile {
  readonly content_type: 'image/png' | 'image/jpeg' | 'application/pdf';
  /** Null: a PDF. */
  readonly width: number | null;
  readonly height: number | null;
}

/** Bytes that are read: a JPEG's size may follow an EXIF block, a colour profile and a preview. */
const HEAD = 1024 * 1024;
/** Readers of PDF accept other bytes before its mark. */
const PDF_MARK_WITHIN = 1024;

const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

interface Size {
  readonly width: number;
  readonly height: number;
}

/** ITU-T T.81 §B.2.2: the first frame says the size. */
const jpegSize = (head: Buffer): Size | null => {
  let at = 2;
  while (at + 9 <= head.length) {
    if (head[at] !== 0xff) return null;
    const marker = head[at + 1] ?? 0;
    if (marker === 0xff) at += 1;
    else if (isFrame(marker))
      return { height: head.readUInt16BE(at + 5), width: head.readUInt16BE(at + 7) };
    else at += 2 + head.readUInt16BE(at + 2);
  }
  return null;
};

const pngSize = (head: Buffer): Size | null =>
  head.length >= 24 && head.toString('latin1', 12, 16) === 'IHDR'
    ? { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
    : null;

/** Null: none of the three, or damaged. */
const planFileOf = (head: Buffer): PlanFile | null => {
  if (head.subarray(0, PDF_MARK_WITHIN).includes('%PDF-'))
    return { content_type: 'application/pdf', width: null, height: null };
  const content_type = fileType(head);
  if (content_type !== 'image/png' && content_type !== 'image/jpeg') return null;
  const size = content_type === 'image/png' ? pngSize(head) : jpegSize(head);
  return size === null || size.width === 0 || size.height === 0 ? null : { content_type, ...size };
};

export const readPlanFile = async (
  files: FileStore,
  upload: string,
  parts: readonly Part[],
): Promise<PlanFile | null> => {
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  if (size === 0) return null;
  const range = { start: 0, end: Math.min(HEAD, size) - 1 };
  return planFileOf(await buffer(await files.read(upload, parts, range)));
};
