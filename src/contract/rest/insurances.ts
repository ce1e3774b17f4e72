/** Vendor insurances (reference: Insurance, Vendor insurances; decisions §8). */
import { z } from 'zod';
import { answered } from './protocol/answered.ts';
import { described } from './protocol/described.ts';
import { date, endpoint, id, pathId } from './protocol/endpoint.ts';
import { followedAt, followQuery, rowsOrDeleted } from './protocol/following.ts';
import { pagingQuery } from './protocol/paging.ts';

export const insuranceStatuses = [
  'compliant',
  'compliant_in_progress',
  'expired',
  'non_compliant',
  'non_compliant_in_progress',
  'undecided',
  'unregistered',
] as const;
const status = z.enum(insuranceStatuses, `must be one of ${insuranceStatuses.join(', ')}`);

const fields = {
  effective_date: answered(date.nullable()),
  enable_expired_insurance_notifications: answered(z.boolean()),
  exempt: answered(z.boolean()),
  expiration_date: answered(date.nullable()),
  info_received: answered(z.boolean()),
  insurance_provider: answered(z.string().nullable()),
  insurance_type: answered(z.string().nullable()),
  limit: answered(z.string().nullable()),
  notes: answered(z.string().nullable()),
  policy_number: answered(z.string().nullable()),
  status: answered(status, z.string()),
  vendor_id: answered(id),
  additional_insured: answered(z.string().nullable()),
  division_template: answered(z.string().nullable()),
  insurance_sets: answered(z.string().nullable()),
  origin_data: answered(z.string().nullable()),
  origin_id: answered(z.string().nullable()),
};

/** An insurance in a response. The insurer is `insurance_provider`. */
export const insurance = z.object({ id, ...fields });
export type Insurance = z.infer<typeof insurance>;

/** An insurance in a list. */
export const listedInsurance = insurance.extend({ updated_at: followedAt });

/**
 * A rejected sync item: every field of an insurance, null where neither the item nor a record gives a value, plus its errors by
 * field (reference: Errors 3).
 */
export const insuranceSyncError = z.object({
  id: answered(id.nullable()),
  ...fields,
  enable_expired_insurance_notifications: answered(z.boolean().nullable()),
  exempt: answered(z.boolean().nullable()),
  info_received: answered(z.boolean().nullable()),
  status: answered(status.nullable(), z.string()),
  errors: z.record(z.string(), z.array(z.string())),
});
export type InsuranceSyncError = z.infer<typeof insuranceSyncError>;

const day = z.iso.date('must be a date: YYYY-MM-DD');
const text = z.string().max(10_000);
/** Bounded because a database index stores the whole value. */
const originId = z.string().max(255);

/** The writable fields. The insurer is written as `name`. `null` clears a field; an absent field stays unchanged. */
export const insuranceWrite = z.object({
  effective_date: day.nullable().optional(),
  enable_expired_insurance_notifications: z.boolean().optional(),
  exempt: z.boolean().optional(),
  expiration_date: day.nullable().optional(),
  info_received: z.boolean().optional(),
  insurance_type: text.nullable().optional(),
  limit: z
    .string({ error: 'must be a decimal as a text, such as "1000000.00"' })
    .regex(/^\d{1,20}(\.\d{1,6})?$/, 'must be a decimal, such as "1000000.00"')
    .nullable()
    .optional(),
  name: text.nullable().optional(),
  notes: z.string().max(65_536).nullable().optional(),
  policy_number: text.nullable().optional(),
  status: status.optional(),
  additional_insured: text.nullable().optional(),
  division_template: text.nullable().optional(),
  insurance_sets: text.nullable().optional(),
  origin_data: text.nullable().optional(),
  origin_id: originId.nullable().optional(),
});
export type InsuranceWrite = z.infer<typeof insuranceWrite>;

/** One sync item. For `id` and `origin_id`, which choose the record, `null` means the same as absent. */
export const insuranceSyncItem = insuranceWrite.extend({
  id: z.number().int().nullable().optional(),
});
export type InsuranceSyncItem = z.infer<typeof insuranceSyncItem>;

/** Maximum number of items in one sync (decisions §8). */
export const SYNC_MAX = 1000;

const tag = 'Insurances';
const base = '/rest/v1.0/projects/{project_id}/vendors/{vendor_id}/insurances';
const many = { project_id: pathId, vendor_id: pathId };
const one = { ...many, id: pathId };

export const insuranceEndpoints = {
  'insurances.list': endpoint({
    method: 'GET',
    path: base,
    params: many,
    query: followQuery({}),
    referenceQuery: z.object(pagingQuery),
    reply: rowsOrDeleted(listedInsurance),
    paging: 'link',
    tag,
    summary: 'List the insurances of a vendor',
  }),
  'insurances.create': endpoint({
    method: 'POST',
    path: base,
    params: many,
    body: z.object({ insurance: insuranceWrite }),
    reply: insurance,
    status: 201,
    tag,
    summary: 'Create an insurance',
  }),
  'insurances.sync': endpoint({
    method: 'PATCH',
    path: `${base}/sync`,
    params: many,
    // Each item is validated on its own, so one bad item never stops the others (decisions §8).
    body: z.object({
      updates: z.array(z.unknown().meta(described(insuranceSyncItem))).max(SYNC_MAX),
    }),
    items: 'updates',
    reply: z.object({ entities: z.array(insurance), errors: z.array(insuranceSyncError) }),
    tag,
    summary: 'Create or update many insurances',
  }),
  'insurances.show': endpoint({
    method: 'GET',
    path: `${base}/{id}`,
    params: one,
    reply: insurance,
    cacheable: true,
    tag,
    summary: 'Show an insurance',
  }),
  'insurances.update': endpoint({
    method: 'PATCH',
    path: `${base}/{id}`,
    params: one,
    body: z.object({ insurance: insuranceWrite }),
    reply: insurance,
    tag,
    summary: 'Update an insurance',
  }),
  'insurances.delete': endpoint({
    method: 'DELETE',
    path: `${base}/{id}`,
    params: one,
    reply: insurance,
    tag,
    summary: 'Delete an insurance',
  }),
};
