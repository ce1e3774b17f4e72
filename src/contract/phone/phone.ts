/** Photos from a phone: the code and its files, as host and window see them. Messages of the phone: phone-messages.ts. */
import { z } from 'zod';

const count = z.number().int().nonnegative();
const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);

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

export const phoneFile = z.object({
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
