/** Reads the parts of an upload as one stream of bytes. A missing part throws `FileGone` before the first byte. */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ReadableStream } from 'node:stream/web';
import { readSpans } from '../../../disk/read-spans.ts';
import { removeFile } from '../../../disk/retry-busy-file.ts';
import { FileGone, type FileStore } from '../file-store.ts';
import { piecesOf } from '../pieces.ts';
import { withRoom } from './disk-errors.ts';
import type { Layout } from './part-paths.ts';

const READ_CHUNK = 256 * 1024;
const DIGEST_CHUNK = 1024 * 1024;

export const createReaders = ({ pathOf, openPiece }: Layout, temporaryFolder: string) => {
  const read: FileStore['read'] = async (upload, parts, range) => {
    const pieces = piecesOf(parts, range);
    const [first, ...others] = pieces;
    if (!first) return Readable.from([]);
    const handle = await openPiece(upload, first.name); // a missing file becomes an error response
    const span = (piece: { start: number; end: number }) => ({
      start: piece.start,
      end: piece.end,
      highWaterMark: READ_CHUNK,
    });
    const head = createReadStream('', { fd: handle, ...span(first) });
    if (others.length === 0) return head;
    const joined = Readable.from(
      (async function* () {
        yield* head;
        for (const piece of others)
          yield* createReadStream(pathOf(upload, piece.name), span(piece));
      })(),
      { objectMode: false, highWaterMark: READ_CHUNK },
    );
    return joined.once('close', () => head.destroy()); // also when the stream was never read
  };

  const send: FileStore['send'] = async (upload, parts, range) => {
    const pieces = piecesOf(parts, range);
    const first = pieces[0] ? await openPiece(upload, pieces[0].name) : null; // a missing file becomes an error response
    const chunks = readSpans(
      pieces.map(({ name, start, end }, at) => ({
        open: () => (at === 0 && first ? Promise.resolve(first) : openPiece(upload, name)),
        start,
        length: end - start + 1,
      })),
    );
    const source = {
      pull: async (controller: ReadableStreamDefaultController<Uint8Array>) => {
        const next = await chunks.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: async () => {
        await chunks.return(undefined);
        await first?.close(); // also when the stream was never read
      },
    };
    return new ReadableStream(source, { highWaterMark: 0 });
  };

  const digest: FileStore['digest'] = async (upload, parts, before) => {
    const hash = createHash('sha256');
    if (before) hash.update(before);
    const buffer = Buffer.allocUnsafe(DIGEST_CHUNK); // one reused buffer: a stream would allocate one per chunk
    for (const part of parts) {
      const handle = await openPiece(upload, part.name);
      try {
        for (let left = part.size; left > 0;) {
          const { bytesRead } = await handle.read(buffer, 0, Math.min(left, DIGEST_CHUNK), null);
          if (bytesRead === 0) throw new FileGone(`part ${part.name} of ${upload} is cut off`);
          hash.update(buffer.subarray(0, bytesRead));
          left -= bytesRead;
        }
      } finally {
        await handle.close();
      }
    }
    return hash.digest('hex');
  };

  /** One file with all bytes: the part itself, or a copy that is deleted by `release`. */
  const local: FileStore['local'] = async (upload, parts) => {
    const only = parts[0];
    if (only && parts.length === 1) {
      await (await openPiece(upload, only.name)).close();
      return { path: pathOf(upload, only.name), release: () => Promise.resolve() };
    }
    const path = join(temporaryFolder, randomUUID());
    const release = () => removeFile(path);
    try {
      const source = await read(upload, parts, null);
      const handle = await withRoom(() => open(path, 'wx', 0o600));
      await withRoom(() => pipeline(source, handle.createWriteStream()));
    } catch (error) {
      await release();
      throw error;
    }
    return { path, release };
  };

  return { read, send, digest, local };
};
