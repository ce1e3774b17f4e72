/** Text in angle brackets counts as words, and none is lost: addresses, placeholders, comparisons, unclosed elements. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { richTextTags } from '../../src/contract/text/rich-text.ts';
import { escapeWords } from '../../src/contract/text/words-in-brackets.ts';
import { plainTextOf, sanitizeRichText } from '../../src/service/domain/rich-text.ts';

const saved = (text: string): string => plainTextOf(sanitizeRichText(text));

it.each([
  ['from John <john@firm.example> today'],
  ['see <https://x.example/a> for more'],
  ['x<title>y and all that follows'],
  ['a <textarea> and what follows'],
  ['the sign said <script> and nothing else'],
  ['gap <5cm, p<pmax, 3 > 2'],
  ['<no name given> saw it'],
  ['an arrow <- here, a comment <!-- begun'],
  ['<?php and <!important>'],
  ['<svg left open, <math too>'],
  ['<<double>> and <>'],
  ['a<title>b</titles>c'],
  ['a<script>b</script c'],
  ['a <b title="x>y and more'],
  ["a <p class='>b and more"],
  ['a <b "x="y>b and more'],
  ['fell at <main gate>, <time unknown>, took <m:ss>'],
  ['see <table 4>, <section 12> and <label missing>'],
  ['met <name> at <address>, <time>, <summary>'],
  ['<a worker> saw the <i beam> on the <s hook>'],
  ['<input valve> and <input>, </address not given>'],
  ['a tag <b class="x" worker> with a word'],
])('S32: %s is kept as it was typed', (text) => {
  expect(saved(text)).toBe(text);
  expect(saved(sanitizeRichText(text))).toBe(text);
});

it('S32: real elements keep their words; scripts and styles go with theirs', () => {
  expect(saved('<p>one <font color="red">two</font> <center>three</center></p>')).toBe(
    'one two three',
  );
  expect(saved('<select><option>four</option></select><textarea> five</textarea>')).toBe(
    'four five',
  );
  expect(saved('<title>six</title><noscript> seven</noscript><xmp> eight</xmp>')).toBe(
    'six seven eight',
  );
  expect(sanitizeRichText('<a href="https://x.example/?a<b">nine</a>')).toContain('>nine</a>');
  expect(sanitizeRichText('a<script>alert(1)</script>b<style>p{}</style>c')).toBe('abc');
  expect(saved('<script> <b x=" </script>a <i y=">b')).toBe('a <i y=">b');
  expect(saved('<!-- <b x=" -->a <i y=">b')).toBe('a <i y=">b');
  expect(sanitizeRichText('<img src=x onerror=alert(1)>a')).toBe('a');
  expect(sanitizeRichText('<b onclick="x()">a</b>')).toBe('<b>a</b>');
});

const piece = fc.oneof(
  fc.constantFrom(
    '<',
    '>',
    '</',
    '/>',
    '<!--',
    '-->',
    '<b>',
    '</b>',
    '<title>',
    '</title>',
    '<script>',
    '</script>',
    '<john@x>',
    '<a href="javascript:x">',
    '<svg>',
    '<template>',
    '&lt;',
    '&amp;',
    '"',
    "'",
  ),
  fc.stringMatching(/^[a-z0-9 @.:-]{0,8}$/),
);
const html = fc.array(piece, { maxLength: 14 }).map((parts) => parts.join(''));

/** Random pieces can make any allowed element: `<`, `s`, `>`. */
const notAllowed = new RegExp(String.raw`<(?!/?(?:${richTextTags.join('|')})\b)`, 'i');

it('S32: cleaned twice it is the same, and nothing in it is active', () => {
  fc.assert(
    fc.property(html, (text) => {
      const once = sanitizeRichText(text);
      expect(sanitizeRichText(once)).toBe(once);
      expect(once).not.toMatch(notAllowed);
      expect(once).not.toMatch(/<a[^>]*javascript:/i);
    }),
    { numRuns: 2_000 },
  );
});

/** Words between brackets that are no element, comment or end tag. */
const words = fc
  .array(
    fc.oneof(
      fc.stringMatching(/^[b-z0-9@.:-]{1,6}$/),
      fc.constantFrom('<', '>', '< ', ' >', '<9', '<@'),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(' '))
  .filter((text) => !/<\s*\/?[a-z]/i.test(text.replace(/<[^<>]*@/g, '')));

it('S32: no character of what is visible is lost', () => {
  fc.assert(
    fc.property(words, (text) => {
      expect(saved(text).replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
    }),
    { numRuns: 2_000 },
  );
});

const element = fc.constantFrom(
  'p',
  'b',
  'title',
  'textarea',
  'option',
  'xmp',
  'plaintext',
  'font',
  'iframe',
  'noscript',
);
const markup = fc.oneof(
  element.map((name) => `<${name}>`),
  element.map((name) => `</${name}>`),
  element.map((name) => `</${name}s>`),
  fc.constantFrom(
    '<',
    '<!--',
    '<script>',
    '<svg>',
    "<b title='a>b'>",
    '<br/>',
    '<john@x>',
    '</script ',
    '</title ',
  ),
);
const mixed = fc.array(markup, { maxLength: 12 });
/** Numbered words among markup, and a final word. */
const withWords = (parts: readonly string[]): string =>
  [...parts.map((part, at) => `w${at}.${part}`), `w${parts.length}.`].join('');
const wordsOf = (text: string) => text.match(/w\d+\./g);

it('S32: no word among elements is lost, whether they are closed or left open', () => {
  fc.assert(
    fc.property(mixed, (parts) => {
      const text = withWords(parts);
      expect(wordsOf(saved(text)), text).toEqual(wordsOf(text));
    }),
    { numRuns: 2_000 },
  );
});

it('S32: an open quote hides no word', () => {
  fc.assert(
    fc.property(mixed, mixed, (before, after) => {
      const text = `${withWords(before)}<b title="x>${withWords(after)}`;
      expect(wordsOf(saved(text)), text).toEqual(wordsOf(text));
    }),
    { numRuns: 2_000 },
  );
});

it.each([
  '<b a=',
  '<b ',
  '<script>',
  '<script></script>',
  '<!--',
  '<b a="',
  '</title ',
  '<',
  '/',
  ' ',
  'a ',
])('S32, S27: 64 KiB of %j are read once, not once for every character', (part) => {
  const long = (prefix: string) => prefix + part.repeat(65_536 / part.length);
  for (const text of [long(''), long('<b '), long('<b a=')])
    expect(escapeWords(text).length).toBeLessThanOrEqual(text.length * 4);
});
