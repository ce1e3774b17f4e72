/**
 * Detects a webhook key other than the one this database's hooks were sealed with. It happens with two processes and
 * separate data folders, or with a database moved without its key. Otherwise only failing deliveries would reveal it.
 */
import type { Logger } from 'pino';
import type { Secrets } from '../domain/webhooks/webhook-ports.ts';
import type { Store } from '../store/engine/db.ts';
import { findState, keepState } from '../store/uploads.ts';

const NAME = 'webhook_key';
const WORD = 'spotter';

const OTHER_KEY =
  'webhooks: this database has been used with another key. Hooks made with that one cannot be sent from here: give every process the same webhook.key or SPOTTER_WEBHOOK_KEY';

/** Stores a word sealed with the first key used on this database, and warns if the present key does not open it. */
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
