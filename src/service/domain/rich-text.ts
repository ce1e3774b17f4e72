/** Sanitizes rich text and extracts its plain text (decisions §3.2). The window sanitizes again before display. */
import sanitizeHtml from 'sanitize-html';
import {
  linkSchema,
  richTextRel,
  richTextSchemes,
  richTextTags,
} from '../../contract/text/rich-text.ts';
import { escapeWords } from '../../contract/text/words-in-brackets.ts';

/** A link without a valid address keeps its text. */
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
  nonTextTags: ['script', 'style'],
  transformTags: { a: (tagName, attribs) => ({ tagName, attribs: linkAttributes(attribs) }) },
  nestingLimit: 50,
};

export const sanitizeRichText = (html: string): string => sanitizeHtml(escapeWords(html), allowed);

const BREAKS = /<br\s*\/?>|<hr\s*\/?>|<\/(?:p|div|li|tr|blockquote|pre|h[1-6]|table|ul|ol)>/gi;
const CELLS = /<\/t[hd]>/gi;
const entities = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' } as const;

/** The plain text of sanitized HTML. Input must come from `sanitizeRichText`, which leaves only these four entities. */
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
