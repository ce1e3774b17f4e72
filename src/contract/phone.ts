/**
 * Photos from a phone: what its page asks of the laptop inside sealed messages (phone-seal.ts), what the laptop answers, and what a
 * window sees of it. Protocol and bounds: src/phone/README.md.
 */
import { z } from 'zod';
import { PHONE_FILES_MAX } from './phone-seal.ts';

const count = z.number().int().nonnegative();
const file = count.max(PHONE_FILES_MAX - 1);
export const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);

/** The first message: nothing is asked but to be let in. */
export const phoneHello = z.object({ hello: z.literal(1) });
/** The host's answer. `taken`: the code was used by another phone. */
export const phoneWelcome = z.object({ taken: z.boolean() });
export type PhoneWelcome = z.infer<typeof phoneWelcome>;

/** `n` counts up with every message of a conversation: an old one, sent again by somebody, is refused. */
const n = count.max(2 ** 40);
export const phoneAsk = z.discriminatedUnion('ask', [
  /** Where are we? */
  z.object({ ask: z.literal('look'), n }),
  /** These files are to come; `from`: how many were named before. The same said again changes nothing. */
  z.object({
    ask: z.literal('offer'),
    n,
    from: count.max(PHONE_FILES_MAX),
    files: z.array(z.object({ name: z.string().max(255), size: count })).max(PHONE_FILES_MAX),
  }),
  /** With bytes: of this file, from this offset, which is what the laptop has of it. */
  z.object({ ask: z.literal('part'), n, file, offset: count }),
  /** All of it was sent, and this is what it is. */
  z.object({ ask: z.literal('whole'), n, file, sha256: sha256Hex }),
]);
export type PhoneAsk = z.infer<typeof phoneAsk>;

/**
 * coming: bytes are missing. checked: all are here, and their sha256 is the phone's. kept: in the report. there: the report had it.
 * asks: the person at the laptop is asked about it. refused: `why`.
 */
const fileState = z.enum(['coming', 'checked', 'kept', 'there', 'asks', 'refused']);
const refusal = z.enum([
  'not_a_photo',
  'empty',
  'too_large',
  'too_many',
  'no_space',
  'differs',
  'other',
]);
export type PhoneRefusal = z.infer<typeof refusal>;

export const phoneFile = z.object({
  name: z.string(),
  size: count,
  /** Bytes on the laptop. */
  received: count,
  state: fileState,
  /** Where it is refused. */
  why: refusal.nullable(),
  /** What the laptop made of the bytes it has, once they are whole. */
  sha256: sha256Hex.nullable(),
});
export type PhoneFile = z.infer<typeof phoneFile>;

/** The answer to every ask: all that the laptop has. */
export const phoneAnswer = z.object({ n, files: z.array(phoneFile) });
export type PhoneAnswer = z.infer<typeof phoneAnswer>;

/** A network of this laptop that a phone may be on. */
export const phoneNetwork = z.object({
  /** As the system calls it; the address again where nobody calls it anything. */
  name: z.string(),
  address: z.ipv4(),
});
export type PhoneNetwork = z.infer<typeof phoneNetwork>;

/** What a window sees. */
export const phoneView = z.object({
  /** Of the code that was shown last; null: none was. */
  code: z.uuid().nullable(),
  /** closed: nobody can reach it. open: the code waits. seen: a phone has the page. joined: that phone proved that it read the code. */
  state: z.enum(['closed', 'open', 'seen', 'joined']),
  /**
   * Why it was closed. asked: by the window. idle: nothing came for ten minutes. refused: too much that no phone with the code sent.
   * window: the window fell silent. account: another session. failed: the system took the address away.
   */
  why: z.enum(['asked', 'idle', 'refused', 'window', 'account', 'failed']).nullable(),
  /** Another phone read the code too, and was not let in. */
  another: z.boolean(),
  /** Bytes are missing, and nothing came of the phone for some seconds. */
  silent: z.boolean(),
  files: z.array(phoneFile),
});
export type PhoneView = z.infer<typeof phoneView>;
