/**
 * One conversation with one phone, message by message, without HTTP: who may begin it, what is refused, what is answered. The secret is
 * spent by the first phone that proves to have read it; whoever comes later with it is told so and gets nothing.
 */
import { randomBytes } from 'node:crypto';
import { phoneAsk, type PhoneAnswer, type PhoneAsk, phoneHello } from '../../contract/phone.ts';
import {
  drawNonce,
  helloKeys,
  type PhoneKeys,
  seal,
  SECRET_BYTES,
  talkKeys,
  unseal,
} from '../../contract/phone-seal.ts';
import type { Arrivals } from './arrivals.ts';

export type TalkReply =
  { readonly kind: 'answer'; readonly body: Uint8Array } | { readonly kind: 'refused' };

export interface TalkParts {
  readonly secret: Uint8Array;
  readonly arrivals: Arrivals;
  /** The phone is in. */
  readonly joined: () => void;
  /** Another phone has the secret too. */
  readonly another: () => void;
}

const REFUSED: TalkReply = { kind: 'refused' };

const closed = (key: Uint8Array, words: unknown): Uint8Array =>
  seal(key, drawNonce(randomBytes), words);

export const createTalk = ({ secret, arrivals, joined, another }: TalkParts) => {
  let bound: { phone: Buffer; laptop: Buffer; keys: PhoneKeys; last: number } | null = null;
  /** Messages are taken one after the other, however they come. */
  let turn: Promise<unknown> = Promise.resolve();

  /** What the phone drew, then the sealed hello; answered by what the laptop drew, then the sealed welcome. */
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
    // Said again, it is answered the same: its answer may have been lost. Who only heard it can do nothing with that.
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
    // An ask that does not fit what is here changes nothing: the answer says what is here, and the phone goes on from that.
    await deed(ask.data, opened.bytes);
    const answer: PhoneAnswer = { n: ask.data.n, files: arrivals.view() };
    return { kind: 'answer', body: closed(bound.keys.to_phone, answer) };
  };

  return {
    hello,
    ask: (body: Uint8Array): Promise<TalkReply> => {
      const reply = turn.then(() => take(body));
      turn = reply.catch(() => undefined);
      return reply;
    },
    /** Nothing is being written. */
    settled: (): Promise<unknown> => turn,
  };
};
