/**
 * What becomes of a statement while another process holds the SQLite database (a backup tool, a virus scanner, a `token`
 * command). SQLite itself would wait inside the call, and with it every request of this process. Here the statement is
 * tried again from time to time, and others are answered meanwhile; an `import` is waited for. When that has gone on for too long the database counts
 * as unreachable, and what comes then is told so at once (failures S29). A damaged page is remembered, for `/healthz`.
 */
import { setTimeout as pause } from 'node:timers/promises';
import {
  SqliteAdapter,
  SqliteDialect,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type SqliteDialectConfig,
} from 'kysely';
import { DatabaseUnavailable } from './db.ts';

const FIRST_PAUSE = 5;
const LONGEST_PAUSE = 100;

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');
const isBusy = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(codeOf(error));
const isDamage = (error: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error));

/** Who may hold the database for longer than others: somebody waits for that one with more patience. */
export interface Expected {
  /** Milliseconds. */
  readonly patience: number;
  /** Does it run now? */
  readonly is: () => boolean;
}

/** What both connections of one database have seen. */
export class SqliteState {
  /** A page could not be read, by a request or by the look at every page. */
  damaged = false;
  readonly #patience: number;
  readonly #expected: Expected | null;
  #busySince: number | null = null;

  /** @param patience milliseconds that a statement waits for others, counted from the first that had to */
  constructor(patience: number, expected: Expected | null = null) {
    this.#patience = patience;
    this.#expected = expected;
  }

  /** Is it worth waiting longer? */
  #goesOn(waited: number): boolean {
    if (waited < this.#patience) return true;
    const { patience = 0, is = () => false } = this.#expected ?? {};
    return waited < patience && is();
  }

  async run<T>(statement: () => Promise<T>): Promise<T> {
    for (let wait = FIRST_PAUSE; ; wait = Math.min(wait * 2, LONGEST_PAUSE))
      try {
        const result = await statement();
        this.#busySince = null;
        return result;
      } catch (error) {
        if (isDamage(error)) this.damaged = true;
        if (!isBusy(error)) throw error;
        this.#busySince ??= performance.now();
        if (!this.#goesOn(performance.now() - this.#busySince))
          throw new DatabaseUnavailable('another process holds the database', { cause: error });
        await pause(wait);
      }
  }
}

class WaitingConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection;
  readonly #state: SqliteState;

  constructor(inner: DatabaseConnection, state: SqliteState) {
    this.inner = inner;
    this.#state = state;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#state.run(() => this.inner.executeQuery<R>(query));
  }

  streamQuery<R>(query: CompiledQuery, size: number): AsyncIterableIterator<QueryResult<R>> {
    return this.inner.streamQuery<R>(query, size);
  }
}

/** A driver each of whose statements waits. */
export const waitingDriver = (driver: Driver, state: SqliteState): Driver => ({
  init: () => driver.init(),
  acquireConnection: async () => new WaitingConnection(await driver.acquireConnection(), state),
  beginTransaction: (connection, settings) => driver.beginTransaction(connection, settings),
  commitTransaction: (connection) => driver.commitTransaction(connection),
  rollbackTransaction: (connection) =>
    driver.rollbackTransaction(connection).catch((error: unknown) => {
      // A full disk has ended it already, and is what shall be told.
      if (!/no transaction is active/.test(String(error))) throw error;
    }),
  releaseConnection: (connection) =>
    driver.releaseConnection((connection as WaitingConnection).inner),
  destroy: () => driver.destroy(),
});

/** Kysely migrates SQLite a statement at a time, and what dies amid that is left with half of it. SQLite takes all of it in one transaction. */
class MigratingAsOneAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

export class WaitingSqliteDialect extends SqliteDialect {
  readonly #state: SqliteState;

  constructor(config: SqliteDialectConfig, state: SqliteState) {
    super(config);
    this.#state = state;
  }

  override createAdapter(): SqliteAdapter {
    return new MigratingAsOneAdapter();
  }

  override createDriver(): Driver {
    return waitingDriver(super.createDriver(), this.#state);
  }
}
