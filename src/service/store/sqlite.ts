/**
 * SQLite in WAL mode with synchronous=FULL: an answered write is on disk. Two connections: one that only reads, one that
 * only writes. One process at a time (lock.ts), so all writes are one queue.
 */
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Db, Store } from './db.ts';
import { groupWrites } from './group.ts';
import { migrations } from './migrations/index.ts';
import type { Database } from './schema.ts';

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

const open = (path: string, readonly: boolean): SQLite.Database => {
  const db = new SQLite(path, { readonly });
  db.pragma('busy_timeout = 5000');
  db.pragma('foreign_keys = ON');
  if (!readonly) {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
  }
  return db;
};

const kysely = (db: SQLite.Database): Db =>
  new Kysely<Database>({ dialect: new SqliteDialect({ database: caching(db) }) });

const migrate = async (db: Db): Promise<void> => {
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
  }).migrateToLatest();
  if (error) throw error instanceof Error ? error : new Error('the database could not be migrated');
};

/** Opens (and where needed creates and migrates) the database in a folder, which is made private to its owner. */
export const openSqlite = async (dataDir: string): Promise<Store> => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  chmodSync(dataDir, 0o700);
  const path = join(dataDir, 'spotter.db');
  const writing = open(path, false);
  chmodSync(path, 0o600);
  const writer = kysely(writing);
  await migrate(writer);
  const read = kysely(open(path, true));

  const groups = groupWrites({
    connection: (run) => run(writer),
    begin: async (db) => {
      await sql`begin immediate`.execute(db);
    },
    commit: async (db) => {
      await sql`commit`.execute(db);
    },
    mayRunAgain: () => false,
    isLost: () => false,
  });

  return {
    shared: false,
    read,
    write: (work) => groups.write(0, work),
    ping: async () => {
      const answer = await sql<{ one: number }>`select 1 as one`.execute(read);
      return answer.rows[0]?.one === 1;
    },
    close: async () => {
      await groups.settled();
      await read.destroy();
      await writer.destroy();
    },
  };
};
