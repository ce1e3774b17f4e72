/**
 * Folds text for comparison, alike in the window and in the service on either database (decisions §2.3, §2.4). Databases disagree
 * about case and accents beyond ASCII, so Spotter folds text itself when it writes, searches and sorts.
 */

/** Combining accents of Latin, Greek and Cyrillic letters, separate after NFKD. Marks of other scripts stay. */
const ACCENTS = /[\u0300-\u036f]/g;

const withoutAccents = (decomposed: string): string =>
  decomposed
    .replace(ACCENTS, '')
    // Upper case first maps `ß` to `ss` and `ı` to `i`; a final sigma becomes a sigma.
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ø', 'o')
    .replaceAll('ς', 'σ');

/** Folds text for search, ignoring case and accents: `alvaro` finds `Álvaro`. */
export const fold = (text: string): string => withoutAccents(text.normalize('NFKD'));

/** Folds text for sorting. `ñ` sorts as a separate letter, after every other word with `n` and before `o`. */
export const sortKey = (text: string): string =>
  withoutAccents(text.normalize('NFKD').replace(/n\u0303/gi, 'n\u007f'));
