/**
 * PostgreSQL's own index of trigrams for `filters[query]` (near-miss-search.ts), by project. It needs the extensions `pg_trgm` and `btree_gin`, which come with
 * PostgreSQL and which the owner of a database may create. Where they are not to be had, everything works without the index: a search
 * then reads the project's records. It is asked for at every start, so that whoever adds the extensions later gets the index.
 */
import { sql } from 'kysely';
import type { Db } from './db.ts';

/** Entries that may wait outside the index, in kB: a create that takes them in must not take long. */
const PENDING = 1024;

const exists = async (tx: Db): Promise<boolean> => {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from pg_indexes
      where schemaname = current_schema() and indexname = 'near_misses_search') as found`.execute(
    tx,
  );
  return rows[0]?.found === true;
};

/** In the migration's transaction, when the tables are as they should be. Answers why there is no index, null where there is. */
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
