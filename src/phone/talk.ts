/** The sealed conversation with the laptop: a hello, then numbered messages. Each answer is the laptop's list of files. */
import type { PhoneFile } from '../contract/phone/phone.ts';
import type { PhoneAnswer, PhoneAsk, PhoneWelcome } from '../contract/phone/phone-messages.ts';
import {
  bytesToHex,
  drawNonce,
  helloKeys,
  hexToBytes,
  type PhoneKeys,
  seal,
  SECRET_BYTES,
  talkKeys,
  unseal,
} from '../contract/phone/phone-seal.ts';
import type { SenderParts } from './sender-types.ts';

/** The laptop will not answer this page again. */
export class Stopped extends Error {
  readonly link: 'taken' | 'unreadable';
  constructor(link: 'taken' | 'unreadable') {
    super(link);
    this.link = link;
  }
}

/** True for a status that a retry may resolve. */
export const isPassing = (status: number): boolean => status === 429 || status >= 500;

export type Question = PhoneAsk extends infer A
  ? A extends PhoneAsk
    ? Omit<A, 'n'>
    : never
  : never;
export const createTalk = (parts: Pick<SenderParts, 'secret' | 'post' | 'random' | 'memory'>) => {
  let talk: { readonly keys: PhoneKeys; n: number } | null = null;

  const hello = async (): Promise<void> => {
    const had = parts.memory.get();
    const drawn = had === null ? parts.random(SECRET_BYTES) : hexToBytes(had);
    parts.memory.set(bytesToHex(drawn));
    const keys = helloKeys(parts.secret, drawn);
    const sealed = seal(keys.to_laptop, drawNonce(parts.random), { hello: 1 });
    const body = new Uint8Array(SECRET_BYTES + sealed.length);
    body.set(drawn);
    body.set(sealed, SECRET_BYTES);
    const answer = await parts.post('/hello', body);
    if (isPassing(answer.status)) throw new Error('busy');
    const opened =
      answer.status === 200 ? unseal(keys.to_phone, answer.body.subarray(SECRET_BYTES)) : null;
    if (opened === null) throw new Stopped('unreadable');
    if ((opened.words as PhoneWelcome).taken) throw new Stopped('taken');
    const from_laptop = answer.body.subarray(0, SECRET_BYTES);
    // Starts from the clock, so that a reloaded page counts on above the numbers it used before.
    talk = { keys: talkKeys(parts.secret, drawn, from_laptop), n: Date.now() % 2 ** 39 };
  };

  /** Sends one message. The answer is the laptop's whole list of files. @throws {Stopped} */
  const ask = async (question: Question, bytes?: Uint8Array): Promise<readonly PhoneFile[]> => {
    if (talk === null) await hello();
    if (talk === null) throw new Stopped('unreadable');
    const { keys } = talk;
    const n = (talk.n += 1);
    const sealed = seal(keys.to_laptop, drawNonce(parts.random), { ...question, n }, bytes);
    const answer = await parts.post('/ask', sealed);
    if (isPassing(answer.status)) throw new Error('busy');
    const opened = answer.status === 200 ? unseal(keys.to_phone, answer.body) : null;
    const words = opened?.words as PhoneAnswer | undefined;
    // A wrong number means that somebody replayed an answer to an earlier message.
    if (words?.n !== n) throw new Stopped('unreadable');
    return words.files;
  };

  return ask;
};
