/**
 * Recognises logins that are mail addresses. The pattern is narrow, because an address becomes part of a header and of
 * SMTP commands.
 */

/** ASCII without spaces, quotes, comments, lists and angle brackets. */
const ADDRESS =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/i;

export const isMailAddress = (text: string): boolean => text.length <= 254 && ADDRESS.test(text);
