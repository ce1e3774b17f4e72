/**
 * What the database behind the service is to it, whichever it is (open.ts). Everything above store/ sees only this, and every store function is written once for both.
 */
import type { Kysely } from 'kysely';
import type { Options } from '../options.ts';
import type { Database } from './schema.ts';

/** Where a store function runs its SQL: the reading connection or a write's transaction. */
export type Db = Kysely<Database>;

/** The database cannot be reached, or gives up for now: a 503, and worth trying again. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  readonly code = 'DATABASE_UNAVAILABLE';
}

export interface Store {
  /** May other processes work on the same database? */
  readonly shared: boolean;
  /** What an operator may want to know of how it was opened. */
  readonly warnings: readonly string[];
  /** Sees what is committed. */
  readonly read: Db;
  /** The same for what may take long: nobody else waits for it meanwhile. One statement at a time; `read` where the database serves many at once. */
  readonly long: Db;
  /**
   * Runs `work` in a transaction; it is durable when the promise resolves, and undone when it rejects. `work` must not
   * wait for anything but the database: others share its commit. It may be run more than once (only the last run
   * counts), so it must leave nothing behind outside the database.
   *
   * Writes of one company happen one after the other, over all processes: what `work` reads in its company stays true
   * until it commits. Without a company it has its turn among the service's own writes instead (sweeps, seeds), and must
   * not rest on what it reads of a company.
   *
   * `beside`: this work may run beside others of the kind in the same transaction, because it rests on nothing that they
   * change. What they ask for in the same turn is then asked together (gather.ts).
   */
  write<T>(work: (tx: Db) => Promise<T>, company_id?: number, beside?: boolean): Promise<T>;
  /** Does the database answer? */
  ping(): Promise<boolean>;
  /** Has a page been found that cannot be read? Then a copy must be restored. */
  damaged(): boolean;
  /** Looks at every page, beside everything else; answers what is wrong, null where nothing is. Where a server keeps them: nothing. */
  checkPages(signal: AbortSignal): Promise<string | null>;
  close(): Promise<void>;
}

export type StoreOptions = Pick<
  Options,
  | 'data-dir'
  | 'database-url'
  | 'database-pool'
  | 'database-timeout'
  | 'database-pooler'
  | 'database-busy-timeout'
  | 'import-wait'
>;
