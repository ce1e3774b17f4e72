/** Names and texts that were folded with their accents are folded without (contract/fold.ts), a batch at a time. */
import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { fold, sortKey } from '../../../contract/fold.ts';

const BATCH = 1000;

interface Texts {
  readonly company_id: number;
  readonly id: number;
  readonly given: string;
  readonly folded: string;
}

const refold = async (
  db: Kysely<unknown>,
  table: string,
  [given, folded]: readonly [string, string],
  make: (text: string) => string,
): Promise<void> => {
  let after = { company_id: 0, id: 0 };
  for (;;) {
    const { rows } = await sql<Texts>`
      select company_id, id, ${sql.ref(given)} as given, ${sql.ref(folded)} as folded
      from ${sql.table(table)}
      where company_id > ${after.company_id} or (company_id = ${after.company_id} and id > ${after.id})
      order by company_id, id limit ${BATCH}`.execute(db);
    const last = rows.at(-1);
    if (!last) return;
    for (const row of rows) {
      const text = make(row.given);
      if (text !== row.folded)
        await sql`update ${sql.table(table)} set ${sql.ref(folded)} = ${text}
          where company_id = ${row.company_id} and id = ${row.id}`.execute(db);
    }
    after = last;
  }
};

const NAMED = [
  'affected_companies',
  'parties',
  'people',
  'harm_sources',
  'work_activities',
  'managed_equipment',
  'vendors',
  'time_and_material_entries',
  'documents',
  'folders',
];

export const foldedAccents: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const table of NAMED) await refold(db, table, ['name', 'name_folded'], sortKey);
    await refold(db, 'near_misses', ['search', 'search'], fold);
  },
};
