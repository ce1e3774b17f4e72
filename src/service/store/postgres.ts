/**
 * PostgreSQL, shared by any number of service processes. Nothing here needs more than row locks, so that CockroachDB,
 * YugabyteDB and Citus take the same SQL: no advisory locks, no triggers, no LISTEN.
 *
 * Order is kept per company: a write first locks its company's row, in whichever process it runs, so that rules which read
 * before they write (If-Match, numbering, idempotency keys) hold as they do on SQLite, while companies do not wait for
 * each other. Writes without a company lock the one row of `service_lock`, and so does a migration.
 */
import { Kysely, type PostgresPool, sql } from 'kysely';
import { DatabaseUnavailable, type Db, type Store, type StoreOptions } from './db.ts';
import { gatherRequests } from './gather.ts';
import { groupWrites } from './group.ts';
import { takeApart } from './ids.ts';
import { migrateToNewest } from './migrate.ts';
import { codeOf } from './postgres-errors.ts';
import { lender, limitsOf, openPool, SpotterDialect } from './postgres-dialect.ts';
import { makeSearchIndex } from './postgres-search.ts';
import type { Database } from './schema.ts';
import { within } from './within.ts';

/** The queue of writes that belong to no company. Ids start at 1. */
const SERVICE = 0;
/** Connections that take ids: each is held for one statement. */
const COUNTER_CONNECTIONS = 2;
const PING_TIMEOUT = 3000;

/** Another process made it at the same moment: `create if not exists` is not safe against that. */
const MADE_MEANWHILE = new Set(['23505', '42P07', '40001', '40P01']);

const makeServiceLock = async (db: Db): Promise<void> => {
  for (let tried = 0; ; tried += 1)
    try {
      await sql`create table if not exists service_lock (name text primary key)`.execute(db);
      await sql`insert into service_lock (name) values ('service') on conflict do nothing`.execute(
        db,
      );
      return;
    } catch (error) {
      if (tried >= 5 || !MADE_MEANWHILE.has(codeOf(error))) throw error;
    }
};

const lockService = async (db: Db): Promise<void> => {
  await sql`select name from service_lock where name = 'service' for update`.execute(db);
};

/** All of it in one transaction, one process at a time: the second finds nothing left to do. */
const migrate = async (db: Db): Promise<string | null> => {
  await makeServiceLock(db);
  return db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx);
    await sql`set local lock_timeout = 0`.execute(tx);
    await lockService(tx);
    await migrateToNewest(tx);
    return makeSearchIndex(tx);
  });
};

/** @param limits what the transaction sets for itself, where its connection is anybody's (`--database-pooler`) */
const begin = async (db: Db, company: number, limits: string): Promise<void> => {
  if (company === SERVICE) {
    await sql`begin isolation level read committed; ${sql.raw(limits)}`.execute(db);
    return lockService(db);
  }
  // One message for all: the way to the database and back is what a write waits for longest.
  await sql`
    begin isolation level read committed;
    ${sql.raw(limits)}
    select id from companies where id = ${sql.lit(company)} for no key update`.execute(db);
};

/** PostgreSQL answers the commit of a failed transaction with a rollback, and calls that a success. */
const commit = async (db: Db): Promise<void> => {
  const { rows } = await sql<{ command?: string }>`commit`.execute(db);
  if (rows[0]?.command === 'ROLLBACK') throw new Error('a failed statement was not noticed');
};

/** Tables that grow with every request. */
const GROWING = ['near_misses', 'idempotency_keys', 'events', 'uploads', 'near_miss_attachments'];
/** Commits of this process after which PostgreSQL looks at them: the first time, and the last; each time twice as many. */
const LOOKS = { first: 8, last: 8192 };

/**
 * PostgreSQL plans by what it knows of a table, looks at a new one after a minute or more, and until then may read all of it to find a row.
 * So it is asked to look while a table is young. Where that is not allowed it looks by itself, later.
 */
const lookEarly = (db: Db) => {
  let [commits, next] = [0, LOOKS.first];
  let looking: Promise<unknown> | null = null;
  return {
    committed: (): void => {
      commits += 1;
      if (commits < next || next > LOOKS.last || looking !== null) return;
      next *= 2;
      const tables = sql.join(GROWING.map((name) => sql.table(name)));
      looking = sql`analyze ${tables}`
        .execute(db)
        .catch(() => undefined)
        .finally(() => (looking = null));
    },
    settled: () => looking,
  };
};

/** Connects, and creates or migrates the tables where needed. The database itself must exist. */
export const openPostgres = async (options: StoreOptions): Promise<Store> => {
  const on = (pool: PostgresPool): Db =>
    new Kysely<Database>({ dialect: new SpotterDialect(pool) });
  const open = (max: number): Db => on(openPool(options, max));
  const read = open(options['database-pool']);
  gatherRequests(read);
  // A pooler may be anybody's program: it is asked for no more than one statement at a time.
  const writing = openPool(options, options['database-pool'], !options['database-pooler']);
  const writer = on(writing);
  const counters = open(COUNTER_CONNECTIONS);
  const close = async (): Promise<void> => {
    await Promise.all([read.destroy(), writer.destroy(), counters.destroy()]);
  };
  let without: string | null;
  try {
    without = await migrate(writer);
  } catch (error) {
    await close();
    throw error;
  }

  const statistics = lookEarly(read);
  const limits = options['database-pooler'] ? limitsOf(options, 'set local') : '';
  const lend = lender(writing);
  const groups = groupWrites({
    connection: (run) =>
      lend((db) => {
        takeApart(db, counters);
        return run(db);
      }),
    begin: (db, company) => begin(db, company, limits),
    commit: async (db) => {
      await commit(db);
      statistics.committed();
    },
    mayRunAgain: (error) => ['40001', '40P01'].includes(codeOf(error)),
    isLost: (error) => error instanceof DatabaseUnavailable,
  });

  return {
    shared: true,
    warnings:
      without === null
        ? []
        : [
            `searching reads every near miss of a project: the extensions pg_trgm and btree_gin are not there (${without})`,
          ],
    read,
    long: read,
    write: (work, company_id = SERVICE, beside) => groups.write(company_id, work, beside),
    ping: async () => {
      const answer = await within(
        PING_TIMEOUT,
        sql<{ one: number }>`select 1 as one`.execute(read),
        'the database',
      );
      return answer.rows[0]?.one === 1;
    },
    damaged: () => false,
    checkPages: () => Promise.resolve(null),
    close: async () => {
      await groups.settled();
      await statistics.settled();
      await close();
    },
  };
};
