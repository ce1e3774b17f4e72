/**
 * Names that a file can have on every system: Windows knows no name that differs from another in case alone, none that ends in
 * a dot or a space, none of its old devices (CON, NUL, …), and paths of 260 characters at most.
 */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)[ ]?(?:\.|$)/i;
const LONGEST_ENDING = 12;

/** At most so many characters, without half of one that takes two. */
const cut = (text: string, most: number): string =>
  text.slice(0, most).replace(/[\ud800-\udbff]$/, '');

const isDotOrSpace = (character: string | undefined): boolean =>
  character === '.' || character === ' ';

const withoutEnd = (text: string): string => {
  let end = text.length;
  while (end > 0 && isDotOrSpace(text[end - 1])) end -= 1;
  return text.slice(0, end);
};

/** The same name, such that every system takes it; '' where nothing is left of it. An ending like `.jpg` outlives the cut. */
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

/** Two names with the same key are one file on some system. */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase();
