/**
 * Protocol for photos from a phone: the phone's requests inside sealed messages (phone-seal.ts), the laptop's responses, and the
 * window's view. Protocol and bounds: src/phone/protocol.md.
 */
import { z } from 'zod';
import { PHONE_FILES_MAX } from './phone-seal.ts';

const count = z.number().int().nonnegative();
const file = count.max(PHONE_FILES_MAX - 1);
const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);

/** The first message: it only asks to be let in. */
export const phoneHello = z.object({ hello: z.literal(1) });
/** The host's response. `taken`: another phone already used the code. */
export interface PhoneWelcome {
  readonly taken: boolean;
}

/** `n` increases with every message of a conversation, so a replayed message is rejected. */
const n = count.max(2 ** 40);
export const phoneAsk = z.discriminatedUnion('ask', [
  /** Asks for the current state. */
  z.object({ ask: z.literal('look'), n }),
  /** Announces files. `from`: how many were announced before. Repeating an announcement changes nothing. */
  z.object({
    ask: z.literal('offer'),
    n,
    from: count.max(PHONE_FILES_MAX),
    files: z.array(z.object({ name: z.string().max(255), size: count })).max(PHONE_FILES_MAX),
  }),
  /** Comes with bytes of this file from `offset`, which is the number of bytes the laptop has of it. */
  z.object({ ask: z.literal('part'), n, file, offset: count }),
  /** The whole file was sent; `sha256` is its hash. */
  z.object({ ask: z.literal('whole'), n, file, sha256: sha256Hex }),
]);
export type PhoneAsk = z.infer<typeof phoneAsk>;

/**
 * State of a file. coming: bytes are missing. checked: all bytes are here and their sha256 equals the phone's. kept: in the
 * report. there: the report already had it. asks: the person at the laptop is asked about it. refused: see `why`.
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

const phoneFile = z.object({
  name: z.string(),
  size: count,
  /** Bytes the laptop has received. */
  received: count,
  state: fileState,
  /** Set if `state` is `refused`. */
  why: refusal.nullable(),
  /** The laptop's hash of the file, once it has every byte. */
  sha256: sha256Hex.nullable(),
});
export type PhoneFile = z.infer<typeof phoneFile>;

/** The response to every request: everything the laptop has. */
export const phoneAnswer = z.object({ n, files: z.array(phoneFile) });
export type PhoneAnswer = z.infer<typeof phoneAnswer>;

/** A network of this laptop that a phone may share. */
export const phoneNetwork = z.object({
  /** The system's name for the network; the address if it has no name. */
  name: z.string(),
  address: z.ipv4(),
});
export type PhoneNetwork = z.infer<typeof phoneNetwork>;

export const phoneView = z.object({
  /** Id of the code shown last; null if none was shown. */
  code: z.uuid().nullable(),
  /**
   * closed: unreachable. open: the code is shown. seen: a phone has loaded the page. joined: that phone proved that it read the
   * code.
   */
  state: z.enum(['closed', 'open', 'seen', 'joined']),
  /**
   * Reason for closing. asked: the window closed it. idle: nothing arrived for ten minutes. refused: too many requests came from
   * senders without the code. window: the window fell silent. account: the session changed. failed: the system took the address
   * away.
   */
  why: z.enum(['asked', 'idle', 'refused', 'window', 'account', 'failed']).nullable(),
  /** A second phone also read the code and was not let in. */
  another: z.boolean(),
  /** Bytes are missing and the phone has sent nothing for some seconds. */
  silent: z.boolean(),
  files: z.array(phoneFile),
});
export type PhoneView = z.infer<typeof phoneView>;
