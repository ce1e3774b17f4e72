/** Rich text in, safe rich text and its plain words out (decisions §3.2). The window cleans again before it shows. */
import sanitizeHtml from 'sanitize-html';
import {
  linkSchema,
  richTextRel,
  richTextSchemes,
  richTextSilent,
  richTextTags,
} from '../../contract/rich-text.ts';

/** A link to nowhere stays as its words. */
const linkAttributes = ({ href }: sanitizeHtml.Attributes): sanitizeHtml.Attributes => {
  const { data } = linkSchema.safeParse(href?.trim());
  return { ...(data === undefined ? {} : { href: data }), rel: richTextRel };
};

const allowed: sanitizeHtml.IOptions = {
  allowedTags: [...richTextTags],
  allowedAttributes: { a: ['href', 'rel'], th: ['colspan', 'rowspan'], td: ['colspan', 'rowspan'] },
  allowedSchemes: [...richTextSchemes],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nonTextTags: [...richTextSilent],
  transformTags: { a: (tagName, attribs) => ({ tagName, attribs: linkAttributes(attribs) }) },
  nestingLimit: 50,
};

/** A `<` that opens no tag, comment or declaration: `if p<pmax then stop` is words, and a parser would drop what follows. */
const LONE = /<(?!\/?[a-z][^<>]*>|[!?])/gi;

export const sanitizeRichText = (html: string): string =>
  sanitizeHtml(html.replace(LONE, '&lt;'), allowed);

const BREAKS = /<br\s*\/?>|<hr\s*\/?>|<\/(?:p|div|li|tr|blockquote|pre|h[1-6]|table|ul|ol)>/gi;
const CELLS = /<\/t[hd]>/gi;
const entities = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' } as const;

/** The words of HTML that `sanitizeRichText` made: that is why four entities are all there can be. */
export const plainTextOf = (html: string): string =>
  html
    .replace(BREAKS, '\n')
    .replace(CELLS, '\t')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(?:lt|gt|quot|amp);/g, (name) => entities[name as keyof typeof entities])
    .replaceAll('\u00a0', ' ')
    .replace(/(?<![ \t])[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
