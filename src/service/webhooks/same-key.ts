/**
 * Is the key here the one that the hooks of this database were sealed with? Two processes with a data folder each, or a
 * database that came without its key, would else be found out by deliveries that fail one by one.
 */
import type { Logger } from 'pino';
import type { Secrets } from '../domain/webhook-ports.ts';
import type { Store } from '../store/db.ts';
import { findState, keepState } from '../store/uploads.ts';

const NAME = 'webhook_key';
const WORD = 'spotter';

const OTHER_KEY =
  'webhooks: this database has been used with another key. Hooks made with that one cannot be sent from here: give every process the same webhook.key or SPOTTER_WEBHOOK_KEY';

/** Keeps a word sealed with the first key that the database was used with, and warns where this key does not open it. */
export const warnOfOtherKey = async (
  store: Store,
  secrets: Secrets,
  log: Logger,
): Promise<void> => {
  const kept = await store.write(async (tx) => {
    await keepState(tx, NAME, secrets.seal(WORD, NAME));
    return (await findState(tx, NAME)) ?? '';
  });
  if (secrets.open(kept, NAME) !== WORD) log.warn(OTHER_KEY);
};
