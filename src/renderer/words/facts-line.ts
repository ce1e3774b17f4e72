/** Facts side by side in a line. */

/** Hebrew, Arabic and their neighbours, which are written from the right. */
const FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufefc]/;
const [APART, TOGETHER] = ['\u2068', '\u2069'];

/** In its own direction, whatever stands beside it: a place in Hebrew would take the day of the date behind it to its other side. */
export const apart = (text: string): string =>
  FROM_THE_RIGHT.test(text) ? `${APART}${text}${TOGETHER}` : text;

/** `Gate 2 · today 14:32`; what is empty or no text is left out. */
export const factsLine = (facts: readonly unknown[]): string =>
  facts.flatMap((one) => (typeof one === 'string' && one !== '' ? apart(one) : [])).join(' · ');
