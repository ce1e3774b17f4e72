/**
 * Retries statements with backoff while another process holds the SQLite database (a backup tool, a virus scanner, a `token`
 * command). SQLite's own busy timeout would block the thread and every request. An `import` is waited for longer. After the
 * limit the database counts as unreachable and later statements fail at once (failures S29). A damaged page is remembered for
 * `/healthz`.
 */
import { setTimeout as pause } from 'node:timers/promises';
import {
  SqliteAdapter,
  SqliteDialect,
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type SqliteDialectConfig,
} from 'kysely';
import { DatabaseUnavailable } from '../db.ts';

const FIRST_PAUSE = 5;
const LONGEST_PAUSE = 100;

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');
const isBusy = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(codeOf(error));
const isDamage = (error: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error));

/** A process that may hold the database for longer than usual. */
export interface Expected {
  /** Milliseconds. */
  readonly patience: number;
  readonly is: () => boolean;
}

/** State shared by the connections of one database. */
export class SqliteState {
  /** True once a request or the page check could not read a page. */
  damaged = false;
  readonly #patience: number;
  readonly #expected: Expected | null;
  #busySince: number | null = null;

  /** @param patience maximum wait for other processes in milliseconds, counted from the first statement that had to wait */
  constructor(patience: number, expected: Expected | null = null) {
    this.#patience = patience;
    this.#expected = expected;
  }

  /** True if another retry is within the limit. */
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

/** Wraps a driver so that each statement retries while the database is busy. */
export const waitingDriver = (driver: Driver, state: SqliteState): Driver => ({
  init: () => driver.init(),
  acquireConnection: async () => new WaitingConnection(await driver.acquireConnection(), state),
  beginTransaction: (connection, settings) => driver.beginTransaction(connection, settings),
  commitTransaction: (connection) => driver.commitTransaction(connection),
  rollbackTransaction: (connection) =>
    driver.rollbackTransaction(connection).catch((error: unknown) => {
      // A full disk has already ended the transaction. The caller should see that error, not this one.
      if (!/no transaction is active/.test(String(error))) throw error;
    }),
  releaseConnection: (connection) =>
    driver.releaseConnection((connection as WaitingConnection).inner),
  destroy: () => driver.destroy(),
});

/**
 * Runs all migrations in one transaction, which SQLite supports. Kysely runs them one statement at a time on SQLite, so a crash
 * would leave half of them.
 */
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
    return {
      ...waitingDriver(super.createDriver(), this.#state),
      // A migration reads before it writes. If another process wrote in between, its write would be refused for ever.
      beginTransaction: async (connection) => {
        await connection.executeQuery(CompiledQuery.raw('begin immediate'));
      },
    };
  }
}
