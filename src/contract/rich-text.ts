/**
 * What a description may hold (decisions §3.2): one list for the service, which cleans what it is given, and for the window,
 * which cleans what it is given, what is pasted and what it sends. No image at all: a remote one tells its host who reads
 * the record; photos are attachments.
 *
 * A link leads to a public host or it is no link: what listens on this machine or in this network must not be reached by a click
 * on what somebody else wrote. A public name whose answer leads there cannot be told by its spelling.
 */
import { z } from 'zod';

export const richTextTags = [
  'p',
  'div',
  'br',
  'hr',
  'span',
  'blockquote',
  'pre',
  'code',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'li',
  'b',
  'strong',
  'i',
  'em',
  'u',
  's',
  'del',
  'ins',
  'sub',
  'sup',
  'mark',
  'a',
  'table',
  'thead',
  'tbody',
  'tfoot',
  'tr',
  'th',
  'td',
] as const;

/** Where a link may lead; `linkSchema` says how. */
export const richTextSchemes = ['http', 'https', 'mailto', 'tel'] as const;

/** As a parsed address spells them: `0x7f000001`, `2130706433` and `127.1` are `127.0.0.1` by then. */
const notPublicV4 = [
  /0\./,
  /10\./,
  /127\./,
  /169\.254\./,
  /192\.168\./,
  /172\.(?:1[6-9]|2\d|3[01])\./,
  /100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./,
  /192\.0\.[02]\./,
  /192\.88\.99\./,
  /198\.1[89]\./,
  /198\.51\.100\./,
  /203\.0\.113\./,
  /168\.63\.129\.16$/,
  /(?:22[4-9]|2[3-5]\d)\./,
];
const notPublicName = /(?:^|\.)(?:localhost|local|lan|internal|home\.arpa)\.?$/;

/** No name without a dot, which is one of this network's, and no IPv6 address: nobody writes one for a person to follow. */
const publicHost = new RegExp(
  [
    `^(?!${notPublicV4.map(({ source }) => source).join('|')})(?:\\d{1,3}\\.){3}\\d{1,3}$`,
    `^(?!.*${notPublicName.source})(?:[^.]+\\.)+(?=[^.]*[^.\\d])[^.]+\\.?$`,
  ].join('|'),
);

/** A link as it may be shown, sent and handed to the system: spelled plainly, without a user name, to a public host. */
export const linkSchema = z.union([
  z
    .string()
    .max(2_000)
    .regex(/^https?:\/\/[^\s/?#\\@]+(?:[/?#][^\s\p{Cc}]*)?$/iu)
    .pipe(z.url({ protocol: /^https?$/, hostname: publicHost })),
  z
    .string()
    .max(2_000)
    .regex(/^mailto:[^\s\p{Cc}/\\][^\s\p{Cc}]*$/iu),
  z
    .string()
    .max(100)
    .regex(/^tel:[\d+*#().,;=~a-z-]+$/i),
]);

/** Elements whose words are no words of a person, and go with them. */
export const richTextSilent = [
  'script',
  'style',
  'textarea',
  'option',
  'noscript',
  'title',
  'iframe',
  'svg',
  'math',
] as const;

/** On every link: the page it leads to learns nothing of this one. */
export const richTextRel = 'noopener noreferrer nofollow';
