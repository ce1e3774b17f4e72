/** Pure text work: rich text to plain and back, and the first line as a title. */

/** How editors of other servers write what is no plain letter; of letters with an accent see `MARKS`. */
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

/** What an entity stands for; one that is not known stays as it is written. */
const spelled = (entity: string, ...found: readonly (string | undefined)[]): string => {
  const [decimal, hex, letter, mark, name] = found;
  if (letter !== undefined) return (letter + (MARKS[(mark ?? '').toLowerCase()] ?? '')).normalize();
  if (name !== undefined) return Object.hasOwn(entities, name) ? (entities[name] ?? '') : entity;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  const sign = code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  return sign === '\u00a0' ? ' ' : sign.toWellFormed();
};

/** Plain text as the paragraphs and line breaks of `description` (HTML). */
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

/** What a person reads of a description. For showing as text only: the result is never put back as HTML. */
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

/** At most so many characters, the last an ellipsis where there were more; no letter or emoji is cut in two. */
export const cutAt = (text: string, most: number): string => {
  if (text.length <= most) return text;
  // Looked at no further than the cut: a text may have megabytes.
  const kept = letters.segment(text.slice(0, most + 63)).containing(most - 1);
  return `${text.slice(0, kept?.index ?? most - 1)}…`;
};

/** The first line, at most 120 characters. */
export const titleOf = (text: string): string => cutAt(text.split('\n', 1)[0] ?? '', 120);
