/** What every request handler is given: the parts of a running service, made once in index.ts. */
import type { Logger } from 'pino';
import type { Options } from './options.ts';
import type { Uploads } from './files/uploads.ts';
import type { Store } from './store/db.ts';
import type { Webhooks } from './webhooks/webhooks.ts';

/** Milliseconds since the epoch. Never goes back while the service runs (failures S25). */
export type Clock = () => number;

export interface App {
  readonly options: Options;
  readonly store: Store;
  readonly uploads: Uploads;
  readonly webhooks: Webhooks;
  readonly now: Clock;
  readonly log: Logger;
}
