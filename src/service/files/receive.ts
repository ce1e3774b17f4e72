/**
 * Streams bytes from a socket to the store and computes sha256 and md5 in passing. Nothing is read a second time, and
 * a request of any size holds only a few chunks in memory (decisions §5.2; failures S5, S8).
 */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { IncomingPart } from './file-store.ts';

export interface Received {
  readonly size: number;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly md5: string;
}

/** More bytes than allowed; the rest was not read. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** The sender disconnected, or the server's idle timeout closed the connection: nobody can receive a response. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/**
 * Reads `source` to its end, at most `max` bytes, into `part`; the caller commits or abandons the part. Throws
 * `TooLarge`, `Interrupted`, and errors of the store (`NoRoom`).
 */
export const receive = async (
  source: Readable,
  part: IncomingPart,
  max: number,
): Promise<Received> => {
  const sha256 = createHash('sha256');
  const md5 = createHash('md5');
  let size = 0;
  const chunks = source.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      const next = await nextChunk(chunks);
      if (next === null) break;
      size += next.byteLength;
      if (size > max) throw new TooLarge(`more than ${max} bytes`);
      sha256.update(next);
      md5.update(next);
      await part.write(next, true);
    }
  } finally {
    await chunks.return?.(); // releases the source, so that the rest of a refused body can be drained
  }
  return { size, sha256: sha256.digest('hex'), md5: md5.digest('hex') };
};

/** Only an error of the source is an interruption; errors of the store pass through. */
const nextChunk = async (chunks: AsyncIterator<unknown>): Promise<Uint8Array | null> => {
  try {
    const next = await chunks.next();
    return next.done === true ? null : (next.value as Uint8Array);
  } catch (error) {
    throw new Interrupted('the sender went away', { cause: error });
  }
};
