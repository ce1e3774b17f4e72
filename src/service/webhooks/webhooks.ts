/** Assembles the webhooks of a running service: the functions for routes and rules, and the dispatcher (decisions §9). */
import type { Logger } from 'pino';
import type { JudgeUrl, Secrets } from '../domain/webhooks/webhook-ports.ts';
import type { Options } from '../options.ts';
import type { Store } from '../store/engine/db.ts';
import type { Moment } from '../store/webhooks/webhook-queue.ts';
import { judgeUrl } from './destination.ts';
import { readMorePorts } from './destination-ports.ts';
import { startDispatcher } from './dispatcher.ts';
import { resolver, type Resolve } from './guard.ts';
import { openSecrets } from './secrets.ts';

export interface Webhooks {
  readonly secrets: Secrets;
  readonly judgeUrl: JudgeUrl;
  /** Call it after a commit: there may be new events. */
  wake(): void;
  stop(): Promise<void>;
}

export interface WebhookParts {
  readonly options: Options;
  readonly store: Store;
  readonly now: () => number;
  readonly steady: () => number;
  /** The queue's clock, for backoff and leases; shared by all processes that send from this database. */
  readonly moment: () => Moment;
  /** The clock was set back since the last run. */
  readonly set_back: boolean;
  /** No other process sends from this database. */
  readonly alone: boolean;
  readonly log: Logger;
  /** Resolves names; defaults to the system's name servers. */
  readonly resolve?: Resolve;
}

/** Starts sending. @throws Error that says what is wrong with the webhook key */
export const startWebhooks = (parts: WebhookParts): Webhooks => {
  const { options, store, now, steady, log, resolve } = parts;
  const secrets = openSecrets(options['webhook-key'], options['data-dir']);
  const allow_private = options['allow-private-webhooks'];
  const destination = {
    allow_private,
    ports: readMorePorts(options['webhook-ports']) ?? new Set<number>(),
    resolve: resolve ?? resolver(allow_private),
  };
  const dispatcher = startDispatcher({
    store,
    secrets,
    now,
    steady,
    moment: parts.moment,
    set_back: parts.set_back,
    alone: parts.alone,
    log,
    plain: options.plain,
    send: {
      ...destination,
      timeout: options['webhook-timeout'],
      max_response: options['webhook-max-response'],
    },
    settle: {
      retry: {
        first: options['webhook-first-retry'],
        longest: options['webhook-longest-retry'],
        random: Math.random,
      },
      give_up: options['webhook-give-up'],
    },
    workers: options['webhook-workers'],
    interval: options['webhook-interval'],
    kept: options['webhook-deliveries-window'],
  });
  return {
    secrets,
    judgeUrl: (url) => judgeUrl(url, destination),
    wake: dispatcher.wake,
    stop: dispatcher.stop,
  };
};
