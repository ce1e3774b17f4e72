/** [ours] How long companies keep reports, in SQL (decisions §20.1). */
import type { Retention } from '../../../contract/rest/retention/retention.ts';
import type { Db } from '../engine/db.ts';

const columns = ['retention_years as years', 'retention_bin_days as bin_days'] as const;

export const findRetention = (db: Db, company_id: number): Promise<Retention | undefined> =>
  db.selectFrom('companies').select(columns).where('id', '=', company_id).executeTakeFirst();

export const changeRetention = async (
  tx: Db,
  company_id: number,
  { years, bin_days }: Retention,
): Promise<void> => {
  await tx
    .updateTable('companies')
    .set({ retention_years: years, retention_bin_days: bin_days })
    .where('id', '=', company_id)
    .execute();
};

/** Companies that chose to keep something only for a time. */
export const companiesWithRetention = async (db: Db): Promise<number[]> => {
  const rows = await db
    .selectFrom('companies')
    .select('id')
    .where((eb) =>
      eb.or([eb('retention_years', 'is not', null), eb('retention_bin_days', 'is not', null)]),
    )
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
};
