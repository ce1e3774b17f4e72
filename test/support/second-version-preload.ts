/**
 * Preloaded into a child process: adds a migration to the service's list, so that it becomes its own second version
 * (second-version.ts).
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql, SqliteAdapter, type Kysely, type KyselyPlugin } from 'kysely';
import type { Migration } from 'kysely/migration';
import { migrations } from '../../src/service/store/migrations/index.ts';
import { FIRST, SECOND, VARIABLE, type SecondVersion } from './second-version.ts';

const { diesBefore, fails, meets } = JSON.parse(process.env[VARIABLE] ?? '{}') as SecondVersion;

/** What a migration may do: a column with its values, a table with rows of another, an index in the place of another. */
const second: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .alterTable('near_misses')
      .addColumn('severity', 'text', (c) => c.notNull().defaultTo('unknown'))
      .execute();
    await sql`update near_misses set severity = 'high' where recordable = 1`.execute(db);
    await db.schema
      .createTable('inspections')
      .addColumn('company_id', 'bigint', (c) => c.notNull())
      .addColumn('near_miss_id', 'bigint', (c) => c.notNull())
      .addColumn('note', 'text', (c) => c.notNull())
      .execute();
    await sql`insert into inspections (company_id, near_miss_id, note)
      select company_id, id, description_plain_text from near_misses`.execute(db);
    await db.schema.dropIndex('insurances_by_origin').execute();
    await db.schema
      .createIndex('insurances_by_origin')
      .on('insurances')
      .columns(['company_id', 'origin_id'])
      .execute();
    if (fails) await sql`insert into there_is_no_such_table values (1)`.execute(db);
  },
};

const die = (): void => void process.kill(process.pid, 'SIGKILL');

/** Kills the process before a statement of `migration`. */
const dying = ({ up }: Migration, statement: number): Migration => ({
  up: async (db: Kysely<unknown>) => {
    let left = statement;
    const killing: KyselyPlugin = {
      transformQuery: ({ node }) => {
        if (left === 0) die();
        left -= 1;
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    };
    await up(db.withPlugin(killing));
    if (left === 0) die();
  },
});

/** Two processes have read the list of migrations, or one of them waits for the other's lock. */
const haveMet = async (db: Kysely<unknown>, folder: string): Promise<boolean> => {
  if (db.getExecutor().adapter instanceof SqliteAdapter) return readdirSync(folder).length > 1;
  // A transaction otherwise sees only its first reading of the view.
  await sql`select pg_stat_clear_snapshot()`.execute(db);
  const { rows } = await sql`select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.length > 0;
};

const meeting = ({ up }: Migration, folder: string): Migration => ({
  up: async (db: Kysely<unknown>) => {
    while (!(await haveMet(db, folder))) await pause(5);
    await up(db);
  },
});

const list = migrations as Record<string, Migration>;
list[SECOND] = second;
if (diesBefore) {
  const { migration, statement } = diesBefore;
  const given = list[migration];
  if (!given) throw new Error(`there is no migration ${migration}`);
  list[migration] = dying(given, statement);
}
if (meets !== undefined)
  for (const name of [FIRST, SECOND]) {
    const given = list[name];
    if (!given) throw new Error(`there is no migration ${name}`);
    Object.defineProperty(list, name, {
      enumerable: true,
      // Read when the migrations are about to run.
      get: () => {
        writeFileSync(join(meets, String(process.pid)), '');
        return meeting(given, meets);
      },
    });
  }
