/**
 * The phone's side of the conversation: sends what was chosen, part by part, goes on where the laptop says it is after every break, and
 * calls a file "on the laptop" only once sizes and sha256 were compared there and here. No page, no timers of its own: both are given.
 */
import type { PhoneAnswer, PhoneAsk, PhoneFile, PhoneWelcome } from '../contract/phone.ts';
import {
  bytesToHex,
  drawNonce,
  helloKeys,
  hexToBytes,
  PART_BYTES,
  PHONE_FILES_MAX,
  type PhoneKeys,
  seal,
  SECRET_BYTES,
  sha256,
  talkKeys,
  unseal,
} from '../contract/phone-seal.ts';

/**
 * joining: no answer yet. ready: the laptop answers. lost: it does not just now. taken: another phone has the code. unreadable: what answers
 * is not the laptop that showed the code, or has another code by now.
 */
export type Link = 'joining' | 'ready' | 'lost' | 'taken' | 'unreadable';

export interface Sent {
  readonly name: string;
  readonly size: number;
  readonly received: number;
  /** `on_laptop`: compared. `unread`: the phone cannot read it any more. */
  readonly state: 'waiting' | 'sending' | 'checking' | 'on_laptop' | 'asks' | 'refused' | 'unread';
  readonly why: PhoneFile['why'];
}

export interface SenderView {
  readonly link: Link;
  readonly files: readonly Sent[];
  /** Files that were chosen beyond what one code takes. */
  readonly left_out: number;
}

export interface SenderParts {
  readonly secret: Uint8Array;
  /** Answers what came, or throws where nothing did. */
  readonly post: (
    path: '/hello' | '/ask',
    body: Uint8Array<ArrayBuffer>,
  ) => Promise<{ readonly status: number; readonly body: Uint8Array }>;
  readonly random: (bytes: number) => Uint8Array;
  readonly wait: (ms: number) => Promise<void>;
  readonly changed: (view: SenderView) => void;
  /** What this phone drew, as hex: kept over a reload of the page, which is then the same phone to the laptop. */
  readonly memory: { get(): string | null; set(drawn: string): void };
}

const AGAIN_MS = 1_000;
const LOOK_MS = 600;

interface Chosen {
  readonly file: Blob & { readonly name?: string };
  readonly name: string;
  readonly hash: ReturnType<typeof sha256.create>;
  /** Bytes that went into the hash. */
  hashed: number;
  sha256: string | null;
  unread: boolean;
}

class Stopped extends Error {
  readonly link: 'taken' | 'unreadable';
  constructor(link: 'taken' | 'unreadable') {
    super(link);
    this.link = link;
  }
}

/** Asked again it may be answered. */
const isPassing = (status: number): boolean => status === 429 || status >= 500;

const nameOf = (file: Chosen['file'], at: number): string =>
  (file.name ?? '').slice(-255) || `photo-${at + 1}`;

