/**
 * The PostgreSQL store, shared by any number of service processes. It uses only row locks, so that CockroachDB, YugabyteDB and
 * Citus accept the same SQL: no advisory locks, no triggers, no LISTEN.
 *
 * Writes are serialized per company: each first locks its company's row. Rules that read before they write (If-Match,
 * numbering, idempotency keys) therefore hold across processes, as they do on SQLite, and companies do not block each other.
 * Writes without a company lock the single row of `service_lock`, as do migrations.
 */
import { Kysely, type PostgresPool, sql } from 'kysely';
import { DatabaseUnavailable, type Db, type Store, type StoreOptions } from '../db.ts';
import { gatherRequests } from '../batch.ts';
import { beginStamps } from '../change-clock.ts';
import { groupWrites } from '../group-commit.ts';
import { takeApart } from '../ids.ts';
import { migrateToNewest } from '../migrate.ts';
import { codeOf } from './postgres-errors.ts';
import { lender, limitsOf, openPool, SpotterDialect } from './postgres-dialect.ts';
import { makeSearchIndex } from './postgres-search.ts';
import type { Database } from '../schema.ts';
import { within } from '../with-timeout.ts';

/** The queue of writes without a company. Company ids start at 1. */
const SERVICE = 0;
/** Connections that take ids. Each is held for one statement. */
const COUNTER_CONNECTIONS = 2;
const PING_TIMEOUT = 3000;

/** Another process created the table at the same moment: `create if not exists` is not safe against that. */
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

/** Migrates in one transaction, one process at a time. The second process finds nothing left to do. */
const migrate = async (
  db: Db,
): Promise<{ readonly migrated: readonly string[]; readonly without: string | null }> => {
  await makeServiceLock(db);
  return db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx);
    await sql`set local lock_timeout = 0`.execute(tx);
    await lockService(tx);
    const migrated = await migrateToNewest(tx);
    return { migrated, without: await makeSearchIndex(tx) };
  });
};

/** @param limits the transaction's own timeouts, if its connection is shared through a pooler (`--database-pooler`) */
const begin = async (db: Db, company: number, limits: string): Promise<void> => {
  beginStamps(db);
  if (company === SERVICE) {
    await sql`begin isolation level read committed; ${sql.raw(limits)}`.execute(db);
    return lockService(db);
  }
  // One message for all statements: round trips dominate the duration of a write.
  await sql`
    begin isolation level read committed;
    ${sql.raw(limits)}
    select id from companies where id = ${sql.lit(company)} for no key update`.execute(db);
};

/** PostgreSQL answers the commit of a failed transaction with a successful ROLLBACK. */
const commit = async (db: Db): Promise<void> => {
  const { rows } = await sql<{ command?: string }>`commit`.execute(db);
  if (rows[0]?.command === 'ROLLBACK') throw new Error('a failed statement was not noticed');
};

/** Tables that grow with every request. */
const GROWING = ['near_misses', 'idempotency_keys', 'events', 'uploads', 'near_miss_attachments'];
/** Number of commits of this process before the first and the last `analyze`. The number doubles each time. */
const LOOKS = { first: 8, last: 8192 };

/**
 * Runs `analyze` early. Autovacuum first collects statistics after a minute or more, and until then the planner may scan whole
 * tables. A failure (such as a missing permission) is harmless, because autovacuum follows later.
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

/** Connects, and creates or migrates the tables. The database itself must exist. */
export const openPostgres = async (options: StoreOptions): Promise<Store> => {
  const on = (pool: PostgresPool): Db =>
    new Kysely<Database>({ dialect: new SpotterDialect(pool) });
  const open = (max: number): Db => on(openPool(options, max));
  const read = open(options['database-pool']);
  gatherRequests(read);
  // No pipelining behind a pooler: not every pooler supports it.
  const writing = openPool(options, options['database-pool'], !options['database-pooler']);
  const writer = on(writing);
  const counters = open(COUNTER_CONNECTIONS);
  const close = async (): Promise<void> => {
    await Promise.all([read.destroy(), writer.destroy(), counters.destroy()]);
  };
  const { migrated, without } = await migrate(writer).catch(async (error: unknown) => {
    await close();
    throw error;
  });

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
    migrated,
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
