/**
 * Sanitizes all HTML of foreign origin: from the server, from the clipboard, and from the editor before sending. Allows only
 * the service's elements (contract/text/rich-text.ts), link targets and table spans. Returns nodes, so that the sanitized result is
 * shown without being parsed again.
 */
import DOMPurify from 'dompurify';
import { linkSchema, richTextRel, richTextTags } from '../../../contract/text/rich-text.ts';
import { escapeWords } from '../../../contract/text/words-in-brackets.ts';

/** Returns a safe link target, or null. Relative links are refused, because they would lead into this window. */
export const safeHref = (href: string): string | null =>
  linkSchema.safeParse(href.trim()).data ?? null;

/** At most two digits: a huge span would freeze the window. */
const SPAN = /^[1-9]\d?$/;

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  const href = node.nodeName === 'A' ? safeHref(node.getAttribute('href') ?? '') : null;
  if (href === null) node.removeAttribute('href');
  else node.setAttribute('href', href);
  for (const name of ['colspan', 'rowspan']) {
    const cells = node.getAttribute(name) ?? '';
    if (!/^T[HD]$/.test(node.nodeName) || !SPAN.test(cells)) node.removeAttribute(name);
  }
});

/** Sanitizes to nodes, for display and for the editor. Never parse the result from text again. */
export const purify = (html: string): DocumentFragment => {
  // DOMPurify returns null for a document without a body.
  const fragment: DocumentFragment | null = DOMPurify.sanitize(escapeWords(html), {
    ALLOWED_TAGS: [...richTextTags],
    ALLOWED_ATTR: ['href', 'colspan', 'rowspan'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  if (fragment === null) return document.createDocumentFragment();
  for (const link of fragment.querySelectorAll('a')) {
    if (link.hasAttribute('href')) link.setAttribute('rel', richTextRel);
    // Replace a link without a target by its text.
    else link.replaceWith(...link.childNodes);
  }
  return fragment;
};

export const purifyToText = (html: string): string => {
  const box = document.createElement('div');
  box.append(purify(html));
  return box.innerHTML;
};
