/**
 * Reads parts of files one after the other, into the same few pieces of memory again and again: a fresh piece for each read costs the
 * engine a walk of the whole heap for every 64 MB (spent.ts). While one piece is on its way out the next is being read.
 */
import type { FileHandle } from 'node:fs/promises';

/** Bytes of one read. More than a stream takes before it says "wait": so a full piece was written when the next one is asked for. */
const PIECE = 256 * 1024;
/** Pieces kept for those who read next. */
const KEPT = 16;

const free: Buffer[] = [];
const take = (): Buffer => free.pop() ?? Buffer.allocUnsafeSlow(PIECE);

export interface Span {
  readonly open: () => Promise<FileHandle>;
  /** First byte. */
  readonly start: number;
  /** Bytes. */
  readonly length: number;
}

/** Fills pieces of memory from the spans; shorter than asked only at the end of the last. */
const createFilling = (spans: readonly Span[]) => {
  const left = [...spans];
  let handle: FileHandle | null = null;
  let done = 0;
  const close = async (): Promise<void> => {
    await handle?.close();
    handle = null;
  };
  return {
    close,
    fill: async (piece: Buffer): Promise<number> => {
      let filled = 0;
      for (let [span] = left; span && filled < piece.length; [span] = left) {
        handle ??= await span.open();
        const wanted = Math.min(piece.length - filled, span.length - done);
        const { bytesRead } = await handle.read(piece, filled, wanted, span.start + done);
        if (bytesRead === 0 && wanted > 0) throw new Error('a file has fewer bytes than it had');
        filled += bytesRead;
        done += bytesRead;
        if (done < span.length) continue;
        await close();
        left.shift();
        done = 0;
      }
      return filled;
    },
  };
};

/**
 * A piece is its reader's until the next one is asked for; then its memory is written over. So whoever hands it to a socket waits
 * until that has taken it, as undici and Fastify do.
 */
export async function* readSpans(spans: readonly Span[]): AsyncGenerator<Uint8Array> {
  const filling = createFilling(spans);
  let [now, other] = [take(), take()];
  let next = filling.fill(now);
  let ended = false;
  try {
    for (;;) {
      const filled = await next;
      if (filled < PIECE) {
        // The last may still be on its way when this ends: it gets memory of its own.
        if (filled > 0) yield Buffer.from(now.subarray(0, filled));
        ended = true;
        return;
      }
      next = filling.fill(other);
      next.catch(() => undefined); // seen by the next turn
      yield now;
      [now, other] = [other, now];
    }
  } finally {
    await next.catch(() => undefined);
    await filling.close();
    // Left in the middle: a socket may still hold what it was given.
    if (ended) free.push(...[now, other].slice(0, Math.max(0, KEPT - free.length)));
  }
}
