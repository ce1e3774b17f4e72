/**
 * Frees the connection of a slow call: a browser opens six connections to one address, and an upload may take an hour. A call
 * that exceeds the time limit gets a ticket; its reply is kept until the window fetches it (see browser-carrier.ts).
 */
import { randomUUID } from 'node:crypto';
import type { CarrierReply } from '../contract/carrier.ts';

interface Kept {
  readonly reply: Promise<CarrierReply>;
  done: boolean;
}

export interface Patience {
  /** How long a call may hold its connection, in milliseconds. */
  readonly hold_ms: number;
  /** How long an unfetched reply is kept after it is ready, in milliseconds. */
  readonly keep_ms: number;
}

/** @param ready called with a ticket when its reply is ready */
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
    /** Returns the reply if it arrives in time, otherwise a ticket. With `later`, a reply with bytes always gets a ticket. */
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
    /** Returns the kept reply, the ticket again if the reply is not ready, or undefined for an unknown ticket. */
    async fetch(ticket: string): Promise<CarrierReply | { readonly ticket: string } | undefined> {
      const entry = kept.get(ticket);
      if (entry === undefined) return undefined;
      if (!entry.done) return { ticket };
      kept.delete(ticket);
      return entry.reply;
    },
  };
};
