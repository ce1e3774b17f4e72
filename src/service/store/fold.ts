/** Several texts as one to search in, and what is searched for as a pattern (decisions §2.4). */
import { fold } from '../../contract/fold.ts';

/** Between the texts of one record: no search text holds it, so no match spans two of them. */
export const BORDER = '\u0001';

/** A text as it is searched in, and searched for. */
export const foldOne = (text: string): string => fold(text).replaceAll(BORDER, ' ');

/** Several texts as one column. */
export const foldAll = (texts: readonly (string | number | null | undefined)[]): string =>
  texts
    .filter((text) => text !== null && text !== undefined && text !== '')
    .map((text) => foldOne(String(text)))
    .join(BORDER);

/** A LIKE pattern (escape character `\`) for "contains", with the user's own `%` and `_` taken literally. */
export const containsPattern = (text: string): string =>
  `%${foldOne(text).replace(/[\\%_]/g, '\\$&')}%`;
