/**
 * The report box: the requests of a phone inside sealed messages (phone-seal.ts), the laptop's responses, and the window's view.
 * Protocol, bounds and threats: src/phone/report/box.md.
 */
import { z } from 'zod';
import { languages } from '../languages.ts';
import { BOX_NAME_MAX, BOX_PHOTOS_MAX, BOX_TEXT_MAX } from './box-limits.ts';
import { phoneNetwork } from './phone.ts';

const count = z.number().int().nonnegative();
const ulid = z.string().regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
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
  /** No report has this code. */
  | { readonly kind: 'unknown' }
  /** Too many wrong codes were asked for: wait some minutes. */
  | { readonly kind: 'later' }
);

const boxPhoto = z.object({
  name: z.string(),
  size: count,
  sha256: sha256Hex,
  content_type: z.string(),
});

/** A report in the box. Text, name and photos of a filed one are gone: they are in the near miss. */
export const boxReport = z.object({
  /** Also the id of the draft that it is filed as, and of the near miss. */
  id: ulid,
  code: z.string(),
  /** Milliseconds since the epoch, by the laptop's clock. */
  received_at: z.number(),
  text: z.string(),
  /** '' if the person gave none. */
  name: z.string(),
  /** The language of the page on the phone. */
  language: z.enum(languages),
  photos: z.array(boxPhoto).max(BOX_PHOTOS_MAX),
  state: z.enum(['waiting', 'filed', 'discarded']),
  /** Why it was discarded; '' otherwise. */
  reason: z.string(),
  /** When it was filed or discarded; null while it waits. */
  closed_at: z.number().nullable(),
  /** The near miss's number ('' while it has none), and what was done about it, as the window last told. */
  number: z.string().max(100),
  answer: z.string().max(100_000),
});
export type BoxReport = z.infer<typeof boxReport>;

/** What the window knows of a filed report. */
export const boxOutcome = boxReport.pick({ id: true, number: true, answer: true });
export type BoxOutcome = z.infer<typeof boxOutcome>;

export const boxView = z.object({
  /**
   * none: this build has no page for it. off: not wanted. open: phones can reach it. no_network: the laptop does not have the
   * address at present. port_taken: another program holds the port. failed: the system does not allow listening.
   */
  state: z.enum(['none', 'off', 'open', 'no_network', 'port_taken', 'failed']),
  /** The address on the posters; null before the box was first opened. */
  address: z.ipv4().nullable(),
  /** What the QR code says; null before the box was first opened. */
  url: z.string().nullable(),
  networks: z.array(phoneNetwork).max(50),
  /** Number of reports that wait for a supervisor. */
  waiting: count,
});
export type BoxView = z.infer<typeof boxView>;
