/**
 * Conversations of the report box, independent of HTTP: many phones at once, each with separate keys. A phone proves that it read
 * the poster, the laptop proves that it made the poster, and another reader of the poster can open nothing (a Noise NK handshake).
 */
import { randomBytes } from 'node:crypto';
import {
  type BoxAnswer,
  type BoxAsk,
  boxAsk,
  boxHello,
} from '../../contract/phone/box-messages.ts';
import { TALK_ID_BYTES } from '../../contract/phone/box-limits.ts';
import {
  bytesToHex,
  drawNonce,
  freshSecret,
  helloKeys,
  type PhoneKeys,
  seal,
  SECRET_BYTES,
  talkKeys,
  unseal,
} from '../../contract/phone/phone-seal.ts';
import type { Clock } from '../lib/clock.ts';
import { createTurns } from '../lib/turns.ts';
import type { TalkReply } from '../phone/listener.ts';
import { agree, drawKey, type LaptopKey } from './laptop-key.ts';
import type { BoxLimits } from './limits.ts';

/** An answer before it gets the number of its message. */
export type Said = BoxAnswer extends infer A ? (A extends BoxAnswer ? Omit<A, 'n'> : never) : never;

interface Talk {
  readonly id: string;
  readonly from: string;
  readonly keys: PhoneKeys;
  last: number;
  heard: number;
  /** Serializes its messages. */
  readonly inTurn: ReturnType<typeof createTurns>;
}

export interface TalksParts {
  readonly key: () => LaptopKey;
  readonly clock: Clock;
  readonly limits: BoxLimits;
  readonly answer: (ask: BoxAsk, bytes: Uint8Array, from: string) => Promise<Said> | Said;
}

const REFUSED: TalkReply = { kind: 'refused' };

const closed = (key: Uint8Array, words: unknown): Uint8Array =>
  seal(key, drawNonce(randomBytes), words);

export const createTalks = ({ key, clock, limits, answer }: TalksParts) => {
  /** In the order of their last message. */
  const talks = new Map<string, Talk>();

  const add = (talk: Talk): void => {
    const now = clock.monotonic();
    for (const [id, { heard }] of talks) if (now - heard > limits.talk_ms) talks.delete(id);
    // An address with too many conversations loses its oldest, so that other phones find room.
    const mine = [...talks.values()].filter(({ from }) => from === talk.from);
    if (mine.length >= limits.talks_of_one) talks.delete(mine[0]?.id ?? '');
    if (talks.size >= limits.talks) {
      const [crowd = []] = [...Map.groupBy(talks.values(), ({ from }) => from).values()].sort(
        (one, other) => other.length - one.length,
      );
      talks.delete(crowd[0]?.id ?? '');
    }
    talks.set(talk.id, talk);
  };

  /** Request: the phone's public key, then the sealed hello. Response: the sealed welcome. */
  const hello = (body: Uint8Array, from: string): TalkReply => {
    if (body.length <= SECRET_BYTES) return REFUSED;
    const phone = Buffer.from(body.subarray(0, SECRET_BYTES));
    const fixed = agree(key(), phone);
    if (fixed === null) return REFUSED;
    const keys = helloKeys(fixed, phone);
    const opened = unseal(keys.to_laptop, body.subarray(SECRET_BYTES));
    if (opened === null || !boxHello.safeParse(opened.words).success) return REFUSED;
    const laptop = drawKey();
    const fresh = agree(laptop, phone);
    if (fresh === null) return REFUSED;
    const id = randomBytes(TALK_ID_BYTES).toString('hex');
    add({
      id,
      from,
      keys: talkKeys(freshSecret(fixed, fresh), phone, laptop.public_key),
      last: -1,
      heard: clock.monotonic(),
      inTurn: createTurns(),
    });
    const welcome = { talk: id, key: bytesToHex(laptop.public_key) };
    return { kind: 'answer', body: closed(keys.to_phone, welcome) };
  };

  const take = async (talk: Talk, body: Uint8Array, from: string): Promise<TalkReply> => {
    const opened = unseal(talk.keys.to_laptop, body);
    const ask = boxAsk.safeParse(opened?.words);
    if (opened === null || !ask.success || ask.data.n <= talk.last) return REFUSED;
    if (ask.data.ask !== 'part' && opened.bytes.length > 0) return REFUSED;
    talk.last = ask.data.n;
    talk.heard = clock.monotonic();
    talks.delete(talk.id);
    talks.set(talk.id, talk);
    const said = await answer(ask.data, opened.bytes, from);
    return {
      kind: said.kind === 'stored' ? 'stored' : 'answer',
      body: closed(talk.keys.to_phone, { ...said, n: ask.data.n }),
    };
  };

  return {
    hello,
    ask: (body: Uint8Array, from: string): Promise<TalkReply> => {
      const talk = talks.get(bytesToHex(body.subarray(0, TALK_ID_BYTES)));
      // The laptop was restarted, or the phone was silent for long.
      if (talk === undefined) return Promise.resolve({ kind: 'again' });
      return talk.inTurn(() => take(talk, body.subarray(TALK_ID_BYTES), from));
    },
    /** Ends all conversations. Resolves once no message is being processed. */
    end: async (): Promise<void> => {
      const open = [...talks.values()];
      talks.clear();
      await Promise.all(open.map(({ inTurn }) => inTurn(async () => undefined)));
    },
  };
};
