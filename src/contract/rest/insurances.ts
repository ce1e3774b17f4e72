/** Vendor insurances (reference: Insurance, Vendor insurances; decisions §8). */
import { z } from 'zod';
import { described } from './described.ts';
import { date, endpoint, id, pathId } from './endpoint.ts';
import { pagingQuery } from './paging.ts';

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
  effective_date: date.nullish(),
  enable_expired_insurance_notifications: z.boolean().nullish(),
  exempt: z.boolean().nullish(),
  expiration_date: date.nullish(),
  info_received: z.boolean().nullish(),
  insurance_provider: z.string().nullish(),
  insurance_type: z.string().nullish(),
  limit: z.string().nullish(),
  notes: z.string().nullish(),
  policy_number: z.string().nullish(),
  status: z.string().nullish(),
  vendor_id: id.nullish(),
  additional_insured: z.string().nullish(),
  division_template: z.string().nullish(),
  insurance_sets: z.string().nullish(),
  origin_data: z.string().nullish(),
  origin_id: z.string().nullish(),
};

/** An insurance as answered: the insurer is `insurance_provider`. */
export const insurance = z.object({ id, ...fields });
export type Insurance = z.infer<typeof insurance>;

/** A sync item that was refused: what is known of it, and why, by field (reference: Errors 3). */
export const insuranceSyncError = z.object({
  id: id.nullish(),
  ...fields,
  errors: z.record(z.string(), z.array(z.string())),
});
export type InsuranceSyncError = z.infer<typeof insuranceSyncError>;

const day = z.iso.date('must be a date: YYYY-MM-DD');
const text = z.string().max(10_000);
/** An index of the database holds it whole. */
const originId = z.string().max(255);

/** The fields of a body: the insurer is `name`. `null` empties a field; what is left out stays. */
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

/** One item of a sync; `null` says the same as leaving it out, for the two that choose the record. */
export const insuranceSyncItem = insuranceWrite.extend({
  id: z.number().int().nullable().optional(),
});
export type InsuranceSyncItem = z.infer<typeof insuranceSyncItem>;

/** Most items of one sync (decisions §8). */
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
    query: z.object(pagingQuery),
    reply: z.array(insurance),
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
    // Each item is judged by itself, so that one bad item never stops the others (decisions §8).
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
