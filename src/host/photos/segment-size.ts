/**
 * Chooses the segment size of a new upload: the spool's, or smaller if the link is slow, within the server's limits
 * (decisions §5.1). The layout is fixed when the upload is created. If it differs from the spool's, the original is
 * read again. A slow link leaves time for that, and it proves that the file is unchanged.
 */
import { planSegments, type SegmentLimits } from '../../contract/segments.ts';
import type { Upload } from '../../contract/rest/uploads.ts';
import { SEGMENT_SIZE, WHOLE_MD5_MAX } from './hash.ts';
import type { SpooledPhoto } from './spool/spooled.ts';

/** The intended time per segment, in milliseconds. */
const AIM_MS = 4_000;
/** The smallest segment. Sizes double from here: few layouts, whole disk blocks. */
const STEP = 256 * 1024;
/**
 * A photo up to this size that the link carries within this time is sent as one segment, because other photos are
 * in flight beside it.
 */
const WHOLE = WHOLE_MD5_MAX;
const WHOLE_MS = 1_000;
/** The weight of the newest measurement in the smoothed rate. */
const WEIGHT = 0.3;

const UNANNOUNCED_MAX = 32 * 1024 * 1024;

/** Defaults until a server advertises its limits. */
const unknownLimits: SegmentLimits = {
  min_segment_size: SEGMENT_SIZE,
  max_segment_size: UNANNOUNCED_MAX,
  max_segments: 10_000,
};

export interface Link {
  /** Records that a segment of `bytes` took `ms` from its first byte to its answer, among the others in flight. */
  measured(bytes: number, ms: number): void;
  /** Discards the measurements: the connection broke before the first segment arrived. */
  forget(): void;
  /**
   * A proxy before this address rejected a request of this size.
   * @returns whether smaller ones are worth a try
   */
  tooLarge(base: string, bytes: number): boolean;
  /** Records the limits that the server advertises. */
  learn(base: string, upload: Upload): void;
  /** The bytes of each segment but the last for a new upload. */
  segmentSize(base: string, photo: Pick<SpooledPhoto, 'size' | 'segment_size'>): number;
}

export const createLink = (): Link => {
  /** Bytes per millisecond of one segment. */
  let rate: number | null = null;
  /** True if nothing was measured since a connection broke. */
  let cut = false;
  const limitsByServer = new Map<string, SegmentLimits>();
  /** The most bytes per request that pass to an address, where larger ones failed. */
  const passes = new Map<string, number>();
  return {
    measured: (bytes, ms) => {
      if (bytes < STEP / 4) return; // a few bytes measure the round trip, not the link
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
      limitsByServer.set(base, {
        min_segment_size,
        max_segment_size: Math.max(min_segment_size, max_segment_size ?? UNANNOUNCED_MAX),
        max_segments: max_segments ?? unknownLimits.max_segments,
      });
    },
    segmentSize: (base, { size, segment_size }) => {
      const limits = limitsByServer.get(base) ?? unknownLimits;
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
