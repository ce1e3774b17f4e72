/**
 * Behind a pooler a connection serves someone else after each transaction, so no state of ours may stay in it (decisions §10).
 */
import { Kysely, sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withDefaults } from '../../../src/service/options.ts';
import type { Db } from '../../../src/service/store/engine/db.ts';
import { takeIds } from '../../../src/service/store/engine/ids.ts';
import { openStore } from '../../../src/service/store/engine/open.ts';
import {
  openPool,
  SpotterDialect,
} from '../../../src/service/store/engine/postgres/postgres-dialect.ts';
import type { Database } from '../../../src/service/store/engine/schema.ts';
import { databaseOf } from '../../support/database.ts';
import { tempDir } from '../../support/service.ts';

/** One connection to a migrated database. */
const connection = async (pooler: boolean): Promise<Db> => {
  const dir = tempDir('pooler');
  onTestFinished(() => dir.remove());
  const { options } = await databaseOf(dir.path);
  const given = withDefaults({ ...options, 'data-dir': dir.path, 'database-pooler': pooler });
  await (await openStore(given)).close();
  const db = new Kysely<Database>({ dialect: new SpotterDialect(openPool(given, 1)) });
  onTestFinished(() => db.destroy());
  return db;
};

const prepared = async (db: Db): Promise<number> => {
  for (let n = 0; n < 3; n += 1)
    await db.selectFrom('companies').select('id').where('id', '=', n).execute();
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from pg_prepared_statements`.execute(db);
  return rows[0]?.n ?? 0;
};
const shown = async (db: Db, name: string): Promise<unknown> =>
  Object.values((await sql<object>`show ${sql.ref(name)}`.execute(db)).rows[0] ?? {})[0];

describe('decisions §10: --database-pooler', () => {
  it('nothing is prepared or set in a connection; without it statements are kept and have a limit', async () => {
    const pooled = await connection(true);
    expect(await prepared(pooled)).toBe(0);
    expect(await shown(pooled, 'statement_timeout')).toBe('0');
    const own = await connection(false);
    expect(await prepared(own)).toBeGreaterThan(0);
    expect(await shown(own, 'statement_timeout')).toBe('30s');
  });

  it('failures S3: a counter that is not waited for leaves the next commit on its connection one that is', async () => {
    const db = await connection(true);
    await sql`set synchronous_commit = on`.execute(db);
    await takeIds(db, 'near_misses');
    expect(await shown(db, 'synchronous_commit')).toBe('on');
    await db.transaction().execute(async (tx) => {
      await takeIds(tx, 'near_misses');
      expect(await shown(tx, 'synchronous_commit')).toBe('off');
    });
    expect(await shown(db, 'synchronous_commit')).toBe('on');
  });
});
