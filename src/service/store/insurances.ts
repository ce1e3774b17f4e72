/** Vendor insurances in SQL (decisions §8). Every query filters by company, project and vendor, never by id alone. */
import type { Db } from './engine/db.ts';
import { followedList, bury, goneFrom, type Following } from './engine/following.ts';
import { countOf, newestFirst, type Slice } from './engine/newest-first.ts';
import { prepared } from './engine/prepared.ts';
import type { Database } from './engine/schema.ts';

export type InsuranceRow = Database['insurances'];

export type VendorPlace = {
  readonly company_id: number;
  readonly project_id: number;
  readonly vendor_id: number;
};

/** The columns that a request body may change. */
export type InsuranceValues = Omit<
  InsuranceRow,
  'company_id' | 'id' | 'project_id' | 'vendor_id' | 'version' | 'created_at' | 'updated_at'
>;

const matching = (db: Db, where: VendorPlace) =>
  db
    .selectFrom('insurances')
    .where('company_id', '=', where.company_id)
    .where('project_id', '=', where.project_id)
    .where('vendor_id', '=', where.vendor_id);

const vendor = prepared((db: Db, where: VendorPlace) =>
  db
    .selectFrom('vendors')
    .select('id')
    .where('company_id', '=', where.company_id)
    .where('id', '=', where.vendor_id)
    .where((eb) => eb.or([eb('project_id', 'is', null), eb('project_id', '=', where.project_id)])),
);

/** True if the project knows this vendor. */
export const vendorExists = async (db: Db, where: VendorPlace): Promise<boolean> =>
  (await vendor(db, where)).length > 0;

export const countInsurances = (db: Db, where: VendorPlace): Promise<number> =>
  countOf(matching(db, where));

export const listInsurances = (db: Db, where: VendorPlace, slice: Slice): Promise<InsuranceRow[]> =>
  newestFirst(matching(db, where).selectAll(), slice);

export const listInsuranceIds = async (
  db: Db,
  where: VendorPlace,
  slice: Slice,
): Promise<number[]> =>
  (await newestFirst(matching(db, where).select('id'), slice)).map(({ id }) => id);

const tombsOf = ({ company_id, project_id, vendor_id }: VendorPlace) => ({
  company_id,
  list: `insurances/${project_id}/${vendor_id}`,
});

/** [ours] The list as a reader follows it. */
export const followInsurances = (db: Db, where: VendorPlace, following: Following) =>
  followedList(
    db,
    { records: matching(db, where), gone: goneFrom(tombsOf(where), following) },
    following,
  );

export const buryInsurance = (tx: Db, where: VendorPlace, id: number, at: number): Promise<void> =>
  bury(tx, tombsOf(where), [id], at);

export const listInsurancesById = (
  db: Db,
  where: VendorPlace,
  ids: readonly number[],
): Promise<InsuranceRow[]> =>
  matching(db, where)
    .selectAll()
    .where('id', 'in', [...ids])
    .execute();

const byId = prepared((db: Db, where: VendorPlace & { readonly id: number }) =>
  matching(db, where).selectAll().where('id', '=', where.id),
);

export const findInsurance = async (
  db: Db,
  where: VendorPlace,
  id: number,
): Promise<InsuranceRow | undefined> => (await byId(db, { ...where, id }))[0];

const byOrigin = prepared((db: Db, where: VendorPlace & { readonly origin_id: string }) =>
  matching(db, where).selectAll().where('origin_id', '=', where.origin_id).orderBy('id').limit(1),
);

/** The insurance with this external id; the oldest if several have it. */
export const findInsuranceByOrigin = async (
  db: Db,
  where: VendorPlace,
  origin_id: string,
): Promise<InsuranceRow | undefined> => (await byOrigin(db, { ...where, origin_id }))[0];

const allOfOrigin = prepared((db: Db, where: VendorPlace & { readonly origin_id: string }) =>
  matching(db, where).selectAll().where('origin_id', '=', where.origin_id).orderBy('id'),
);

export const listInsurancesByOrigin = (
  db: Db,
  where: VendorPlace,
  origin_id: string,
): Promise<InsuranceRow[]> => allOfOrigin(db, { ...where, origin_id });

type Row = { readonly [K in keyof InsuranceRow]: InsuranceRow[K] };

const insert = prepared((tx: Db, row: Row) =>
  tx.insertInto('insurances').values({
    company_id: row.company_id,
    id: row.id,
    project_id: row.project_id,
    vendor_id: row.vendor_id,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
    ...valuesOf(row),
  }),
);

const valuesOf = (row: InsuranceValues): InsuranceValues => ({
  enable_expired_insurance_notifications: row.enable_expired_insurance_notifications,
  exempt: row.exempt,
  info_received: row.info_received,
  status: row.status,
  effective_date: row.effective_date,
  expiration_date: row.expiration_date,
  insurance_provider: row.insurance_provider,
  insurance_type: row.insurance_type,
  insurance_limit: row.insurance_limit,
  notes: row.notes,
  policy_number: row.policy_number,
  additional_insured: row.additional_insured,
  division_template: row.division_template,
  insurance_sets: row.insurance_sets,
  origin_data: row.origin_data,
  origin_id: row.origin_id,
});

export const insertInsurance = async (tx: Db, row: InsuranceRow): Promise<void> => {
  await insert(tx, row);
};

const update = prepared((tx: Db, row: Row) =>
  tx
    .updateTable('insurances')
    .set({ version: row.version, updated_at: row.updated_at, ...valuesOf(row) })
    .where('company_id', '=', row.company_id)
    .where('id', '=', row.id),
);

/** Writes the whole record. The caller has already incremented its version. */
export const updateInsurance = async (tx: Db, row: InsuranceRow): Promise<void> => {
  await update(tx, row);
};

export const deleteInsurance = async (
  tx: Db,
  where: { readonly company_id: number; readonly id: number },
): Promise<void> => {
  await tx
    .deleteFrom('insurances')
    .where('company_id', '=', where.company_id)
    .where('id', '=', where.id)
    .execute();
};
