/** What every request handler is given: the parts of a running service, made once in index.ts. */
import type { Logger } from 'pino';
import type { Clock } from './clocks.ts';
import type { Options } from './options.ts';
import type { Uploads } from './files/uploads.ts';
import type { Store } from './store/db.ts';
import type { Moment } from './store/webhook-queue.ts';
import type { Webhooks } from './webhooks/webhooks.ts';

export interface App {
  readonly options: Options;
  readonly store: Store;
  readonly uploads: Uploads;
  readonly webhooks: Webhooks;
  /** The machine's clock: for what people read. It may be put back. */
  readonly now: Clock;
  /** Never goes back: for what waits or ends (clocks.ts). */
  readonly steady: Clock;
  /** For what processes that share a database wait for together (webhooks). */
  readonly moment: () => Moment;
  readonly log: Logger;
}
