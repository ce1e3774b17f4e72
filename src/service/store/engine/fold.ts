/** Builds the folded search text of a record and the LIKE pattern of a search term (decisions §2.4). */
import { fold } from '../../../contract/text/fold.ts';

/** Separates the texts of one record. No search term contains it, so no match spans two texts. */
export const BORDER = '\u0001';

/** Folds a text in the same way for indexing and for searching. */
export const foldOne = (text: string): string => fold(text).replaceAll(BORDER, ' ');

export const foldAll = (texts: readonly (string | number | null | undefined)[]): string =>
  texts
    .filter((text) => text !== null && text !== undefined && text !== '')
    .map((text) => foldOne(String(text)))
    .join(BORDER);

/** A LIKE pattern for "contains". It escapes the user's `%` and `_` with `\`. */
export const containsPattern = (text: string): string =>
  `%${foldOne(text).replace(/[\\%_]/g, '\\$&')}%`;
