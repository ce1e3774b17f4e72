/** The sealed conversation with the report box: a hello, then numbered messages. Only the laptop that made the poster can answer. */
import { x25519 } from '@noble/curves/ed25519.js';
import type { BoxAnswer, BoxAsk, BoxWelcome } from '../../contract/phone/box-messages.ts';
import { TALK_ID_BYTES } from '../../contract/phone/box-limits.ts';
import {
  drawNonce,
  freshSecret,
  helloKeys,
  hexToBytes,
  type PhoneKeys,
  seal,
  SECRET_BYTES,
  talkKeys,
  unseal,
} from '../../contract/phone/phone-seal.ts';
import type { SenderParts } from '../sender-types.ts';
import { isPassing } from '../talk.ts';

/** The laptop does not know this poster, or another machine answered. */
export class OldPoster extends Error {}

export type Question = BoxAsk extends infer A ? (A extends BoxAsk ? Omit<A, 'n'> : never) : never;
export type Say = (question: Question, bytes?: Uint8Array) => Promise<BoxAnswer>;

export interface TalkParts extends Pick<SenderParts, 'post' | 'random'> {
  /** The laptop's public key, from the poster. */
  readonly key: Uint8Array;
}

interface Talk {
  readonly id: Uint8Array;
  readonly keys: PhoneKeys;
  n: number;
}

const joined = (head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> => {
  const all = new Uint8Array(head.length + tail.length);
  all.set(head);
  all.set(tail, head.length);
  return all;
};

export const createTalk = ({ key, post, random }: TalkParts): Say => {
  let talk: Talk | null = null;

  const hello = async (): Promise<Talk> => {
    const own = random(SECRET_BYTES);
    const shown = x25519.getPublicKey(own);
    const fixed = x25519.getSharedSecret(own, key);
    const keys = helloKeys(fixed, shown);
    const sealed = seal(keys.to_laptop, drawNonce(random), { report: 1 });
    const reply = await post('/hello', joined(shown, sealed));
    if (isPassing(reply.status)) throw new Error('busy');
    const opened = reply.status === 200 ? unseal(keys.to_phone, reply.body) : null;
    if (opened === null) throw new OldPoster();
    const welcome = opened.words as BoxWelcome;
    const laptop = hexToBytes(welcome.key);
    return {
      id: hexToBytes(welcome.talk).subarray(0, TALK_ID_BYTES),
      keys: talkKeys(freshSecret(fixed, x25519.getSharedSecret(own, laptop)), shown, laptop),
      n: 0,
    };
  };

  const send = ({ id, keys }: Talk, n: number, question: Question, bytes?: Uint8Array) =>
    post('/ask', joined(id, seal(keys.to_laptop, drawNonce(random), { ...question, n }, bytes)));

  const ask: Say = async (question, bytes) => {
    const known = talk !== null;
    let now = (talk ??= await hello());
    let reply = await send(now, (now.n += 1), question, bytes);
    // The laptop was restarted, or this page was silent for long.
    if (reply.status === 409 && known) {
      now = talk = await hello();
      reply = await send(now, (now.n += 1), question, bytes);
    }
    if (isPassing(reply.status) || reply.status === 409) throw new Error('busy');
    const opened =
      reply.status === 200 || reply.status === 201 ? unseal(now.keys.to_phone, reply.body) : null;
    const answer = opened?.words as BoxAnswer | undefined;
    // A wrong number means that somebody replayed an answer to an earlier message.
    if (answer?.n !== now.n) throw new OldPoster();
    return answer;
  };

  /** One message at a time, because the laptop takes only increasing numbers. */
  let turn: Promise<unknown> = Promise.resolve();
  /** Sends one message. @throws {OldPoster} @throws if the laptop does not answer at present */
  return (question, bytes) => {
    const answer = turn.then(() => ask(question, bytes));
    turn = answer.catch(() => undefined);
    return answer;
  };
};
