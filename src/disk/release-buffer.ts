/**
 * Detaches a buffer so its memory is freed now, not at the next full GC. Bytes from a socket lie outside the heap, and every 64
 * MB of them trigger a walk of the whole heap: sixteen times per GB.
 */

/** Leaves a view of a larger buffer alone, because others may be reading the rest. */
export const giveBack = (bytes: Uint8Array): void => {
  const { buffer, byteLength } = bytes;
  if (buffer instanceof ArrayBuffer && byteLength > 0 && buffer.byteLength === byteLength)
    buffer.transfer(0);
};
