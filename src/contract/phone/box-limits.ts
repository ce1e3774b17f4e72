/** Limits of the report box that its page on the phone knows too. Separate from box.ts, because the page has no room for zod. */

/** Limits of one report: photos, bytes per photo and in all, characters. */
export const BOX_PHOTOS_MAX = 6;
export const BOX_PHOTO_MAX = 25 * 1024 ** 2;
export const BOX_REPORT_MAX = 60 * 1024 ** 2;
export const BOX_TEXT_MAX = 5_000;
export const BOX_NAME_MAX = 200;
/** Days that a discarded report and its reason are kept. */
export const BOX_KEEP_DAYS = 30;

/** Begins every message after the hello: names the conversation. */
export const TALK_ID_BYTES = 16;
