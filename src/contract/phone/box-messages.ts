/**
 * The report box's messages: what a phone asks inside sealed messages (phone-seal.ts), and what the laptop answers. Separate from box.ts,
 * because the window never sees them. Protocol, bounds and threats: src/phone/report/box.md.
 */
import { z } from 'zod';
import { languages } from '../languages.ts';
import type { BoxReport } from './box.ts';
import { BOX_NAME_MAX, BOX_PHOTOS_MAX, BOX_TEXT_MAX } from './box-limits.ts';

const count = z.number().int().nonnegative();
const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);
/** 16 random bytes that the phone drew for this report, so that a repeated report is stored once. */
const drawnId = z.string().regex(/^[0-9a-f]{32}$/);
const photo = count.max(BOX_PHOTOS_MAX - 1);

/** Asks for a conversation. */
export const boxHello = z.object({ report: z.literal(1) });
/** `key`: the laptop's X25519 key of this conversation, which the phone needs for all later messages. */
export interface BoxWelcome {
  /** Id of the conversation. */
  readonly talk: string;
  readonly key: string;
}

const n = count.max(2 ** 40);
export const boxAsk = z.discriminatedUnion('ask', [
  /** Announces a report. Repeating it changes nothing. */
  z.object({
    ask: z.literal('begin'),
    n,
    report: drawnId,
    text: z.string().max(BOX_TEXT_MAX),
    name: z.string().max(BOX_NAME_MAX),
    language: z.enum(languages),
    photos: z
      .array(z.object({ name: z.string().max(255), size: count, sha256: sha256Hex }))
      .max(BOX_PHOTOS_MAX),
  }),
  /** Comes with bytes of this photo from `offset`, which is the number of bytes the laptop has of it. */
  z.object({ ask: z.literal('part'), n, report: drawnId, photo, offset: count }),
  /** All photos were sent: the laptop stores the report before it answers. */
  z.object({ ask: z.literal('done'), n, report: drawnId }),
  /** Asks what became of the report with this code. */
  z.object({ ask: z.literal('look'), n, code: z.string().max(40) }),
]);
export type BoxAsk = z.infer<typeof boxAsk>;

/**
 * Why a report is refused. empty: neither text nor photo. too_large: a photo, or all together. not_a_photo, differs: `photo` says
 * which. often: too many reports from this phone in a minute. full: too many reports wait. no_space: the laptop's disk.
 */
export type BoxRefusal =
  'empty' | 'too_large' | 'not_a_photo' | 'differs' | 'often' | 'full' | 'no_space' | 'other';

/** `n` is that of the message. */
export type BoxAnswer = { readonly n: number } & (
  | {
      readonly kind: 'coming';
      /** Bytes of each photo that the laptop has. */
      readonly received: readonly number[];
    }
  | { readonly kind: 'stored'; readonly code: string }
  | {
      readonly kind: 'refused';
      readonly why: BoxRefusal;
      /** Index of the photo; null if the report as a whole is refused. */
      readonly photo: number | null;
    }
  | {
      readonly kind: 'found';
      readonly state: BoxReport['state'];
      /** '' while it has none. */
      readonly number: string;
      /** The reason of a discarded report, or what was done about a filed one; '' if nothing is known. */
      readonly said: string;
    }
  /** No report has this code, or no unfinished report has this id: the phone announces it again. */
  | { readonly kind: 'unknown' }
  /** Too many wrong codes were asked for: wait some minutes. */
  | { readonly kind: 'later' }
);
