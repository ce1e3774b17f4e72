/** Pure: how a file is cut into segments (decisions §5.1). Shared by the host that sends and the tests that check. */
export interface SegmentRange {
  readonly index: number;
  /** First byte. */
  readonly offset: number;
  /** Bytes, > 0. */
  readonly size: number;
}

export interface SegmentLimits {
  readonly min_segment_size: number;
  readonly max_segment_size: number;
  readonly max_segments: number;
}

/**
 * Cuts `fileSize` bytes into equal segments of about `wanted` bytes, the last one shorter. The size grows where the
 * file would otherwise need more than `max_segments`. Null where the limits cannot carry the file. An empty file has none.
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
