/**
 * Reads parts of files in order into a few reused buffers. A new buffer for each read would cost the engine a full heap walk for
 * every 64 MB (release-buffer.ts). Double buffering: one buffer is sent while the next is filled.
 */
import type { FileHandle } from 'node:fs/promises';

/** Bytes of one read. Larger than a stream's high-water mark, so a full buffer is written before the next one is requested. */
const PIECE = 256 * 1024;
/** Free buffers kept for later readers. */
const KEPT = 16;

const free: Buffer[] = [];
const take = (): Buffer => free.pop() ?? Buffer.allocUnsafeSlow(PIECE);

export interface Span {
  readonly open: () => Promise<FileHandle>;
  readonly start: number;
  readonly length: number;
}

/** Fills buffers from the spans. Only the end of the last span returns fewer bytes than requested. */
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
 * A buffer is valid until the next one is requested; then its memory is overwritten. A caller that passes it to a socket must
 * wait until the socket has consumed it, as undici and Fastify do.
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
        // The last buffer may still be in use when this generator ends, so it is copied.
        if (filled > 0) yield Buffer.from(now.subarray(0, filled));
        ended = true;
        return;
      }
      next = filling.fill(other);
      next.catch(() => undefined); // the next iteration awaits it
      yield now;
      [now, other] = [other, now];
    }
  } finally {
    await next.catch(() => undefined);
    await filling.close();
    // After an early exit a socket may still hold a buffer, so the buffers are not reused.
    if (ended) free.push(...[now, other].slice(0, Math.max(0, KEPT - free.length)));
  }
}
