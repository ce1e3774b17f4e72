/**
 * Makes file names that every system accepts. Windows rejects names that differ only in case, names that end in a dot or a space,
 * old device names (CON, NUL, …) and paths over 260 characters.
 */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)[ ]?(?:\.|$)/i;
const LONGEST_ENDING = 12;

/** Cuts to at most `most` UTF-16 units without splitting a surrogate pair. */
const cut = (text: string, most: number): string =>
  text.slice(0, most).replace(/[\ud800-\udbff]$/, '');

const isDotOrSpace = (character: string | undefined): boolean =>
  character === '.' || character === ' ';

const withoutEnd = (text: string): string => {
  let end = text.length;
  while (end > 0 && isDotOrSpace(text[end - 1])) end -= 1;
  return text.slice(0, end);
};

/** Changes a name so that every system accepts it; '' if nothing is left. An ending such as `.jpg` survives the cut. */
export const portableName = (given: string, most: number): string => {
  const clean = withoutEnd(
    given.replace(/[\u0000-\u001f\u007f"<>|:*?/\\\u202a-\u202e\u2066-\u2069]/g, '').trim(),
  );
  const dot = clean.lastIndexOf('.');
  const ending = dot > 0 && clean.length - dot <= LONGEST_ENDING ? clean.slice(dot) : '';
  const start = cut(clean.slice(0, clean.length - ending.length), most - ending.length - 1);
  const name = ending === '' ? withoutEnd(start) : `${start}${ending}`;
  return (RESERVED.test(name) ? `_${name}` : name).toWellFormed();
};

/** Two names with the same key are the same file on some system. */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase();
