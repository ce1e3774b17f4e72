/** Reads the option `allowed-origins`: origins as a browser sends them, separated by commas. */

const isOrigin = (text: string): boolean =>
  /^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;

/** Null if one is no origin. `*` is none: it would let every page in. */
export const readOrigins = (allowed: string): readonly string[] | null => {
  const origins = allowed
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  return origins.every(isOrigin) ? origins : null;
};
