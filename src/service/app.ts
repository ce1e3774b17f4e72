/** The parts of a running service, created once in index.ts and passed to every request handler. */
import type { Logger } from 'pino';
import type { Clock } from './clocks.ts';
import type { IdentityProvider } from './domain/access/sign-in.ts';
import type { Mail } from './mail/mail.ts';
import type { Options } from './options.ts';
import type { Erasures } from './erasures.ts';
import type { RetentionSweeper } from './retention.ts';
import type { Uploads } from './files/uploads.ts';
import type { Store } from './store/engine/db.ts';
import type { Moment } from './store/webhooks/webhook-queue.ts';
import type { Webhooks } from './webhooks/webhooks.ts';

export interface App {
  readonly options: Options;
  readonly store: Store;
  readonly uploads: Uploads;
  readonly webhooks: Webhooks;
  /** Null if users sign in with tokens and codes alone. */
  readonly identity_provider: IdentityProvider | null;
  readonly mail: Mail;
  readonly retention: RetentionSweeper;
  readonly erasures: Erasures;
  /** The wall clock, for times that people read. It may go back. */
  readonly now: Clock;
  /** A clock that never goes back, for waiting and expiry (clocks.ts). */
  readonly steady: Clock;
  /** The clock shared by all processes on one database, for backoff and leases of webhooks. */
  readonly moment: () => Moment;
  readonly log: Logger;
  /** True once the service was asked to stop, while it still answers. */
  readonly stopping: () => boolean;
}
