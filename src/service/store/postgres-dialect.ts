/**
 * Kysely's PostgreSQL dialect with what makes it answer as SQLite does (whole numbers as numbers, texts compared byte by byte)
 * and a pool with limits: connections, waiting, and time per statement.
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
import { DatabaseUnavailable, type Db, type StoreOptions } from './db.ts';
import { codeOf, told, unreachable } from './postgres-errors.ts';
import type { Database } from './schema.ts';

const INT8 = 20;
/** Waiting for a company's turn, or for a connection. */
const WAIT_TIMEOUT = 10_000;
const CONNECT_TIMEOUT = 5000;
/** Statements that may be kept prepared in each connection. */
const NAMES_MAX = 300;

/** Every number of ours is a safe integer; one that is not would silently be another. */
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

/** Texts in the byte order that SQLite has, whatever the database's language: the same order of every list. */
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

/** postgres.ts holds a row lock while it migrates; Kysely's own would be an advisory one. */
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

/** A statement seen twice is worth preparing: planning a list's joins takes longer than running them. */
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
    /** A migration changed what the statement answers: it is prepared anew under another name. */
    forget: (text: string): void => {
      turn += 1;
      seen.delete(text);
    },
  };
};

type Names = ReturnType<typeof statementNames>;

/** Nothing is prepared: the connection that would know it may be another's next time. */
const unnamed: Names = { of: () => null, forget: () => undefined };

const STALE_PLAN = '0A000';

/** Out of time, but the connection is as good as before. */
const STILL_USABLE = new Set(['57014', '55P03']);

const clientOf = (client: pg.PoolClient, names: Names): PostgresPoolClient => {
  let broken = false;
  /** A read just asks once more; a transaction is spoilt by the first failure, and is run again as a whole. */
  const again = async (text: string, values: readonly unknown[]) => {
    try {
      return (await client.query(text, [...values])) as unknown as PostgresQueryResult<never>;
    } catch (error) {
      if (codeOf(error) !== '25P02') throw told(error);
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
      const meant = told(error);
      broken ||= meant instanceof DatabaseUnavailable && !STILL_USABLE.has(codeOf(error));
      throw meant;
    }
  };
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy === true || broken),
  };
};

/** What each connection, or each transaction (`set local`), is told: how long anything may take. */
export const limitsOf = (
  { 'database-timeout': timeout }: StoreOptions,
  set: 'set' | 'set local',
): string =>
  `${set} statement_timeout = ${timeout}; ${set} lock_timeout = ${WAIT_TIMEOUT}; ` +
  `${set} idle_in_transaction_session_timeout = ${timeout};`;

/** @param pipeline each connection sends a statement without waiting for the answer to the one before */
export const openPool = (options: StoreOptions, max: number, pipeline = false): PostgresPool => {
  const timeout = options['database-timeout'];
  const pool = new pg.Pool({
    connectionString: options['database-url'],
    max,
    types,
    pipeline,
    application_name: 'spotter',
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    // The server ends a slow statement first; this is for a server that does not answer at all.
    query_timeout: timeout + 5000,
    keepAlive: true,
    allowExitOnIdle: true,
  });
  // An idle connection that breaks is replaced when the next is asked for; there is nobody to tell.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    // One that breaks between two statements of a transaction: the next statement fails, and is told.
    client.on('error', () => undefined);
    // Behind a pooler the connection is the next one's after each transaction: its role has such limits, or nobody.
    if (options['database-pooler']) return;
    client.query(limitsOf(options, 'set')).catch(() => undefined); // the query that follows fails for the same reason, and is told
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
 * Lends connections of a pool, one for as long as `run` takes. Kysely's own way sends one statement at a time on a connection it lends;
 * here what is asked in one turn is on its way together, in that order, and each statement waits for its own answer alone.
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
