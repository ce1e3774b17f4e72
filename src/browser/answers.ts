/**
 * Calls that take long. A browser has six connections to one address; an upload may hold its call for an hour. What
 * is not done in time gets a ticket, and the answer is kept until the window fetches it (see browser-carrier.ts).
 */
import { randomUUID } from 'node:crypto';
import type { CarrierReply } from '../contract/carrier.ts';

interface Kept {
  readonly reply: Promise<CarrierReply>;
  done: boolean;
}

export interface Patience {
  /** How long a call may hold its connection, milliseconds. */
  readonly hold_ms: number;
  /** How long an answer nobody fetched is kept. */
  readonly keep_ms: number;
}

/** @param ready told the ticket when its answer is there */
export const answerDesk = (patience: Patience, ready: (ticket: string) => void) => {
  const kept = new Map<string, Kept>();

  const within = async (reply: Promise<CarrierReply>): Promise<CarrierReply | undefined> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), patience.hold_ms);
    });
    try {
      return await Promise.race([reply, late]);
    } finally {
      clearTimeout(timer);
    }
  };

  const keep = (ticket: string, entry: Kept) => {
    kept.set(ticket, entry);
    void entry.reply.then(() => {
      entry.done = true;
      ready(ticket);
      setTimeout(() => kept.delete(ticket), patience.keep_ms).unref();
    });
  };

  return {
    /** The reply, or the ticket it will be under. `later`: a reply with bytes gets a ticket in any case. */
    async hand(
      reply: Promise<CarrierReply>,
      later?: 'bytes',
    ): Promise<CarrierReply | { readonly ticket: string }> {
      const done = await within(reply);
      if (done !== undefined && (done.bytes === undefined || later !== 'bytes')) return done;
      const ticket = randomUUID();
      keep(ticket, { reply, done: false });
      return { ticket };
    },
    /** The kept reply, the ticket again where it is not done, or undefined where there is no such ticket. */
    async fetch(ticket: string): Promise<CarrierReply | { readonly ticket: string } | undefined> {
      const entry = kept.get(ticket);
      if (entry === undefined) return undefined;
      if (!entry.done) return { ticket };
      kept.delete(ticket);
      return entry.reply;
    },
  };
};
