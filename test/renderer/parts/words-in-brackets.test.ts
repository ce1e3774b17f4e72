/** The window keeps text in angle brackets when it shows, pastes and sends it, as the service does (decisions §3.2). */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { purify, purifyToText } from '../../../src/renderer/parts/rich-text/purify.ts';

const shown = (html: string): string => purify(html).textContent;
const sentThenShown = (html: string): string => shown(purifyToText(html));

it.each([
  'from John <john@firm.example> today',
  'see <https://x.example/a> for more',
  'x<title>y and all that follows',
  'gap <5cm, p<pmax, 3 > 2',
  'an arrow <- here, a comment <!-- begun',
  '<svg left open, <math too>',
  'a <b title="x>y and more',
])('S32: the window shows and sends %s as it was typed', (text) => {
  expect(shown(text)).toBe(text);
  expect(sentThenShown(text)).toBe(text);
});

it('S32: in the window real elements keep their words; scripts, styles and drawings go with theirs', () => {
  expect(shown('<font>one</font><title> two</title><textarea> three</textarea>')).toBe(
    'one two three',
  );
  expect(shown('a<script>alert(1)</script>b<style>p{}</style>c<svg><text>d</text></svg>e')).toBe(
    'abce',
  );
});

const markup = fc.constantFrom(
  '<p>',
  '</p>',
  '<title>',
  '</title>',
  '<textarea>',
  '</textarea>',
  '<option>',
  '<noscript>',
  '<iframe>',
  '<script>',
  '<svg>',
  '<!--',
  '<john@x>',
  '<b title="a>',
  '</script ',
  '<',
);
const text = fc
  .array(markup, { maxLength: 12 })
  .map((parts) => [...parts.map((part, at) => `w${at}.${part}`), `w${parts.length}.`].join(''));
const wordsOf = (found: string) => found.match(/w\d+\./g);

it('S32: the window loses no word among elements, closed or left open, and changes nothing the second time', () => {
  fc.assert(
    fc.property(text, (html) => {
      const once = purifyToText(html);
      expect(wordsOf(shown(html)), html).toEqual(wordsOf(html));
      expect(purifyToText(once)).toBe(once);
    }),
    { numRuns: 500 },
  );
});
