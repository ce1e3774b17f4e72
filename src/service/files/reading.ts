/**
 * Computes the response for reading a stored file (decisions §5.8). Ranges follow RFC 9110 §14: one range is
 * honoured, several get the whole file, and `If-Range` must match exactly. The headers stop a browser from guessing a
 * type or executing anything.
 */
import type { Db } from '../store/engine/db.ts';
import { listSegments, type StoredFileRow } from '../store/uploads.ts';
import { partsOf } from '../domain/uploads/uploads.ts';
import { dispositionOf, servedAs } from './content.ts';
import type { ByteRange, FileStore, Part, Sendable } from './file-store.ts';

/**
 * Locates a stored file's bytes. `storage_key` is `<upload>/<part>` for one part, and `<upload>` for an upload with
 * its segments, in order, as the parts.
 */
export const locate = async (
  db: Db,
  file: StoredFileRow,
): Promise<{ readonly upload: string; readonly parts: readonly Part[] }> => {
  const [upload = '', name] = file.storage_key.split('/');
  if (name !== undefined) return { upload, parts: [{ name, size: file.size }] };
  return { upload, parts: partsOf(await listSegments(db, file.company_id, upload)) };
};

/**
 * Parses one `bytes=` range of a file of `size` bytes. Null serves the whole file: no range, several, or an invalid
 * one. `unsatisfiable`: 416.
 */
export const parseRange = (
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | null => {
  const match = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '');
  if (!match) return null;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Number(last);
    return length === 0 || size === 0
      ? 'unsatisfiable'
      : { start: Math.max(0, size - length), end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return null;
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
};

/** A servable representation: a stored file in one of its views, or a thumbnail. */
export interface Served {
  readonly size: number;
  readonly etag: string;
  readonly type: string;
  readonly disposition: string;
  readonly open: (range: ByteRange | null) => Promise<Sendable>;
}

/** `presentation` is shown inline whenever that is safe. `content` follows the disposition that the uploader chose. */
export const servedFile = async (
  db: Db,
  files: FileStore,
  file: StoredFileRow,
  view: 'content' | 'presentation',
): Promise<Served> => {
  const attachment = view === 'content' && file.attachment_content_disposition === 1;
  const { type, inline } = servedAs(file.content_type, attachment);
  const { upload, parts } = await locate(db, file);
  return {
    size: file.size,
    etag: `"${file.sha256}"`,
    type,
    disposition: dispositionOf(file.filename, inline),
    open: (range) => files.send(upload, parts, range),
  };
};

export interface ReadAnswer {
  readonly status: 200 | 206 | 304 | 416;
  readonly headers: Readonly<Record<string, string>>;
  /** Null: no body (HEAD, 304, 416). */
  readonly range: ByteRange | 'all' | null;
}

const names = (header: string, etag: string): boolean =>
  header.trim() === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);

/** Decides the response from the conditional headers alone, before any bytes are opened. */
export const answerFor = (
  served: Served,
  request: {
    readonly head: boolean;
    readonly range: string | undefined;
    readonly if_range: string | undefined;
    readonly if_none_match: string | undefined;
  },
): ReadAnswer => {
  const headers = {
    ETag: served.etag,
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, max-age=3600',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  };
  if (request.if_none_match !== undefined && names(request.if_none_match, served.etag))
    return { status: 304, headers, range: null };
  const wanted =
    request.head || (request.if_range !== undefined && request.if_range.trim() !== served.etag)
      ? null
      : parseRange(request.range, served.size);
  if (wanted === 'unsatisfiable')
    return {
      status: 416,
      headers: { ...headers, 'Content-Range': `bytes */${served.size}` },
      range: null,
    };
  const whole = {
    ...headers,
    'Content-Type': served.type,
    'Content-Disposition': served.disposition,
  };
  if (wanted === null)
    return {
      status: 200,
      headers: { ...whole, 'Content-Length': String(served.size) },
      range: request.head ? null : 'all',
    };
  return {
    status: 206,
    headers: {
      ...whole,
      'Content-Length': String(wanted.end - wanted.start + 1),
      'Content-Range': `bytes ${wanted.start}-${wanted.end}/${served.size}`,
    },
    range: wanted,
  };
};
