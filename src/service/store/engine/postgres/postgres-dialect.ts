/**
 * Kysely's PostgreSQL dialect, adapted to return the same results as SQLite: integers as numbers, texts compared byte by byte.
 * Also the connection pool, with limits on connections, waiting time and statement time.
 */
import { createHash } from 'node:crypto';
import {
  ColumnDefinitionNode,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresQueryCompiler,
  type DataTypeNode,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely';
import pg from 'pg';
import { DatabaseUnavailable, type Db, type StoreOptions } from '../db.ts';
import { codeOf, translated, unreachable } from './postgres-errors.ts';
import type { Database } from '../schema.ts';

const INT8 = 20;
/** Maximum wait for a company's row lock, in milliseconds. */
const WAIT_TIMEOUT = 10_000;
const CONNECT_TIMEOUT = 5000;
const NAMES_MAX = 300;

/** All our integers are safe. An unsafe one would silently change its value. */
const safeInteger = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error('a number of the database is out of range');
  return value;
};

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8
      ? safeInteger
      : format === 'binary'
        ? pg.types.getTypeParser(oid, 'binary')
        : pg.types.getTypeParser(oid)) as pg.CustomTypesConfig['getTypeParser'],
};

/** Compares texts in byte order, as SQLite does, whatever the database's locale. Lists then have the same order on both. */
class ByteOrderCompiler extends PostgresQueryCompiler {
  protected override visitDataType(node: DataTypeNode): void {
    super.visitDataType(node);
    if (
      node.dataType === 'text' &&
      this.parentNode !== undefined &&
      ColumnDefinitionNode.is(this.parentNode)
    )
      this.append(' collate "C"');
  }
}

/** Disables Kysely's migration lock, which is an advisory lock. postgres.ts holds a row lock instead. */
class RowLockAdapter extends PostgresAdapter {
  override acquireMigrationLock(): Promise<void> {
    return Promise.resolve();
  }
  override releaseMigrationLock(): Promise<void> {
    return Promise.resolve();
  }
}

export class SpotterDialect extends PostgresDialect {
  constructor(pool: PostgresPool) {
    super({ pool });
  }
  override createQueryCompiler(): ByteOrderCompiler {
    return new ByteOrderCompiler();
  }
  override createAdapter(): RowLockAdapter {
    return new RowLockAdapter();
  }
}

/** Prepares a statement from its second use: planning the joins of a list takes longer than running them. */
const statementNames = () => {
  const seen = new Map<string, string | null>();
  let turn = 0;
  return {
    of: (text: string): string | null => {
      const name = seen.get(text);
      if (name === undefined) {
        if (seen.size < NAMES_MAX) seen.set(text, null);
        return null;
      }
      if (name !== null) return name;
      const fresh = `${createHash('sha1').update(text).digest('hex').slice(0, 20)}_${turn}`;
      seen.set(text, fresh);
      return fresh;
    },
    /** A migration changed the statement's result columns, so it must be prepared again under a new name. */
    forget: (text: string): void => {
      turn += 1;
      seen.delete(text);
    },
  };
};

type Names = ReturnType<typeof statementNames>;

/** Prepares nothing, because a pooler may switch connections between transactions. */
const unnamed: Names = { of: () => null, forget: () => undefined };

const STALE_PLAN = '0A000';

/** Timeouts that leave the connection usable. */
const STILL_USABLE = new Set(['57014', '55P03']);

const clientOf = (client: pg.PoolClient, names: Names): PostgresPoolClient => {
  let broken = false;
  /**
   * Retries without a prepared statement. Outside a transaction this succeeds. In a transaction the first failure spoils it, so
   * the error requests a retry of the whole transaction.
   */
  const again = async (text: string, values: readonly unknown[]) => {
    try {
      return (await client.query(text, [...values])) as unknown as PostgresQueryResult<never>;
    } catch (error) {
      if (codeOf(error) !== '25P02') throw translated(error);
      throw Object.assign(new Error('a prepared statement is stale'), { code: '40001' });
    }
  };
  const query = async (text: string, values: readonly unknown[]) => {
    const name = values.length === 0 ? null : names.of(text);
    try {
      const asked = { text, values: [...values], ...(name === null ? {} : { name }) };
      return (await client.query(asked)) as unknown as PostgresQueryResult<never>;
    } catch (error) {
      if (name !== null && codeOf(error) === STALE_PLAN) {
        names.forget(text);
        return await again(text, values);
      }
      const meant = translated(error);
      broken ||= meant instanceof DatabaseUnavailable && !STILL_USABLE.has(codeOf(error));
      throw meant;
    }
  };
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy === true || broken),
  };
};

/** The timeouts of a connection (`set`) or of one transaction (`set local`). */
export const limitsOf = (
  { 'database-timeout': timeout }: StoreOptions,
  set: 'set' | 'set local',
): string =>
  `${set} statement_timeout = ${timeout}; ${set} lock_timeout = ${WAIT_TIMEOUT}; ` +
  `${set} idle_in_transaction_session_timeout = ${timeout};`;

/** @param pipeline send statements without waiting for the response to the previous one */
export const openPool = (options: StoreOptions, max: number, pipeline = false): PostgresPool => {
  const timeout = options['database-timeout'];
  const pool = new pg.Pool({
    connectionString: options['database-url'],
    max,
    types,
    pipeline,
    application_name: 'spotter',
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    // A fallback for a server that does not respond at all. Otherwise statement_timeout fires first.
    query_timeout: timeout + 5000,
    keepAlive: true,
    allowExitOnIdle: true,
  });
  // The pool replaces a broken idle connection on demand, so the error needs no handling.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    // A connection broke between two statements of a transaction. The next statement reports the error.
    client.on('error', () => undefined);
    // A pooler hands the connection to another client after each transaction, so session settings would leak. Writes set the
    // limits per transaction; for reads the operator sets them on the role.
    if (options['database-pooler']) return;
    client.query(limitsOf(options, 'set')).catch(() => undefined); // the next query fails for the same reason and reports it
  });
  const names = options['database-pooler'] ? unnamed : statementNames();
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    connect: async () => {
      let client: pg.PoolClient;
      try {
        client = await pool.connect();
      } catch (error) {
        throw unreachable(error);
      }
      const known = clients.get(client) ?? clientOf(client, names);
      clients.set(client, known);
      return known;
    },
    end: () => pool.end(),
  };
};

/**
 * Lends one connection of a pool until `run` ends. Kysely's own connections send one statement at a time. Here the statements
 * of one tick are sent together, in order, and each awaits only its own result.
 */
export const lender = (pool: PostgresPool) => {
  const known = new WeakMap<PostgresPoolClient, Db>();
  const handleOf = (client: PostgresPoolClient): Db => {
    const lent = { query: client.query, release: () => undefined } as PostgresPoolClient;
    const only: PostgresPool = {
      options: pool.options,
      connect: () => Promise.resolve(lent),
      end: () => Promise.resolve(),
    };
    return new Kysely<Database>({ dialect: new SpotterDialect(only) });
  };
  return async (run: (db: Db) => Promise<void>): Promise<void> => {
    const client = await pool.connect();
    try {
      const db = known.get(client) ?? handleOf(client);
      known.set(client, db);
      await run(db);
    } finally {
      client.release();
    }
  };
};
