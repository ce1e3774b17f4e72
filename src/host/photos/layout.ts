/**
 * How large the segments of a new upload are: as the spool cut and hashed them, or smaller, what a slow link carries in a few seconds,
 * between what the server advertises (decisions §5.1). The layout is fixed when the upload is created; where it is not the spool's,
 * the original is read once more, which a slow link leaves time for and which also proves that it is still what was captured.
 */
import { planSegments, type SegmentLimits } from '../../contract/segments.ts';
import type { Upload } from '../../contract/rest/uploads.ts';
import { SEGMENT_SIZE, WHOLE_MD5_MAX } from './hash.ts';
import type { SpooledPhoto } from './spooled.ts';

/** A segment should take about this long on its way, milliseconds. */
const AIM_MS = 4_000;
/** The smallest; sizes are these, doubled: few layouts, whole disk blocks. */
const STEP = 256 * 1024;
/** A photo of at most so many bytes that the link carries in so many milliseconds goes as one segment: others are in flight beside it. */
const WHOLE = WHOLE_MD5_MAX;
const WHOLE_MS = 1_000;
/** Of the newest measurement, in the smoothed rate. */
const WEIGHT = 0.3;

const MOST_UNTOLD = 32 * 1024 * 1024;

/** Before a server told its own. */
const unknownLimits: SegmentLimits = {
  min_segment_size: SEGMENT_SIZE,
  max_segment_size: MOST_UNTOLD,
  max_segments: 10_000,
};

export interface Link {
  /** One segment of `bytes` took `ms` from its first byte to its answer, among the others in flight. */
  measured(bytes: number, ms: number): void;
  /** A line that cut segments before the first got through: what was measured is of another line. */
  forget(): void;
  /** Something on the way to this address took no request of so many bytes. Answers whether smaller ones are worth a try. */
  tooLarge(base: string, bytes: number): boolean;
  /** What the server behind this address advertises. */
  learn(base: string, upload: Upload): void;
  /** Bytes of each segment of a new upload but the last. */
  segmentSize(base: string, photo: Pick<SpooledPhoto, 'size' | 'segment_size'>): number;
}

export const createLink = (): Link => {
  /** Bytes a millisecond, of one segment. */
  let rate: number | null = null;
  /** Nothing was measured since a cut. */
  let cut = false;
  const told = new Map<string, SegmentLimits>();
  /** Bytes that get through to an address, at most, where more did not. */
  const passes = new Map<string, number>();
  return {
    measured: (bytes, ms) => {
      if (bytes < STEP / 4) return; // a rest of a few bytes measures the way there and back, not the link
      const now = bytes / Math.max(1, ms);
      rate = rate === null ? now : rate + WEIGHT * (now - rate);
      cut = false;
    },
    forget: () => {
      rate = null;
      cut = true;
    },
    tooLarge: (base, bytes) => {
      passes.set(base, bytes > SEGMENT_SIZE ? SEGMENT_SIZE : STEP);
      return bytes > STEP;
    },
    learn: (base, { min_segment_size, max_segment_size, max_segments }) => {
      if (min_segment_size === undefined) return;
      told.set(base, {
        min_segment_size,
        max_segment_size: Math.max(min_segment_size, max_segment_size ?? MOST_UNTOLD),
        max_segments: max_segments ?? unknownLimits.max_segments,
      });
    },
    segmentSize: (base, { size, segment_size }) => {
      const limits = told.get(base) ?? unknownLimits;
      const unmeasured = cut ? SEGMENT_SIZE : segment_size;
      const aimed = rate === null ? unmeasured : rate * AIM_MS;
      let wanted = segment_size;
      while (wanted > aimed && wanted / 2 >= STEP) wanted /= 2;
      if (size <= WHOLE && (rate ?? 0) * WHOLE_MS >= size) wanted = Math.max(wanted, size);
      wanted = Math.min(wanted, passes.get(base) ?? wanted);
      const [first] = planSegments(size, wanted, limits) ?? [];
      return first?.size ?? SEGMENT_SIZE;
    },
  };
};