export const createSender = (parts: SenderParts) => {
  const chosen: Chosen[] = [];
  let there: readonly PhoneFile[] = [];
  /** Of the files that are there, the first of these belong to this page; before them came those of the page before a reload. */
  let before: number | null = null;
  let link: Link = 'joining';
  let left_out = 0;
  let talk: { readonly keys: PhoneKeys; n: number } | null = null;
  let running: Promise<void> | null = null;
  let over = false;

  const stateOf = (one: Chosen, laptop: PhoneFile | undefined): Sent['state'] => {
    if (laptop?.state === 'refused') return 'refused';
    if (laptop?.state === 'asks') return 'asks';
    if (laptop?.state === 'kept' || laptop?.state === 'there')
      return laptop.sha256 === one.sha256 && laptop.size === one.file.size
        ? 'on_laptop'
        : 'refused';
    if (one.unread) return 'unread';
    if (laptop === undefined) return 'waiting';
    if (laptop.received === laptop.size) return 'checking';
    return laptop.received > 0 ? 'sending' : 'waiting';
  };
  const view = (): SenderView => ({
    link,
    left_out,
    files: chosen.map((one, at) => {
      const laptop = before === null ? undefined : there[before + at];
      return {
        name: one.name,
        size: one.file.size,
        received: laptop?.received ?? 0,
        state: stateOf(one, laptop),
        why: laptop?.why ?? null,
      };
    }),
  });
  const tell = (): void => parts.changed(view());
  const become = (next: Link): void => {
    if (link === next) return;
    link = next;
    tell();
  };

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
    // The clock, so that a page loaded anew counts on above what it said before.
    talk = { keys: talkKeys(parts.secret, drawn, from_laptop), n: Date.now() % 2 ** 39 };
  };

  type Question = PhoneAsk extends infer A ? (A extends PhoneAsk ? Omit<A, 'n'> : never) : never;
  /** One message and its answer: what the laptop has, all of it. */
  const ask = async (question: Question, bytes?: Uint8Array): Promise<void> => {
    if (talk === null) await hello();
    if (talk === null) return;
    const { keys } = talk;
    const n = (talk.n += 1);
    const sealed = seal(keys.to_laptop, drawNonce(parts.random), { ...question, n }, bytes);
    const answer = await parts.post('/ask', sealed);
    if (isPassing(answer.status)) throw new Error('busy');
    const opened = answer.status === 200 ? unseal(keys.to_phone, answer.body) : null;
    const words = opened?.words as PhoneAnswer | undefined;
    // Another answer than to this question was kept by somebody and given again.
    if (words?.n !== n) throw new Stopped('unreadable');
    there = words.files;
    before ??= there.length;
    link = 'ready';
    tell();
  };

  /** Null: the phone took the file away meanwhile. */
  const bytesFrom = async (one: Chosen, offset: number): Promise<Uint8Array | null> => {
    try {
      const part = new Uint8Array(await one.file.slice(offset, offset + PART_BYTES).arrayBuffer());
      if (part.length === 0) return null;
      if (offset === one.hashed) {
        one.hash.update(part);
        one.hashed += part.length;
        if (one.hashed === one.file.size) one.sha256 = bytesToHex(one.hash.digest());
      }
      return part;
    } catch {
      return null;
    }
  };

  /** The next thing to say, or null where all is said. */
  const next = async (first: number): Promise<(() => Promise<void>) | null> => {
    const named = there.length - first;
    if (named < chosen.length) {
      const files = chosen.slice(named).map(({ name, file: { size } }) => ({ name, size }));
      return () => ask({ ask: 'offer', from: there.length, files });
    }
    for (const [at, one] of chosen.entries()) {
      const laptop = there[first + at];
      if (laptop?.state !== 'coming' || one.unread) continue;
      const file = first + at;
      if (laptop.received === one.file.size && one.sha256 !== null) {
        const whole = one.sha256;
        return () => ask({ ask: 'whole', file, sha256: whole });
      }
      const offset = laptop.received;
      const bytes = await bytesFrom(one, offset);
      if (bytes !== null) return () => ask({ ask: 'part', file, offset }, bytes);
      one.unread = true;
      tell();
    }
    return null;
  };

  const waits = (): boolean => view().files.some(({ state }) => state === 'checking');

  const run = async (): Promise<void> => {
    while (!over) {
      try {
        if (before === null) await ask({ ask: 'look' });
        const say = before === null ? null : await next(before);
        if (say !== null) await say();
        else if (waits()) {
          await parts.wait(LOOK_MS);
          await ask({ ask: 'look' });
        } else return;
      } catch (error) {
        if (error instanceof Stopped) {
          over = true;
          return become(error.link);
        }
        become(link === 'joining' ? 'joining' : 'lost');
        await parts.wait(AGAIN_MS);
      }
    }
  };
  const go = (): Promise<void> => {
    running ??= run().finally(() => {
      running = null;
    });
    return running;
  };

  return {
    view,
    /** Asks to be let in. Settles when the laptop answered. */
    begin: go,
    /** Settles when nothing is left to send or to wait for. */
    add: async (files: readonly Chosen['file'][]): Promise<void> => {
      const room = PHONE_FILES_MAX - (before ?? 0) - chosen.length;
      left_out += Math.max(0, files.length - room);
      for (const file of files.slice(0, Math.max(0, room)))
        chosen.push({
          file,
          name: nameOf(file, chosen.length),
          hash: sha256.create(),
          hashed: 0,
          sha256: null,
          unread: false,
        });
      tell();
      // A run that was about to end did not see them.
      await running;
      await go();
    },
  };
};
