/**
 * How texts are compared, alike in the service on either database and in the window (decisions §2.3, §2.4): databases disagree about
 * case and accents beyond ASCII, so both sides fold here, when a text is written, searched for or put in order.
 */

/** The accents of Latin, Greek and Cyrillic letters, apart from them after NFKD. Marks that are letters elsewhere stay. */
const ACCENTS = /[\u0300-\u036f]/g;

const withoutAccents = (decomposed: string): string =>
  decomposed
    .replace(ACCENTS, '')
    // Upper case first brings `ß` and `ss`, `ı` and `i` together; a final sigma is a sigma.
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ø', 'o')
    .replaceAll('ς', 'σ');

/** For the search: without regard to case and accents, so that `alvaro` finds `Álvaro`. */
export const fold = (text: string): string => withoutAccents(text.normalize('NFKD'));

/** For the order of names: as folded, but `ñ` is a letter of its own, after every other word with `n` and before `o`. */
export const sortKey = (text: string): string =>
  withoutAccents(text.normalize('NFKD').replace(/n\u0303/gi, 'n\u007f'));
