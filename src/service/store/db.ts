/**
 * Opens the database. SQLite in WAL mode with synchronous=FULL: an answered write is on disk. Two connections: one that
 * only reads, one that only writes. All writes go through `write`, which commits those that wait together in one
 * transaction (group commit), each under a savepoint of its own, so that one fsync serves many requests.
 */
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { migrations } from './migrations/index.ts';
import type { Database } from './schema.ts';

/** Where a store function runs its SQL: the reading connection or a write's transaction. */
export type Db = Kysely<Database>;

export interface Store {
  /** Sees what is committed. */
  readonly read: Db;
  /**
   * Runs `work` in a transaction; it is durable when the promise resolves, and undone when it rejects. `work` must not
   * wait for anything but the database: others share its commit.
   */
  write<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  /** Does the database answer? */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

/** Statements kept ready per connection; more are prepared again when they come back. */
const STATEMENTS_MAX = 400;
/** Writes that share one commit at most. */
const GROUP_MAX = 64;

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

interface Waiting {
  readonly work: (tx: Db) => Promise<unknown>;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs one member of a group under its savepoint. Answers how to settle it once the group is committed. */
const runMember = async (tx: Db, member: Waiting): Promise<() => void> => {
  await sql`savepoint member`.execute(tx);
  try {
    const value = (await member.work(tx)) as never;
    await sql`release member`.execute(tx);
    return () => member.resolve(value);
  } catch (error) {
    await sql`rollback to member`.execute(tx);
    await sql`release member`.execute(tx);
    return () => member.reject(error);
  }
};

const runGroup = async (db: Db, group: readonly Waiting[]): Promise<void> => {
  const settle: (() => void)[] = [];
  try {
    await sql`begin immediate`.execute(db);
    for (const member of group) settle.push(await runMember(db, member));
    await sql`commit`.execute(db);
  } catch (error) {
    // The commit failed (disk full, I/O): nobody's write happened.
    await sql`rollback`.execute(db).catch(() => undefined);
    for (const member of group) member.reject(error);
    return;
  }
  for (const done of settle) done();
};

/** Opens (and where needed creates and migrates) the database in a folder, which is made private to its owner. */
export const openStore = async (dataDir: string): Promise<Store> => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  chmodSync(dataDir, 0o700);
  const path = join(dataDir, 'spotter.db');
  const writing = open(path, false);
  chmodSync(path, 0o600);
  const writer = kysely(writing);
  await migrate(writer);
  const read = kysely(open(path, true));

  let queue: Waiting[] = [];
  let running: Promise<void> | null = null;
  const drain = async (): Promise<void> => {
    // One turn of the loop lets the requests that arrived together join the first group.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.length > 0) {
      const group = queue.slice(0, GROUP_MAX);
      queue = queue.slice(GROUP_MAX);
      await runGroup(writer, group);
    }
    running = null;
  };

  return {
    read,
    write: <T>(work: (tx: Db) => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        queue.push({ work, resolve: resolve as (value: never) => void, reject });
        running ??= drain();
      }),
    ping: async () => {
      const answer = await sql<{ one: number }>`select 1 as one`.execute(read);
      return answer.rows[0]?.one === 1;
    },
    close: async () => {
      await running;
      await read.destroy();
      await writer.destroy();
    },
  };
};
