/**
 * Chooses the database of a test's service. The project `service` uses SQLite in the service's data folder. `service-postgres`
 * runs the same files, each service on a fresh database of one real PostgreSQL. Tests inspect the database with `query`, in SQL
 * that both accept.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import pg from 'pg';
import { type Options, withDefaults } from '../../src/service/options.ts';
import { openStore } from '../../src/service/store/engine/open.ts';
import { databaseUrl } from './postgres-server.ts';

/** Environment variable with the socket of this run's PostgreSQL; set by postgres-setup.ts. */
export const SOCKET_VARIABLE = 'SPOTTER_TEST_POSTGRES_SOCKET';
/** Template that every test's database is copied from. */
export const TEMPLATE = 'spotter_template';

/** True in the project that runs on PostgreSQL. For behaviour that only one database has. */
export const onPostgres = process.env['SPOTTER_TEST_DATABASE'] === 'postgres';

/** SQLite's file in the data folder. */
const FILE = 'spotter.db';

type Row = Readonly<Record<string, unknown>>;

export interface TestDatabase {
  /** Service options that select this database. */
  readonly options: Partial<Options>;
  /** The same as command-line arguments. */
  readonly argv: readonly string[];
  /** Runs one statement on a separate connection. Counts and ids are returned as numbers. */
  query(text: string): Promise<readonly Row[]>;
  /** Removes the tables, so that the next start creates them. The service must not have started. */
  empty(): Promise<void>;
  /** Deletes the database. The service must have stopped. */
  drop(): Promise<void>;
}

const sqlite = (dataDir: string): TestDatabase => ({
  options: {},
  argv: [],
  query: (text) => {
    const db = new SQLite(join(dataDir, FILE));
    try {
      const statement = db.prepare(text);
      if (statement.reader) return Promise.resolve(statement.all() as Row[]);
      statement.run();
      return Promise.resolve([]);
    } finally {
      db.close();
    }
  },
  // The file does not exist before the first start.
  empty: () => Promise.resolve(),
  drop: () => Promise.resolve(),
});

const types = {
  getTypeParser: (oid: number) => (oid === 20 ? Number : pg.types.getTypeParser(oid)),
} as pg.CustomTypesConfig;

const ask = async (connectionString: string, text: string): Promise<readonly Row[]> => {
  const client = new pg.Client({ connectionString, types });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
};

const postgres = async (): Promise<TestDatabase> => {
  const socket = process.env[SOCKET_VARIABLE] ?? '';
  const name = `t_${randomUUID().replaceAll('-', '')}`;
  const admin = databaseUrl(socket, 'postgres');
  await ask(admin, `create database ${name} template ${TEMPLATE} strategy file_copy`);
  const url = databaseUrl(socket, name);
  return {
    options: { 'database-url': url, 'database-pool': 4 },
    argv: ['--database-url', url, '--database-pool', '4'],
    query: (text) => ask(url, text),
    empty: async () => {
      await ask(url, 'drop schema public cascade; create schema public');
    },
    drop: async () => {
      await ask(admin, `drop database ${name} with (force)`);
    },
  };
};

const makeEmpty = async (): Promise<Buffer> => {
  const folder = mkdtempSync(join(tmpdir(), 'spotter-empty-'));
  try {
    await (await openStore(withDefaults({ 'data-dir': folder }))).close();
    return readFileSync(join(folder, FILE));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
let empty: Promise<Buffer> | undefined;

/**
 * Copies a migrated, empty SQLite database into a fresh data folder, because migrations take most of the start time. A folder
 * that already has a database keeps it. A path that is not a folder is left for the service to refuse.
 */
export const migratedInto = async (dataDir: string): Promise<void> => {
  const isFolder = statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() === true;
  if (onPostgres || !isFolder || existsSync(join(dataDir, FILE))) return;
  empty ??= makeEmpty();
  writeFileSync(join(dataDir, FILE), await empty, { flag: 'wx', mode: 0o600 });
};

const opened = new Map<string, Promise<TestDatabase>>();

/** The database of the service with this data folder. It is the same for every start, and migrated and empty at first. */
export const databaseOf = (dataDir: string): Promise<TestDatabase> => {
  if (!onPostgres) return Promise.resolve(sqlite(dataDir));
  const known = opened.get(dataDir) ?? postgres();
  opened.set(dataDir, known);
  return known;
};
