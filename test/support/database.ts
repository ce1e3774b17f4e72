/**
 * Which database the service of a test runs on. The project `service` has SQLite in the service's data folder;
 * `service-postgres` runs the same files, each service on a fresh database of one real PostgreSQL. Tests that look into
 * the database do it by `query`, in SQL that both take.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import pg from 'pg';
import { type Options, withDefaults } from '../../src/service/options.ts';
import { openStore } from '../../src/service/store/open.ts';
import { databaseUrl } from './postgres-server.ts';

/** Where the PostgreSQL of this run listens; set by postgres-setup.ts. */
export const SOCKET_VARIABLE = 'SPOTTER_TEST_POSTGRES_SOCKET';
/** Every test's database is a copy of this one. */
export const TEMPLATE = 'spotter_template';

/** Does this project run on PostgreSQL? For what is true of one database only. */
export const onPostgres = process.env['SPOTTER_TEST_DATABASE'] === 'postgres';

/** SQLite's, in the data folder. */
const FILE = 'spotter.db';

export type Row = Readonly<Record<string, unknown>>;

export interface TestDatabase {
  /** What the service is started with to run on it. */
  readonly options: Partial<Options>;
  /** The same for the command line. */
  readonly argv: readonly string[];
  /** Runs one statement beside the service. Counts and ids come as numbers. */
  query(text: string): Promise<readonly Row[]>;
  /** Removes it. The service must have stopped. */
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
 * A fresh data folder gets a database as the migrations leave it, copied as PostgreSQL's are: they take most of the time of a start.
 * One that has a database keeps it; what is no folder is the service's to refuse.
 */
export const migratedInto = async (dataDir: string): Promise<void> => {
  const isFolder = statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() === true;
  if (onPostgres || !isFolder || existsSync(join(dataDir, FILE))) return;
  empty ??= makeEmpty();
  writeFileSync(join(dataDir, FILE), await empty, { flag: 'wx', mode: 0o600 });
};

const opened = new Map<string, Promise<TestDatabase>>();

/** The database of a service with this data folder: the same for all its starts; migrated and empty at first. */
export const databaseOf = (dataDir: string): Promise<TestDatabase> => {
  if (!onPostgres) return Promise.resolve(sqlite(dataDir));
  const known = opened.get(dataDir) ?? postgres();
  opened.set(dataDir, known);
  return known;
};
