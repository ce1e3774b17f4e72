/**
 * The trigram index of PostgreSQL for `filters[query]` (near-miss-search.ts), by project. It needs the extensions `pg_trgm` and
 * `btree_gin`, which ship with PostgreSQL and which a database owner may create. Without them searches work, but read all
 * records of the project. Every start tries again, so an operator can add the extensions later.
 */
import { sql } from 'kysely';
import type { Db } from '../db.ts';

/** Size limit of the index's pending list in kB. The insert that merges the list must stay fast. */
const PENDING = 1024;

const exists = async (tx: Db): Promise<boolean> => {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from pg_indexes
      where schemaname = current_schema() and indexname = 'near_misses_search') as found`.execute(
    tx,
  );
  return rows[0]?.found === true;
};

/** Runs at the end of the migration's transaction. Returns why there is no index, or null if there is one. */
export const makeSearchIndex = async (tx: Db): Promise<string | null> => {
  await sql`savepoint search_index`.execute(tx);
  try {
    if (!(await exists(tx))) {
      await sql`create extension if not exists pg_trgm`.execute(tx);
      await sql`create extension if not exists btree_gin`.execute(tx);
      await sql`set local maintenance_work_mem = '256MB'`.execute(tx);
      await sql`create index near_misses_search on near_misses
        using gin (company_id, project_id, search gin_trgm_ops)
        with (gin_pending_list_limit = ${sql.lit(PENDING)})`.execute(tx);
    }
    await sql`release savepoint search_index`.execute(tx);
    return null;
  } catch (error) {
    await sql`rollback to savepoint search_index`.execute(tx);
    return (error as Error).message;
  }
};
