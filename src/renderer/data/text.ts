/** Pure text work: rich text to plain and back, and the first line as a title. */

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
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
    .replace(/<[^<>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (entity) => entities[entity] ?? entity)
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
