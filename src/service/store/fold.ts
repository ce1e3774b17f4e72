/**
 * Text without regard to case, for sorting and searching (decisions §2.4). Databases disagree about case beyond ASCII, so
 * folding happens here, once, when a text is written or searched for.
 */

/** Upper case first brings `ß` and `ss`, `ﬁ` and `fi` together; a final sigma is a sigma. */
export const fold = (text: string): string =>
  text.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ');

/** Between the texts of one record: no search text holds it, so no match spans two of them. */
const BORDER = '\u0001';

/** Several texts as one column. */
export const foldAll = (texts: readonly (string | number | null | undefined)[]): string =>
  texts
    .filter((text) => text !== null && text !== undefined && text !== '')
    .map((text) => fold(String(text)).replaceAll(BORDER, ' '))
    .join(BORDER);

/** A LIKE pattern (escape character `\`) for "contains", with the user's own `%` and `_` taken literally. */
export const containsPattern = (text: string): string =>
  `%${fold(text)
    .replaceAll(BORDER, ' ')
    .replace(/[\\%_]/g, '\\$&')}%`;
