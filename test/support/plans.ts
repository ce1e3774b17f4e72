/** How a database means to run a statement: SQLite's and PostgreSQL's explanations, read the same way. */
import type { CompiledQuery } from 'kysely';
import type { Db } from '../../src/service/store/db.ts';
import { onPostgres } from './database.ts';

export interface Plan {
  readonly text: string;
  /** Lines that read more records above the page than the page holds. */
  readonly above: readonly string[];
  /** Lines that read records in search of the page. */
  readonly page: readonly string[];
}

interface SqliteStep {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

const RECORDS = 'near_misses';

/** SQLite calls a table by its alias: `n` is the records, inside the page and above it. */
const explainSqlite = async (db: Db, query: CompiledQuery): Promise<Plan> => {
  const { rows } = await db.executeQuery<SqliteStep>({
    ...query,
    sql: `explain query plan ${query.sql}`,
  });
  const inside = new Set<number>();
  const [above, page]: [string[], string[]] = [[], []];
  for (const { id, parent, detail } of rows) {
    if (/^(CO-ROUTINE|MATERIALIZE) page/.test(detail) || inside.has(parent)) inside.add(id);
    if (!/^(SCAN|SEARCH) n\b/.test(detail)) continue;
    if (inside.has(id)) page.push(detail);
    else if (!/\(company_id=\? AND id=\?\)/.test(detail)) above.push(detail);
  }
  return { text: rows.map(({ detail }) => detail).join('\n'), above, page };
};

interface PostgresNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PostgresNode[];
}

/** PostgreSQL runs the statement, and tells how many rows each step really read. */
const explainPostgres = async (db: Db, query: CompiledQuery, size: number): Promise<Plan> => {
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': readonly { Plan: PostgresNode }[] }>({
    ...query,
    sql: `explain (analyze, format json) ${query.sql}`,
  });
  const [above, page]: [string[], string[]] = [[], []];
  const walk = (node: PostgresNode, inside: boolean): void => {
    if (node['Relation Name'] === RECORDS) {
      const removed = node['Rows Removed by Filter'] ?? 0;
      const read = (node['Actual Rows'] + removed) * node['Actual Loops'];
      const line = `${node['Node Type']} ${node['Index Name'] ?? ''}: ${read} rows`;
      if (inside) page.push(line);
      else if (read > size) above.push(line);
    }
    for (const child of node.Plans ?? []) walk(child, inside || node['Node Type'] === 'Limit');
  };
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  if (!plan) throw new Error('PostgreSQL explained nothing');
  walk(plan, false);
  return { text: JSON.stringify(plan, null, 1), above, page };
};

/** `size`: how many rows the page holds. */
export const explain = (db: Db, query: CompiledQuery, size: number): Promise<Plan> =>
  onPostgres ? explainPostgres(db, query, size) : explainSqlite(db, query);
