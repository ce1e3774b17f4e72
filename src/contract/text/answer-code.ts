/**
 * The code with which somebody who stays unnamed asks for the answer (decisions §4.12): six letters to read out. The window makes
 * them for slips, the host for reports from the box. Pure.
 */
import { fold } from './fold.ts';

/**
 * Consonants without L, Q and V, which are read as I, O and U. Without vowels no code is a word. There are 18^6 = 34,012,224
 * codes: beside 1,000 others, a new code equals one of them once in 34,000 times.
 */
const LETTERS = 'BCDFGHJKMNPRSTWXYZ';
const LENGTH = 6;

/** A new code. @param random gives that many random bytes of the system */
export const newAnswerCode = (random: (bytes: number) => Uint8Array): string => {
  let code = '';
  while (code.length < LENGTH) {
    const [byte = 0] = random(1);
    // The bytes above the last multiple of 18 would make some letters likelier.
    if (byte < 256 - (256 % LETTERS.length)) code += LETTERS.charAt(byte % LETTERS.length);
  }
  return code;
};

/** A code as typed, in any case and with blanks or hyphens; null if it is none. */
export const readAnswerCode = (typed: string): string | null => {
  const code = fold(typed)
    .replace(/[\s-]+/gu, '')
    .toUpperCase();
  return code.length === LENGTH && [...code].every((letter) => LETTERS.includes(letter))
    ? code
    : null;
};

/** Two groups of three letters, to read out. */
export const spacedCode = (code: string): string =>
  readAnswerCode(code) === code ? `${code.slice(0, 3)} ${code.slice(3)}` : code;
