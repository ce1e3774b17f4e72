/**
 * Gives the memory of bytes back that nobody reads any more. What comes from a socket lies outside of the heap, where only a full
 * collection would find it: with some 64 MB of such pieces the engine walks the whole heap, sixteen times for each GB that passes.
 */

/** A piece that is a part of something larger is left alone: others may be reading beside it. */
export const giveBack = (bytes: Uint8Array): void => {
  const { buffer, byteLength } = bytes;
  if (buffer instanceof ArrayBuffer && byteLength > 0 && buffer.byteLength === byteLength)
    buffer.transfer(0);
};
