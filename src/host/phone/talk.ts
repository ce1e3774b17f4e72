/**
 * The protocol with one phone, independent of HTTP. The first phone that proves it read the secret claims it. A later phone
 * with the same secret is refused and learns that the code is taken.
 */
import { randomBytes } from 'node:crypto';
import {
  phoneAsk,
  type PhoneAnswer,
  type PhoneAsk,
  phoneHello,
} from '../../contract/phone/phone-messages.ts';
import {
  drawNonce,
  helloKeys,
  type PhoneKeys,
  seal,
  SECRET_BYTES,
  talkKeys,
  unseal,
} from '../../contract/phone/phone-seal.ts';
import type { Arrivals } from './incoming-uploads.ts';
import type { TalkReply } from './listener.ts';
import { createTurns } from '../lib/turns.ts';

export interface TalkParts {
  readonly secret: Uint8Array;
  readonly arrivals: Arrivals;
  readonly joined: () => void;
  /** Called when a second phone has the secret. */
  readonly another: () => void;
}

const REFUSED: TalkReply = { kind: 'refused' };

const closed = (key: Uint8Array, words: unknown): Uint8Array =>
  seal(key, drawNonce(randomBytes), words);

export const createTalk = ({ secret, arrivals, joined, another }: TalkParts) => {
  let bound: { phone: Buffer; laptop: Buffer; keys: PhoneKeys; last: number } | null = null;
  /** Serializes messages. */
  const inTurn = createTurns();

  /**
   * Handshake. Request: the phone's random value, then the sealed hello. Response: the laptop's random value, then the sealed
   * welcome.
   */
  const hello = (body: Uint8Array): TalkReply => {
    if (body.length <= SECRET_BYTES) return REFUSED;
    const phone = Buffer.from(body.subarray(0, SECRET_BYTES));
    const keys = helloKeys(secret, phone);
    const opened = unseal(keys.to_laptop, body.subarray(SECRET_BYTES));
    if (opened === null || !phoneHello.safeParse(opened.words).success) return REFUSED;
    if (bound !== null && !bound.phone.equals(phone)) {
      another();
      const words = closed(keys.to_phone, { taken: true });
      return { kind: 'answer', body: Buffer.concat([Buffer.alloc(SECRET_BYTES), words]) };
    }
    if (bound === null) {
      const laptop = randomBytes(SECRET_BYTES);
      bound = { phone, laptop, keys: talkKeys(secret, phone, laptop), last: -1 };
      joined();
    }
    // Answer a repeated hello the same way, because the first answer may have been lost. An eavesdropper cannot use it without
    // the secret.
    const words = closed(keys.to_phone, { taken: false });
    return { kind: 'answer', body: Buffer.concat([bound.laptop, words]) };
  };

  const deed = (ask: PhoneAsk, bytes: Uint8Array): Promise<boolean> | boolean => {
    switch (ask.ask) {
      case 'look':
        return true;
      case 'offer':
        return arrivals.offer(ask.from, ask.files);
      case 'part':
        return arrivals.part(ask.file, ask.offset, bytes);
      case 'whole':
        return arrivals.whole(ask.file, ask.sha256);
    }
  };

  const take = async (body: Uint8Array): Promise<TalkReply> => {
    if (bound === null) return REFUSED;
    const opened = unseal(bound.keys.to_laptop, body);
    const ask = phoneAsk.safeParse(opened?.words);
    if (opened === null || !ask.success || ask.data.n <= bound.last) return REFUSED;
    if (ask.data.ask !== 'part' && opened.bytes.length > 0) return REFUSED;
    bound.last = ask.data.n;
    // A request that does not match our state changes nothing. The response reports the state, and the phone resumes from
    // there.
    await deed(ask.data, opened.bytes);
    const answer: PhoneAnswer = { n: ask.data.n, files: arrivals.view() };
    return { kind: 'answer', body: closed(bound.keys.to_phone, answer) };
  };

  return {
    hello,
    ask: (body: Uint8Array): Promise<TalkReply> => inTurn(() => take(body)),
    /** Resolves once no message is being processed. */
    settled: (): Promise<void> => inTurn(async () => undefined),
  };
};
