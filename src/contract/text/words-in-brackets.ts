/** Separates angle brackets that a person typed as text from HTML tags in a description (decisions §3.2). */
import { richTextTags } from './rich-text.ts';

/** Every HTML element, including obsolete ones. Any other name in angle brackets is text that a person typed. */
const htmlElements: ReadonlySet<string> = new Set(
  (
    'a abbr acronym address applet area article aside audio b base basefont bdi bdo big blink blockquote body br button canvas ' +
    'caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption figure ' +
    'font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins isindex kbd label legend li ' +
    'link listing main map mark marquee math menu menuitem meta meter nav nobr noembed noframes noscript object ol optgroup option ' +
    'output p param picture plaintext portal pre progress q rb rp rt rtc ruby s samp script search section select slot small source ' +
    'span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var ' +
    'video wbr xmp'
  ).split(' '),
);

/** Elements removed with their content: programs, styles and drawings. */
const goesWhole: ReadonlySet<string> = new Set(['script', 'style', 'svg', 'math']);

/** Without an end tag these are text, whatever their attributes: a person who types `<title>` means the word. */
const needsEndTag: ReadonlySet<string> = new Set([
  ...goesWhole,
  'iframe',
  'noembed',
  'noframes',
  'noscript',
  'option',
  'plaintext',
  'select',
  'template',
  'textarea',
  'title',
  'xmp',
]);

/**
 * A whole tag. Stricter than HTML about quotes: every parser must agree where the tag ends, or an open quote hides the text after
 * it.
 */
const TAG =
  /<(\/?)([a-z][^\s/<>"'=]*)(?:[\s/]+[^\s/<>"'=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s<>"'=`]+(?=[\s>])))?)*[\s/]*>/iy;
const END_TAG = /<\/([a-z][a-z\d:]*)(?:[\s/][^<>]*)?>/gi;
/** Tags such as `<o:p>` that office programs add to copied HTML. */
const OFFICE = /^(?:[mouvwx]|st1):[a-z]+$/;

/** The attributes that need no value. Another word without one is what a person wrote: `<main gate>`, `<table 4>`. */
const bareAttributes: ReadonlySet<string> = new Set(
  (
    'allowfullscreen async autofocus autoplay checked compact controls default defer disabled download hidden inert ismap itemscope ' +
    'loop multiple muted nohref noresize noshade novalidate nowrap open readonly required reversed selected'
  ).split(' '),
);
const ATTRIBUTE = /([^\s/<>"'=]+)(\s*=\s*(?:"[^"]*"|'[^']*'|[^\s<>"'=`]+))?/g;

/** The attributes of a tag; null if one of them is no attribute. */
const attributesOf = (tag: string, name: string): { readonly valued: boolean } | null => {
  const found = [...tag.slice(tag.indexOf(name) + name.length, -1).matchAll(ATTRIBUTE)];
  const odd = found.some(
    ([, word = '', value]) => value === undefined && !bareAttributes.has(word.toLowerCase()),
  );
  return odd ? null : { valued: found.some(([, , value]) => value !== undefined) };
};

const allowedTags: ReadonlySet<string> = new Set(richTextTags);

/** End positions of each element's end tags, in order. */
const endTagsOf = (html: string): Map<string, number[]> => {
  const ends = Map.groupBy(html.matchAll(END_TAG), ([, name = '']) => name.toLowerCase());
  return new Map(
    [...ends].map(([name, found]) => [name, found.map((end) => end.index + end[0].length)]),
  );
};

interface Markup {
  /** Index of the text after the markup. */
  readonly end: number;
  /** The tag; '' if the sanitiser does not need it. */
  readonly kept: string;
}

/** Returns the markup that begins at a `<` of `html`; null if the `<` is text. */
const markupReader = (html: string): ((at: number) => Markup | null) => {
  const endTags = endTagsOf(html);
  const lastComment = html.lastIndexOf('-->');
  return (at) => {
    if (html.startsWith('<!--', at)) {
      return lastComment < at + 2 ? null : { end: html.indexOf('-->', at + 2) + 3, kept: '' };
    }
    TAG.lastIndex = at;
    const [tag, slash, spelled] = TAG.exec(html) ?? [];
    const name = spelled?.toLowerCase();
    if (tag === undefined || name === undefined) return null;
    if (!htmlElements.has(name) && !OFFICE.test(name)) return null;
    const attributes = attributesOf(tag, spelled ?? '');
    if (attributes === null || (slash === '/' && attributes.valued)) return null;
    const end = at + tag.length;
    if (allowedTags.has(name)) return { end, kept: tag };
    if (slash === '/') return { end, kept: '' };
    const ends = endTags.get(name) ?? [];
    while (ends[0] !== undefined && ends[0] <= end) ends.shift();
    // `<address>` and `<time>` that nothing ends are words. An element with a valued attribute was copied from a page.
    const alone = (attributes.valued || tag.endsWith('/>')) && !needsEndTag.has(name);
    if (ends[0] === undefined) return alone ? { end, kept: '' } : null;
    return { end: goesWhole.has(name) ? ends[0] : end, kept: '' };
  };
};

/**
 * Removes scripts, styles, comments and disallowed tags, and escapes every other `<`: an address in angle brackets, a
 * placeholder, a comparison, an element that never ends. A parser would drop these together with the text after them.
 */
export function escapeWords(html: string): string {
  const markupAt = markupReader(html);
  let escaped = '';
  let at = 0;
  for (let next = html.indexOf('<'); next >= 0; next = html.indexOf('<', at)) {
    const markup = markupAt(next);
    escaped += html.slice(at, next) + (markup?.kept ?? '&lt;');
    at = markup?.end ?? next + 1;
  }
  return escaped + html.slice(at);
}
