/**
 * Elements and links allowed in a description (decisions §3.2). The service cleans every description it receives; the window
 * cleans received, pasted and sent ones. Images are forbidden: a remote image tells its host who reads the record, and photos are
 * attachments.
 *
 * A link must lead to a public host, so that a click on somebody else's text cannot reach services on this machine or network. A
 * public name that resolves to such an address cannot be recognised by its spelling.
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

/** Schemes a link may use; `linkSchema` defines the details. */
export const richTextSchemes = ['http', 'https', 'mailto', 'tel'] as const;

/** Matches parsed addresses: by then `0x7f000001`, `2130706433` and `127.1` are `127.0.0.1`. */
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

/**
 * Rejects names without a dot, which belong to the local network, and IPv6 addresses, which nobody writes for a person to follow.
 */
const publicHost = new RegExp(
  [
    `^(?!${notPublicV4.map(({ source }) => source).join('|')})(?:\\d{1,3}\\.){3}\\d{1,3}$`,
    `^(?!.*${notPublicName.source})(?:[^.]+\\.)+(?=[^.]*[^.\\d])[^.]+\\.?$`,
  ].join('|'),
);

/** A link that may be shown, sent and passed to the system: without a user name, to a public host. */
export const linkSchema = z.union([
  z
    .string()
    .max(2_000)
    .regex(/^https?:\/\/[^\s/?#\\@]+(?:[/?#][^\s\p{Cc}]*)?$/iu)
    .pipe(z.url({ protocol: /^https?$/, hostname: publicHost })),
  z
    .string()
    .max(2_000)
    .regex(
      /^mailto:(?=[^\s\p{Cc}/\\])[^\s\p{Cc}?]*(?:\?(?:(?:subject|body|cc)=[^\s\p{Cc}&?]*&?)*)?$/iu,
    ),
  z
    .string()
    .max(100)
    .regex(/^tel:[\d+*#().,;=~a-z-]+$/i),
]);

/** Set on every link, so that the target page learns nothing about this page. */
export const richTextRel = 'noopener noreferrer nofollow';
