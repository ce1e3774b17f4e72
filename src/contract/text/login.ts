/**
 * Compares logins without the case of ASCII letters, because it has no meaning in an e-mail address (decisions §12.4).
 * No other letter is folded: the Kelvin sign is not a k.
 */
export const loginKey = (login: string): string =>
  login.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Control and format characters, fillers, and spaces other than the common one. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]|(?! )\p{Z}/u;

/** True if the login looks like another one: it has outer spaces, or characters that nobody sees. */
export const looksLikeAnother = (login: string): boolean =>
  login !== login.trim() || INVISIBLE.test(login);
