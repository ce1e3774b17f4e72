/** Reads the query plans of SQLite and PostgreSQL in one form. */
import { sql, type CompiledQuery } from 'kysely';
import type { Db } from '../../src/service/store/engine/db.ts';
import { onPostgres } from './database.ts';

export interface Plan {
  readonly text: string;
  /** Steps that read more records above the page than the page holds. */
  readonly above: readonly string[];
  /** Steps that read records in search of the page, each with its index. */
  readonly page: readonly string[];
  /** Steps that sort the whole result, not only rows that are equal so far. */
  readonly sorts: readonly string[];
}

interface SqliteStep {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

const RECORDS = 'near_misses';

/** SQLite names a table by its alias: `n` is the records, inside the page and above it. */
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
  const sorts = rows
    .filter(({ id, detail }) => inside.has(id) && detail === 'USE TEMP B-TREE FOR ORDER BY')
    .map(({ detail }) => detail);
  return { text: rows.map(({ detail }) => detail).join('\n'), above, page, sorts };
};

interface PostgresNode {
  readonly 'Node Type': string;
  readonly 'Parent Relationship'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PostgresNode[];
}

/** The indexes of a node; for a bitmap, those it was built from. */
const indexesOf = (node: PostgresNode): readonly string[] => [
  ...(node['Index Name'] === undefined ? [] : [node['Index Name']]),
  ...(node.Plans ?? []).flatMap(indexesOf),
];

/** PostgreSQL runs the statement and reports how many rows each step really read. */
const explainPostgres = async (db: Db, query: CompiledQuery, size: number): Promise<Plan> => {
  const { rows } = await db.transaction().execute(async (tx) => {
    // With so few records a sequential scan is as fast as the trigram index. The test asks whether the index can be used.
    if (query.sql.includes(' like ')) await sql`set local enable_seqscan = off`.execute(tx);
    return tx.executeQuery<{ 'QUERY PLAN': readonly { Plan: PostgresNode }[] }>({
      ...query,
      sql: `explain (analyze, format json) ${query.sql}`,
    });
  });
  const [above, page, sorts]: [string[], string[], string[]] = [[], [], []];
  const walk = (node: PostgresNode, inside: boolean): void => {
    if (node['Relation Name'] === RECORDS) {
      const removed = node['Rows Removed by Filter'] ?? 0;
      const read = (node['Actual Rows'] + removed) * node['Actual Loops'];
      const line = `${node['Node Type']} ${indexesOf(node).join(', ')}: ${read} rows`;
      if (inside) page.push(line);
      else if (read > size) above.push(line);
    }
    if (inside && node['Node Type'] === 'Sort') sorts.push('Sort');
    for (const child of node.Plans ?? [])
      walk(
        child,
        inside || node['Node Type'] === 'Limit' || child['Parent Relationship'] === 'InitPlan',
      );
  };
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  if (!plan) throw new Error('PostgreSQL explained nothing');
  walk(plan, false);
  return { text: JSON.stringify(plan, null, 1), above, page, sorts };
};

/** @param size rows on the page */
export const explain = (db: Db, query: CompiledQuery, size: number): Promise<Plan> =>
  onPostgres ? explainPostgres(db, query, size) : explainSqlite(db, query);
