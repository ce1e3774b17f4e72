/** The most pixels decoded for a preview; larger files have none. */
export const PREVIEW_PIXELS_MAX = 110_000_000;
