/**
 * The only door for a server's HTML: what RichText.svelte may show. A short list of plain elements without any
 * attribute, so there is no link, picture, style, form or script to judge. Answers a TrustedHTML where the browser has
 * them, because the window's policy accepts nothing else.
 */
import DOMPurify from 'dompurify';

const ALLOWED_TAGS = [
  ...['p', 'br', 'b', 'strong', 'i', 'em', 'u', 's', 'ul', 'ol', 'li', 'blockquote'],
  ...['h1', 'h2', 'h3', 'h4', 'code', 'pre', 'span', 'div'],
];

export const purify = (html: string) =>
  DOMPurify.sanitize(html, {
    ALLOWED_TAGS,
    ALLOWED_ATTR: [],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_TRUSTED_TYPE: 'trustedTypes' in window,
  });
