/**
 * What a description may hold (decisions §3.2): one list for the service, which cleans what it is given, and for the window,
 * which cleans what it is given, what is pasted and what it sends. No image at all: a remote one tells its host who reads
 * the record; photos are attachments.
 */
export const richTextTags = [
  ...(['p', 'div', 'br', 'hr', 'span', 'blockquote', 'pre', 'code'] as const),
  ...(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li'] as const),
  ...(['b', 'strong', 'i', 'em', 'u', 's', 'del', 'ins', 'sub', 'sup', 'mark', 'a'] as const),
  ...(['table', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'] as const),
] as const;

/** Where a link may lead. */
export const richTextSchemes = ['http', 'https', 'mailto', 'tel'] as const;

/** Elements whose words are no words of a person, and go with them. */
export const richTextSilent = [
  ...(['script', 'style', 'textarea', 'option', 'noscript', 'title', 'iframe', 'svg'] as const),
  'math',
] as const;

/** On every link: the page it leads to learns nothing of this one. */
export const richTextRel = 'noopener noreferrer nofollow';
