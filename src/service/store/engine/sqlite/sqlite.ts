/**
 * The SQLite store, in WAL mode with synchronous=FULL: an acknowledged write is on disk. It has a read-only connection, a write
 * connection, and a third in a worker thread for slow reads (sqlite-reader.ts). Only one process uses the database (lock.ts),
 * so all writes form one queue.
 */
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { beginStamps } from '../change-clock.ts';
import { DatabaseUnavailable, type Db, type Store } from '../db.ts';
import { groupWrites } from '../group-commit.ts';
import { migrateToNewest } from '../migrate.ts';
import { damagedPages } from './page-check.ts';
import type { Database } from '../schema.ts';
import { ReaderDialect } from './sqlite-reader.ts';
import { type Expected, SqliteState, WaitingSqliteDialect } from './sqlite-waiting.ts';

/** Maximum number of prepared statements per connection. The oldest is evicted first. */
const STATEMENTS_MAX = 400;

/** Kysely prepares a statement for every query; this caches them. */
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

/** SQLite may block during the start, because there are no requests yet. In milliseconds. */
const OPEN_WITHIN = 5000;

const open = (path: string, readonly: boolean): SQLite.Database => {
  const db = new SQLite(path, { readonly });
  db.pragma(`busy_timeout = ${OPEN_WITHIN}`);
  db.pragma('foreign_keys = ON');
  if (!readonly) {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    // What was erased (decisions §21) must not stay in free pages of the file.
    db.pragma('secure_delete = ON');
    // Without these a commit on macOS may reach only the disk's cache. They have no effect on other systems.
    db.pragma('fullfsync = ON');
    db.pragma('checkpoint_fullfsync = ON');
  }
  return db;
};

const kysely = (db: SQLite.Database, state: SqliteState): Db =>
  new Kysely<Database>({ dialect: new WaitingSqliteDialect({ database: caching(db) }, state) });

/**
 * Opens the database in a folder, and creates or migrates it if needed. An existing folder is made private by `openDataDir`,
 * which checks whether it may be.
 * @param patience maximum wait of a statement for other processes, in milliseconds, before the database counts as unreachable
 * @param expected a process that is waited for longer
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
  const migrated = await migrateToNewest(writer);
  const reading = open(path, true);
  const read = kysely(reading, state);
  const long = new Kysely<Database>({ dialect: new ReaderDialect(path, state) });
  for (const db of [writing, reading]) db.pragma('busy_timeout = 0');

  const groups = groupWrites({
    connection: (run) => run(writer),
    begin: async (db) => {
      await sql`begin immediate`.execute(db);
      beginStamps(db);
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
    migrated,
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
      // Kysely never closes a connection that ran no query, and Windows cannot delete open files.
      for (const db of [reading, writing]) db.close();
    },
  };
};
