/**
 * Messages for photos from a phone: its requests inside sealed messages (phone-seal.ts), and the laptop's responses. Separate from
 * phone.ts, because the window never sees them. Protocol and bounds: src/phone/protocol.md.
 */
import { z } from 'zod';
import { phoneFile } from './phone.ts';
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

/** The response to every request: everything the laptop has. */
export const phoneAnswer = z.object({ n, files: z.array(phoneFile) });
export type PhoneAnswer = z.infer<typeof phoneAnswer>;
