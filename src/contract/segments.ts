/** Cuts a file into segments (decisions §5.1). Shared by the host, which sends them, and the tests. Pure. */
export interface SegmentRange {
  readonly index: number;
  readonly offset: number;
  /** Bytes, at least 1. */
  readonly size: number;
}

export interface SegmentLimits {
  readonly min_segment_size: number;
  readonly max_segment_size: number;
  readonly max_segments: number;
}

/**
 * Cuts `fileSize` bytes into equal segments of about `wanted` bytes; the last may be shorter. The size grows if the file would
 * otherwise need more than `max_segments`. Null if the limits cannot hold the file. An empty file has no segments.
 */
export const planSegments = (
  fileSize: number,
  wanted: number,
  limits: SegmentLimits,
): readonly SegmentRange[] | null => {
  if (fileSize === 0) return [];
  const needed = Math.ceil(fileSize / limits.max_segments);
  const size = Math.max(limits.min_segment_size, Math.min(wanted, limits.max_segment_size), needed);
  if (size > limits.max_segment_size) return null;
  const count = Math.ceil(fileSize / size);
  return Array.from({ length: count }, (_, index) => ({
    index,
    offset: index * size,
    size: Math.min(size, fileSize - index * size),
  }));
};
