/**
 * The phone's side of the transfer protocol: sends the chosen files part by part and resumes after a break at the laptop's
 * offset. A file is "on the laptop" only after both sides have compared size and sha256. Network, timers and storage are passed
 * in.
 */
import type { PhoneFile } from '../contract/phone/phone.ts';
import { PHONE_FILES_MAX } from '../contract/phone/phone-seal.ts';
import { bytesFrom, type Chosen, createChosen, stateOf } from './chosen-file.ts';
import type { Link, SenderParts, SenderView } from './sender-types.ts';
import { createTalk, type Question, Stopped } from './talk.ts';

const AGAIN_MS = 1_000;
const LOOK_MS = 600;

export const createSender = (parts: SenderParts) => {
  const say = createTalk(parts);
  const chosen: Chosen[] = [];
  let there: readonly PhoneFile[] = [];
  /** Index of this page's first file on the laptop; earlier files were sent before a reload. Null before the first answer. */
  let before: number | null = null;
  let link: Link = 'joining';
  let left_out = 0;
  let running: Promise<void> | null = null;
  let over = false;

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

  const ask = async (question: Question, bytes?: Uint8Array): Promise<void> => {
    there = await say(question, bytes);
    before ??= there.length;
    link = 'ready';
    tell();
  };

  /** Returns the next message to send, or null when everything is sent. */
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
        const send = before === null ? null : await next(before);
        if (send !== null) await send();
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
    /** Asks to be admitted. Settles when the laptop has answered. */
    begin: go,
    /** Settles when nothing is left to send or to wait for. */
    add: async (files: readonly Chosen['file'][]): Promise<void> => {
      const room = PHONE_FILES_MAX - (before ?? 0) - chosen.length;
      left_out += Math.max(0, files.length - room);
      for (const file of files.slice(0, Math.max(0, room)))
        chosen.push(createChosen(file, chosen.length));
      tell();
      // A run that was about to end may have missed the new files.
      await running;
      await go();
    },
  };
};
