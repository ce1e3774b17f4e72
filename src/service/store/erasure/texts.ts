/** [ours] Reads and writes the texts of any table by its keys, for erasures (decisions §21.1). */
import { sql } from 'kysely';
import type { Db } from '../engine/db.ts';
import type { Database } from '../engine/schema.ts';

export interface TextTable {
  readonly table: keyof Database;
  /** What identifies a row in its company, in order. */
  readonly keys: readonly string[];
  /** Columns to read besides. */
  readonly columns: readonly string[];
  /** The column of the company, if it is not `company_id`. */
  readonly company?: string;
}

export type TextRow = Readonly<Record<string, string | number | null>>;

/** Rows read together. A description may have 64 KiB. */
const PART = 200;

const refs = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));

/** All rows of a company in the order of their keys, a part at a time. */
export async function* textRows(
  db: Db,
  company_id: number,
  { table, keys, columns, company = 'company_id' }: TextTable,
): AsyncGenerator<readonly TextRow[]> {
  for (let last: TextRow | undefined; ;) {
    const after = last;
    const later =
      after === undefined
        ? sql`true`
        : sql`(${refs(keys)}) > (${sql.join(keys.map((key) => after[key] ?? null))})`;
    const { rows } = await sql<TextRow>`
      select ${refs([...new Set([...keys, ...columns])])} from ${sql.table(table)}
      where ${sql.ref(company)} = ${company_id} and ${later}
      order by ${refs(keys)} limit ${PART}`.execute(db);
    if (rows.length > 0) yield rows;
    if (rows.length < PART) return;
    last = rows.at(-1);
  }
}

/** The row with these keys. */
export const findTextRow = async (
  db: Db,
  company_id: number,
  { table, keys, columns, company = 'company_id' }: TextTable,
  row: TextRow,
): Promise<TextRow | undefined> => {
  const { rows } = await sql<TextRow>`
    select ${refs([...new Set([...keys, ...columns])])} from ${sql.table(table)}
    where ${sql.ref(company)} = ${company_id} and ${sameKeys(keys, row)}`.execute(db);
  return rows[0];
};

const sameKeys = (keys: readonly string[], row: TextRow) =>
  sql.join(
    keys.map((key) => sql`${sql.ref(key)} = ${row[key]}`),
    sql` and `,
  );

/** @param versioned the change is one of the record: version and `updated_at` move */
export const writeTexts = async (
  tx: Db,
  company_id: number,
  { table, keys, company = 'company_id' }: TextTable,
  row: TextRow,
  values: TextRow,
  versioned: { readonly updated_at: number } | null = null,
): Promise<void> => {
  const set = Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  if (versioned) set.push(sql`version = version + 1`, sql`updated_at = ${versioned.updated_at}`);
  if (set.length === 0) return;
  await sql`
    update ${sql.table(table)} set ${sql.join(set)}
    where ${sql.ref(company)} = ${company_id} and ${sameKeys(keys, row)}`.execute(tx);
};

export const deleteTextRow = async (
  tx: Db,
  company_id: number,
  { table, keys, company = 'company_id' }: TextTable,
  row: TextRow,
): Promise<void> => {
  await sql`delete from ${sql.table(table)}
    where ${sql.ref(company)} = ${company_id} and ${sameKeys(keys, row)}`.execute(tx);
};
