/** [ours] Reads the records that name somebody by an id, from any table (decisions §22.2). */
import { sql } from 'kysely';
import type { Db } from '../engine/db.ts';
import type { Database } from '../engine/schema.ts';
import type { TextRow } from './texts.ts';

export interface LinkedTable {
  readonly table: keyof Database;
  /** The column that names somebody by an id. */
  readonly relation: string;
  /** Columns to read. */
  readonly columns: readonly string[];
  /** Newest first by this column. */
  readonly at: string;
  /** `nullable`: a row without a company counts in all of them. `none`: the table has no companies. */
  readonly company?: 'nullable' | 'none';
}

const ofCompany = (company_id: number, company: LinkedTable['company']) => {
  if (company === 'none') return sql`true`;
  const same = sql`company_id = ${company_id}`;
  return company === 'nullable' ? sql`(${same} or company_id is null)` : same;
};

/** At most `limit` rows. */
export const linkedRows = async (
  db: Db,
  company_id: number,
  { table, relation, columns, at, company }: LinkedTable,
  ids: readonly number[],
  limit: number,
): Promise<readonly TextRow[]> => {
  if (ids.length === 0) return [];
  const names = sql.join(columns.map((name) => sql.ref(name)));
  const { rows } = await sql<TextRow>`
    select ${names} from ${sql.table(table)}
    where ${ofCompany(company_id, company)} and ${sql.ref(relation)} in (${sql.join(ids)})
    order by ${sql.ref(at)} desc limit ${limit}`.execute(db);
  return rows;
};
