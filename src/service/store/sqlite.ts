/**
 * SQLite in WAL mode with synchronous=FULL: an answered write is on disk. Two connections: one that only reads, one that
 * only writes, and in a thread a third, for what may take long to read (sqlite-reader.ts). One process at a time (lock.ts), so all writes are one queue.
 */
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { DatabaseUnavailable, type Db, type Store } from './db.ts';
import { groupWrites } from './group.ts';
import { migrateToNewest } from './migrate.ts';
import { damagedPages } from './page-check.ts';
import type { Database } from './schema.ts';
import { ReaderDialect } from './sqlite-reader.ts';
import { type Expected, SqliteState, WaitingSqliteDialect } from './sqlite-waiting.ts';

/** Statements kept ready per connection; more are prepared again when they come back. */
const STATEMENTS_MAX = 400;

/** Kysely asks for a statement on every query; this keeps them. */
const caching = (db: SQLite.Database) => {
  const ready = new Map<string, SQLite.Statement<unknown[]>>();
  return {
    prepare: (text: string) => {
      let statement = ready.get(text);
      if (!statement) {
        if (ready.size >= STATEMENTS_MAX) ready.delete(ready.keys().next().value ?? '');
        statement = db.prepare<unknown[]>(text);
        ready.set(text, statement);
      }
      return {
        reader: statement.reader,
        all: (parameters: readonly unknown[]) => statement.all(...parameters),
        run: (parameters: readonly unknown[]) => statement.run(...parameters),
        iterate: (parameters: readonly unknown[]) =>
          statement.iterate(...parameters) as IterableIterator<unknown>,
      };
    },
    close: () => {
      db.close();
    },
  };
};

/** At start SQLite itself may wait: nobody is served yet. */
const OPEN_WITHIN = 5000;

const open = (path: string, readonly: boolean): SQLite.Database => {
  const db = new SQLite(path, { readonly });
  db.pragma(`busy_timeout = ${OPEN_WITHIN}`);
  db.pragma('foreign_keys = ON');
  if (!readonly) {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    // macOS: without these a commit is in the disk's own cache only. Elsewhere they change nothing.
    db.pragma('fullfsync = ON');
    db.pragma('checkpoint_fullfsync = ON');
  }
  return db;
};

const kysely = (db: SQLite.Database, state: SqliteState): Db =>
  new Kysely<Database>({ dialect: new WaitingSqliteDialect({ database: caching(db) }, state) });

/**
 * Opens (and where needed creates and migrates) the database in a folder; one that is there is closed to others by `openDataDir`, who judges whether it may be.
 * @param patience milliseconds that a statement waits for another process, before the database counts as unreachable
 * @param expected whom it waits for longer
 */
export const openSqlite = async (
  dataDir: string,
  patience: number,
  expected: Expected | null = null,
): Promise<Store> => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'spotter.db');
  const writing = open(path, false);
  chmodSync(path, 0o600);
  const state = new SqliteState(patience, expected);
  const writer = kysely(writing, state);
  await migrateToNewest(writer);
  const reading = open(path, true);
  const read = kysely(reading, state);
  const long = new Kysely<Database>({ dialect: new ReaderDialect(path, state) });
  for (const db of [writing, reading]) db.pragma('busy_timeout = 0');

  const groups = groupWrites({
    connection: (run) => run(writer),
    begin: async (db) => {
      await sql`begin immediate`.execute(db);
    },
    commit: async (db) => {
      await sql`commit`.execute(db);
    },
    mayRunAgain: () => false,
    isLost: (error) => error instanceof DatabaseUnavailable,
  });

  return {
    shared: false,
    warnings: [],
    read,
    long,
    write: (work, _company_id, beside) => groups.write(0, work, beside),
    ping: async () => {
      const answer = await sql<{ one: number }>`select 1 as one`.execute(read);
      return answer.rows[0]?.one === 1 && !state.damaged;
    },
    damaged: () => state.damaged,
    checkPages: async (signal) => {
      const damage = await damagedPages(path, signal);
      if (damage !== null) state.damaged = true;
      return damage;
    },
    close: async () => {
      await groups.settled();
      await long.destroy();
      await read.destroy();
      await writer.destroy();
      // Kysely closes no connection that was never asked, and on Windows nobody can remove a file that is open.
      for (const db of [reading, writing]) db.close();
    },
  };
};
