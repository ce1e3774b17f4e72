/** Assembles the mail of a running service: whether it is offered, the signer of its addresses, and the dispatcher (decisions §16). */
import type { Logger } from 'pino';
import type { Signer } from '../files/signing.ts';
import type { Options } from '../options.ts';
import type { Store } from '../store/engine/db.ts';
import type { Moment } from '../store/webhooks/webhook-queue.ts';
import { readMailServer, readSender } from './mail-options.ts';
import type { SendRules } from './send.ts';

export interface Mail {
  /** False: nothing is written to the outbox and nothing is sent. */
  readonly offered: boolean;
  /** Call it after a commit: there may be new mails. */
  wake(): void;
  stop(): Promise<void>;
}

export interface MailParts {
  readonly options: Options;
  readonly store: Store;
  readonly signer: Signer;
  readonly now: () => number;
  readonly moment: () => Moment;
  /** The clock was set back since the last run. */
  readonly set_back: boolean;
  /** No other process sends from this database. */
  readonly alone: boolean;
  readonly log: Logger;
}

const off: Mail = { offered: false, wake: () => undefined, stop: () => Promise.resolve() };

/** Null if no mail server is configured. options.ts has checked the options. */
export const sendRulesOf = (options: Options): SendRules | null => {
  const server = readMailServer(options['mail-server']);
  const sender = readSender(options['mail-from']);
  if (options['mail-server'] === '' || server === null || sender === null) return null;
  return {
    server,
    sender,
    without_tls: options['mail-without-tls'],
    timeout: options['mail-timeout'],
  };
};

/** Starts sending, if a mail server is configured. */
export const startMail = async (parts: MailParts): Promise<Mail> => {
  const { options, ...rest } = parts;
  const send = options.plain ? null : sendRulesOf(options);
  if (send === null) return off;
  // Most services send no mail, and load nothing for it.
  const { startMailDispatcher } = await import('./dispatcher.ts');
  const dispatcher = startMailDispatcher({
    ...rest,
    send,
    public_url: options['public-url'],
    retry: {
      first: options['mail-first-retry'],
      longest: options['mail-longest-retry'],
      random: Math.random,
    },
    give_up: options['mail-give-up'],
    workers: options['mail-workers'],
    interval: options['mail-interval'],
    kept: options['mail-window'],
  });
  return { offered: true, wake: dispatcher.wake, stop: dispatcher.stop };
};
