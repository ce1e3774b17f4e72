/** What is decoded at most, for the eye. */

/** Above this many pixels a file is kept without a preview. */
export const PREVIEW_PIXELS_MAX = 110_000_000;
