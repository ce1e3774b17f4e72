/**
 * The interface of the database, for SQLite and PostgreSQL alike (open.ts). Code above store/ sees only this interface, and
 * every store function is written once for both databases.
 */
import type { Kysely } from 'kysely';
import type { Options } from '../../options.ts';
import type { Database } from './schema.ts';

/** A connection for a store function: the reader, or the transaction of a write. */
export type Db = Kysely<Database>;

/** The database is unreachable or refuses work for now: a 503 that clients may retry. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  readonly code = 'DATABASE_UNAVAILABLE';
}

export interface Store {
  /** True if other processes may use the same database. */
  readonly shared: boolean;
  readonly warnings: readonly string[];
  /** Names of the migrations that ran when the database was opened. */
  readonly migrated: readonly string[];
  /** Reads committed data. */
  readonly read: Db;
  /**
   * Also reads committed data, for slow statements: they do not block other requests. Runs one statement at a time. Same as
   * `read` if the database serves concurrent queries.
   */
  readonly long: Db;
  /**
   * Runs `work` in a transaction. The write is durable when the promise resolves, and rolled back when it rejects. `work` must
   * not wait for anything but the database, because other writes share its commit. It may run more than once, and only the last
   * run counts, so it must have no side effects outside the database.
   *
   * Writes of one company are serialized across all processes: what `work` reads in its company stays true until it commits.
   * Without a company, the write is serialized with the service's own writes (sweeps, seeds), and must not depend on data of a
   * company.
   *
   * `beside`: this work may run concurrently with other such work in the same transaction, because it depends on nothing they
   * change. Their queries of the same tick are then batched (batch.ts).
   */
  write<T>(work: (tx: Db) => Promise<T>, company_id?: number, beside?: boolean): Promise<T>;
  ping(): Promise<boolean>;
  /** True once a page could not be read. A copy must then be restored. */
  damaged(): boolean;
  /**
   * Checks every page without blocking requests. Returns the damage, or null if there is none. Always null on PostgreSQL, where
   * the server guards its own pages.
   */
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
