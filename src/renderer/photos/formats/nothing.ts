/** The facts of a file that could not be read. */
import type { FormatFacts } from './inspection.ts';

export const nothing: FormatFacts = {
  pixels: null,
  animated: false,
  exif: null,
  video: null,
  stripped: { kind: 'unsafe', reason: 'damaged' },
};
