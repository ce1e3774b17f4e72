/**
 * The rules of vendor insurances (decisions §8). Every address names a vendor: another vendor's record does not exist here. Every
 * function runs inside its context's transaction.
 */
import type { Insurance, InsuranceWrite } from '../../../contract/rest/insurances.ts';
import type { Db } from '../../store/engine/db.ts';
import { takeIds } from '../../store/engine/ids.ts';
import { stampChange } from '../../store/engine/change-clock.ts';
import * as store from '../../store/insurances.ts';
import { recordsOf } from '../context.ts';
import { requireMatch, versionTag } from '../etag.ts';
import { followedPage, followingOf, type FollowQuery } from '../following.ts';
import { pageOf, type Page } from '../page.ts';
import { notFound } from '../problem.ts';

export interface Context extends store.VendorPlace {
  readonly db: Db;
  readonly user_id: number;
  readonly now: number;
}

/** A record and the ETag of its current version (decisions §1.7). */
export interface Tagged {
  readonly data: Insurance;
  readonly etag: string;
}

export const placeOf = ({ company_id, project_id, vendor_id }: Context): store.VendorPlace => ({
  company_id,
  project_id,
  vendor_id,
});

export const viewInsurance = (row: store.InsuranceRow): Insurance => ({
  id: row.id,
  effective_date: row.effective_date,
  enable_expired_insurance_notifications: row.enable_expired_insurance_notifications === 1,
  exempt: row.exempt === 1,
  expiration_date: row.expiration_date,
  info_received: row.info_received === 1,
  insurance_provider: row.insurance_provider,
  insurance_type: row.insurance_type,
  limit: row.insurance_limit,
  notes: row.notes,
  policy_number: row.policy_number,
  status: row.status,
  vendor_id: row.vendor_id,
  additional_insured: row.additional_insured,
  division_template: row.division_template,
  insurance_sets: row.insurance_sets,
  origin_data: row.origin_data,
  origin_id: row.origin_id,
});

const tagged = (row: store.InsuranceRow): Tagged => ({
  data: viewInsurance(row),
  etag: versionTag(row),
});

/** The texts of a new record for absent fields. */
export const insuranceTexts = {
  insurance_provider: null,
  insurance_type: null,
  insurance_limit: null,
  notes: null,
  policy_number: null,
  additional_insured: null,
  division_template: null,
  insurance_sets: null,
  origin_data: null,
  origin_id: null,
};

/** Values of a new record for absent fields. */
const defaults: store.InsuranceValues = {
  enable_expired_insurance_notifications: 1,
  exempt: 0,
  info_received: 0,
  status: 'undecided',
  effective_date: null,
  expiration_date: null,
  ...insuranceTexts,
};

const flags = ['enable_expired_insurance_notifications', 'exempt', 'info_received'] as const;

/** Columns with the same name as their field. */
const plain = [
  'effective_date',
  'expiration_date',
  'insurance_type',
  'notes',
  'policy_number',
  'additional_insured',
  'division_template',
  'insurance_sets',
  'origin_data',
  'origin_id',
] as const;

/** The column values present in a body. */
const changesOf = (body: InsuranceWrite): Partial<store.InsuranceValues> => {
  const changes: Partial<store.InsuranceValues> = {};
  for (const name of flags) if (body[name] !== undefined) changes[name] = body[name] ? 1 : 0;
  for (const name of plain) if (body[name] !== undefined) changes[name] = body[name];
  // '' comes from an empty spreadsheet cell. Store null, so that such records do not share an id.
  if (changes.origin_id === '') changes.origin_id = null;
  if (body.status !== undefined) changes.status = body.status;
  if (body.name !== undefined) changes.insurance_provider = body.name;
  if (body.limit !== undefined) changes.insurance_limit = body.limit;
  return changes;
};

/** @throws Refusal 404 when the project does not know the vendor */
export const requireVendor = async (context: Context): Promise<void> => {
  if (!(await store.vendorExists(context.db, placeOf(context)))) throw notFound();
};

const find = async (context: Context, id: number): Promise<store.InsuranceRow> => {
  await requireVendor(context);
  const row = await store.findInsurance(context.db, placeOf(context), id);
  if (!row) throw notFound();
  return row;
};

const stampOf = ({ db, company_id, now }: Context): Promise<number> =>
  stampChange(db, company_id, now);

export type Change = 'create' | 'update' | 'delete';

/** Records the event for webhooks (decisions §9.4). */
export const recordInsurance = recordsOf('Project Insurances');

/** Inserts a record under a reserved id. The caller records the event. */
export const insertInsurance = async (
  context: Context,
  id: number,
  body: InsuranceWrite,
): Promise<store.InsuranceRow> => {
  const row: store.InsuranceRow = {
    ...placeOf(context),
    id,
    version: 1,
    created_at: context.now,
    updated_at: await stampOf(context),
    ...defaults,
    ...changesOf(body),
  };
  await store.insertInsurance(context.db, row);
  return row;
};

/** Writes changed fields. Returns the given row if nothing changed; otherwise the caller records the event. */
export const changeInsurance = async (
  context: Context,
  row: store.InsuranceRow,
  body: InsuranceWrite,
): Promise<store.InsuranceRow> => {
  const changes = changesOf(body);
  const names = Object.keys(changes) as (keyof store.InsuranceValues)[];
  if (names.every((name) => changes[name] === row[name])) return row;
  const changed = {
    ...row,
    ...changes,
    version: row.version + 1,
    updated_at: await stampOf(context),
  };
  await store.updateInsurance(context.db, changed);
  return changed;
};

export const listInsurances = async (
  context: Context,
  query: FollowQuery,
): Promise<Page<Insurance>> => {
  await requireVendor(context);
  const following = followingOf(query);
  const place = placeOf(context);
  if (following !== null)
    return followedPage(query, {
      ...store.followInsurances(context.db, place, following),
      rows: (ids) => store.listInsurancesById(context.db, place, ids),
      view: (rows) => rows.map(viewInsurance),
    });
  return pageOf(query, {
    count: () => store.countInsurances(context.db, placeOf(context)),
    rows: (slice) => store.listInsurances(context.db, placeOf(context), slice),
    view: (rows) => rows.map(viewInsurance),
    byId: {
      ids: (slice) => store.listInsuranceIds(context.db, placeOf(context), slice),
      rows: (ids) => store.listInsurancesById(context.db, placeOf(context), ids),
    },
  });
};

export const showInsurance = async (context: Context, id: number): Promise<Tagged> =>
  tagged(await find(context, id));

export const createInsurance = async (context: Context, body: InsuranceWrite): Promise<Tagged> => {
  await requireVendor(context);
  const row = await insertInsurance(context, await takeIds(context.db, 'insurances'), body);
  await recordInsurance(context, row.id, 'create');
  return tagged(row);
};

export const updateInsurance = async (
  context: Context,
  id: number,
  body: InsuranceWrite,
  if_match: string | undefined,
): Promise<Tagged> => {
  const row = await find(context, id);
  requireMatch(if_match, versionTag(row));
  const changed = await changeInsurance(context, row, body);
  if (changed !== row) await recordInsurance(context, id, 'update');
  return tagged(changed);
};

export const deleteInsurance = async (
  context: Context,
  id: number,
  if_match: string | undefined,
): Promise<Insurance> => {
  const row = await find(context, id);
  requireMatch(if_match, versionTag(row));
  await store.deleteInsurance(context.db, { company_id: context.company_id, id });
  await store.buryInsurance(context.db, placeOf(context), id, await stampOf(context));
  await recordInsurance(context, id, 'delete');
  return viewInsurance(row);
};
