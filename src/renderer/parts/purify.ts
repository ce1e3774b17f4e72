/**
 * The only door for HTML that somebody else wrote: a server's, what is pasted, and what the editor made on its way out. The
 * list is the service's own (contract/rich-text.ts); no attribute survives but where a link leads and how far a table's cell
 * reaches. Answers nodes, so that what was judged is what is shown and no text is
 * parsed twice.
 */
import DOMPurify from 'dompurify';
import { linkSchema, richTextRel, richTextSilent, richTextTags } from '../../contract/rich-text.ts';

/** The address of a link where it may lead there, else null. Relative ones lead into this window: none of them. */
export const safeHref = (href: string): string | null =>
  linkSchema.safeParse(href.trim()).data ?? null;

/** A table a thousand million cells wide stops the window. */
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

/** As nodes, for showing and for the editor: nothing is parsed from text a second time. */
export const purify = (html: string): DocumentFragment => {
  // Of a document without a body nothing comes back.
  const fragment: DocumentFragment | null = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: [...richTextTags],
    ALLOWED_ATTR: ['href', 'colspan', 'rowspan'],
    FORBID_CONTENTS: [...richTextSilent],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  if (fragment === null) return document.createDocumentFragment();
  for (const link of fragment.querySelectorAll('a')) {
    if (link.hasAttribute('href')) link.setAttribute('rel', richTextRel);
    // A link to nowhere is its words.
    else link.replaceWith(...link.childNodes);
  }
  return fragment;
};

/** For sending, as text. */
export const purifyToText = (html: string): string => {
  const box = document.createElement('div');
  box.append(purify(html));
  return box.innerHTML;
};
