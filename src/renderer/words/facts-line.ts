/** Joins facts into one line. */

/** Scripts written from right to left: Hebrew, Arabic and related ones. */
const FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufefc]/;
const [APART, TOGETHER] = ['\u2068', '\u2069'];

/** Isolates the text's direction. Otherwise a Hebrew place would pull the numbers of a following date to its other side. */
export const apart = (text: string): string =>
  FROM_THE_RIGHT.test(text) ? `${APART}${text}${TOGETHER}` : text;

/** `Gate 2 · today 14:32`. Omits empty values and values that are not text. */
export const factsLine = (facts: readonly unknown[]): string =>
  facts.flatMap((one) => (typeof one === 'string' && one !== '' ? apart(one) : [])).join(' · ');
