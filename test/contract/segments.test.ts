/** How a file is cut (decisions §5.1). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planSegments } from '../../src/contract/segments.ts';

const limits = {
  min_segment_size: 256 * 1024,
  max_segment_size: 100 * 1024 * 1024,
  max_segments: 10_000,
};

describe('decisions §5.1: planSegments', () => {
  it('decisions §5.1: the parts cover the file, in order, within every limit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2 ** 40 }),
        fc.integer({ min: 1, max: 2 ** 30 }),
        (size, wanted) => {
          const parts = planSegments(size, wanted, limits);
          if (parts === null) {
            expect(size).toBeGreaterThan(limits.max_segment_size * limits.max_segments);
            return;
          }
          expect(parts.length).toBeLessThanOrEqual(limits.max_segments);
          // Linear in the parts, without an assertion each: there may be ten thousand.
          const wrong = parts.filter(
            (part, index) =>
              part.index !== index ||
              part.offset !== (parts[0]?.size ?? 0) * index ||
              part.size > limits.max_segment_size ||
              part.size < 1 ||
              (index < parts.length - 1 && part.size < limits.min_segment_size),
          );
          expect(wrong).toEqual([]);
          const last = parts.at(-1);
          expect((last?.offset ?? 0) + (last?.size ?? 0)).toBe(size);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('decisions §5.1: an empty file has no segments; one too large for the limits has no plan', () => {
    expect(planSegments(0, 1024, limits)).toEqual([]);
    expect(planSegments(limits.max_segment_size * limits.max_segments + 1, 1, limits)).toBeNull();
  });
});
