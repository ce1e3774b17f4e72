/** Converts rich text to plain text and back, and takes the first line as a title. Pure. */

/** Entities that editors of other servers write; for accented letters see `MARKS`. */
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  iquest: '¿',
  iexcl: '¡',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  bull: '•',
  middot: '·',
  deg: '°',
  ordf: 'ª',
  ordm: 'º',
  plusmn: '±',
  times: '×',
  frac12: '½',
  sup2: '²',
  sup3: '³',
  euro: '€',
};
const MARKS: Readonly<Record<string, string>> = {
  acute: '\u0301',
  grave: '\u0300',
  circ: '\u0302',
  tilde: '\u0303',
  uml: '\u0308',
  cedil: '\u0327',
};
const ENTITY =
  /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z])(acute|grave|circ|tilde|uml|cedil)|(\w+));/gi;

/** Decodes an entity; leaves an unknown one as written. */
const spelled = (entity: string, ...found: readonly (string | undefined)[]): string => {
  const [decimal, hex, letter, mark, name] = found;
  if (letter !== undefined) return (letter + (MARKS[(mark ?? '').toLowerCase()] ?? '')).normalize();
  if (name !== undefined) return Object.hasOwn(entities, name) ? (entities[name] ?? '') : entity;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  const sign = code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  return sign === '\u00a0' ? ' ' : sign.toWellFormed();
};

/** Converts plain text to the HTML paragraphs and line breaks of `description`. */
export const htmlOf = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/)
    .filter((part) => part !== '')
    .map((part) => {
      const safe = part.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      return `<p>${safe.replaceAll('\n', '<br>')}</p>`;
    })
    .join('');

/** Plain text of a description. For display as text only: never put the result back as HTML. */
export const textOf = (html: string): string =>
  html
    .replace(/<br\s*\/?>/gi, '\n')
    .replace(/<\/(p|div|li|h[1-6])>/gi, '\n\n')
    .replace(/<\/t[dh]>\s*(?=<t[dh]\b)/gi, ' ')
    .replace(/<\/tr>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(ENTITY, spelled)
    .replace(/\n{3,}/g, '\n\n')
    .trim();

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Truncates to `most` characters, ending in an ellipsis. Never splits a grapheme. */
export const cutAt = (text: string, most: number): string => {
  if (text.length <= most) return text;
  // Segment only up to the cut, because a text may have megabytes.
  const kept = letters.segment(text.slice(0, most + 63)).containing(most - 1);
  return `${text.slice(0, kept?.index ?? most - 1)}…`;
};

/** The first line, at most 120 characters. */
export const titleOf = (text: string): string => cutAt(text.split('\n', 1)[0] ?? '', 120);
