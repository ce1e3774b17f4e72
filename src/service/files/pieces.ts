/** Splits a range of a file into ranges of its parts, because both stores keep a file as an ordered list of parts. */
import type { ByteRange, Part } from './file-store.ts';

export interface Piece {
  readonly name: string;
  /** First and last byte of the part, both inclusive. */
  readonly start: number;
  readonly end: number;
}

/** `range` null: everything. */
export const piecesOf = (parts: readonly Part[], range: ByteRange | null): readonly Piece[] => {
  const pieces: Piece[] = [];
  let offset = 0;
  for (const part of parts) {
    const start = Math.max(0, (range?.start ?? 0) - offset);
    const end = Math.min(part.size - 1, (range?.end ?? Infinity) - offset);
    if (start <= end) pieces.push({ name: part.name, start, end });
    offset += part.size;
  }
  return pieces;
};
