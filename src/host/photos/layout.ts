/**
 * How large the segments of a new upload are: what the link carries in a few seconds, between what the server advertises
 * (decisions §5.1) and what a cut may cost. The layout is fixed when the upload is created; the spool's own hashes serve
 * where they fit, else the original is read once more, which also proves that it is still what was captured.
 */
import { planSegments, type SegmentLimits } from '../../contract/segments.ts';
import type { Upload } from '../../contract/rest/uploads.ts';
import { SEGMENT_SIZE, WHOLE_MD5_MAX } from './hash.ts';

/** A segment should take about this long on its way, milliseconds. */
const AIM_MS = 4_000;
/** Sizes are these, doubled: few layouts, whole disk blocks. */
const STEP = 256 * 1024;
/** However fast the link: a cut costs at most so much for each segment in flight. */
const LARGEST = 32 * 1024 * 1024;
/** A file is cut into at least so many, as far as they stay above a mebibyte: several must be in flight. */
const AT_LEAST = 8;
/** A photo of at most so many bytes that the link carries in so many milliseconds goes as one segment: others are in flight beside it. */
const WHOLE = WHOLE_MD5_MAX;
const WHOLE_MS = 1_000;
/** Of the newest measurement, in the smoothed rate. */
const WEIGHT = 0.3;

/** Before a server told its own. */
const unknownLimits: SegmentLimits = {
  min_segment_size: SEGMENT_SIZE,
  max_segment_size: LARGEST,
  max_segments: 10_000,
};

export interface Link {
  /** One segment of `bytes` took `ms` from its first byte to its answer, among the others in flight. */
  measured(bytes: number, ms: number): void;
  /** A line that cut segments before the first got through: what was measured is of another line. */
  forget(): void;
  /** What the server behind this address advertises. */
  learn(base: string, upload: Upload): void;
  /** Bytes of each segment of a new upload but the last. */
  segmentSize(base: string, fileSize: number): number;
}

export const createLink = (): Link => {
  /** Bytes a millisecond, of one segment. */
  let rate: number | null = null;
  const told = new Map<string, SegmentLimits>();
  return {
    measured: (bytes, ms) => {
      if (bytes < STEP / 4) return; // a rest of a few bytes measures the way there and back, not the link
      const now = bytes / Math.max(1, ms);
      rate = rate === null ? now : rate + WEIGHT * (now - rate);
    },
    forget: () => {
      rate = null;
    },
    learn: (base, { min_segment_size, max_segment_size, max_segments }) => {
      if (min_segment_size === undefined) return;
      told.set(base, {
        min_segment_size,
        max_segment_size: Math.max(min_segment_size, max_segment_size ?? LARGEST),
        max_segments: max_segments ?? unknownLimits.max_segments,
      });
    },
    segmentSize: (base, fileSize) => {
      const limits = told.get(base) ?? unknownLimits;
      const aimed = rate === null ? SEGMENT_SIZE : rate * AIM_MS;
      const most = Math.min(LARGEST, Math.max(SEGMENT_SIZE, fileSize / AT_LEAST));
      let wanted = STEP;
      while (wanted * 2 <= Math.min(aimed, most)) wanted *= 2;
      if (fileSize <= WHOLE && (rate ?? 0) * WHOLE_MS >= fileSize)
        wanted = Math.max(wanted, fileSize);
      const [first] = planSegments(fileSize, wanted, limits) ?? [];
      return first?.size ?? SEGMENT_SIZE;
    },
  };
};
