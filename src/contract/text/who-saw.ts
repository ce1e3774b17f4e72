/**
 * [ours] The text of the field *Who saw it* (decisions §4.12): empty for the reporter, a name, or one of two texts that name nobody.
 * Both are stored in English, whatever the window's language, so that every program reads them alike.
 */

/** Somebody who stays unnamed. */
export const UNNAMED = 'Stays unnamed';
/** Somebody else, without a name. */
export const SOMEBODY_ELSE = 'Somebody else';

/** True for a text of the field that names no person. */
export const namesNobody = (text: string): boolean =>
  ['', UNNAMED, SOMEBODY_ELSE].includes(text.trim());
