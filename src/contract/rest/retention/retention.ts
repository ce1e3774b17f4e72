/**
 * [ours] How long a company keeps reports (decisions §20.1, §20.2): after some years they are anonymised, after some days in the
 * recycle bin they are deleted. Both are off unless chosen. The preview says what a choice would do, and changes nothing.
 */
import { z } from 'zod';
import { asQuery } from '../protocol/described.ts';
import { dateTime, endpoint, id, pathId } from '../protocol/endpoint.ts';
import { pagingQuery } from '../protocol/paging.ts';

export const YEARS = { min: 1, max: 50 } as const;
export const BIN_DAYS = { min: 30, max: 90 } as const;

interface Bounds {
  readonly min: number;
  readonly max: number;
}

const chosen = ({ min, max }: Bounds) =>
  z
    .int(`must be a whole number from ${min} to ${max}, or null`)
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)
    .nullable();

const retention = z.object({
  /** Near misses are anonymised so many years after their event; null: never. */
  years: z.int().nullable(),
  /** Near misses are deleted for good after so many days in the recycle bin; null: never. */
  bin_days: z.int().nullable(),
});
export type Retention = z.infer<typeof retention>;

const retentionUpdate = z.object({
  years: chosen(YEARS).optional(),
  bin_days: chosen(BIN_DAYS).optional(),
});
export type RetentionUpdate = z.infer<typeof retentionUpdate>;

/** A choice in a query: 0 is off, absence the stored choice. */
const tried = ({ min, max }: Bounds) =>
  z
    .string({ error: 'must be one integer' })
    .regex(/^\d{1,4}$/, `must be 0, or from ${min} to ${max}`)
    .transform(Number)
    .refine(
      (value) => value === 0 || (value >= min && value <= max),
      `must be 0, or from ${min} to ${max}`,
    )
    .meta(asQuery({ type: 'integer', minimum: 0, maximum: max }))
    .optional();

const previewQuery = z.object({
  years: tried(YEARS),
  bin_days: tried(BIN_DAYS),
  ...pagingQuery,
});
export type RetentionPreviewQuery = z.infer<typeof previewQuery>;

const counts = z.object({
  now: z.int(),
  /** In the 30 days from now on. */
  soon: z.int(),
});

const dueNearMiss = z.object({
  id,
  project_id: id,
  /** The full number, `3-12`. */
  number: z.string(),
  act: z.enum(['anonymise', 'delete']),
  due_at: dateTime,
  /** True: a legal hold keeps it as it is. */
  held: z.boolean(),
});
export type DueNearMiss = z.infer<typeof dueNearMiss>;

const retentionPreview = retention.extend({
  anonymise: counts,
  delete: counts,
  /** Near misses that would be due by then, but are held. */
  held: z.int(),
  /** Near misses in private incidents that the caller does not see: they are counted, but not listed. */
  hidden: z.int(),
  /** A page of the rest, the earliest first. */
  near_misses: z.array(dueNearMiss),
});
export type RetentionPreview = z.infer<typeof retentionPreview>;

const tag = 'Retention';
const path = '/rest/v1.0/companies/{company_id}/retention';
const params = { company_id: pathId };

export const retentionEndpoints = {
  'retention.show': endpoint({
    method: 'GET',
    path,
    params,
    reply: retention,
    cacheable: true,
    extension: true,
    tag,
    summary: 'Show how long reports are kept',
  }),
  'retention.update': endpoint({
    method: 'PATCH',
    path,
    params,
    body: z.object({ retention: retentionUpdate }),
    reply: retention,
    extension: true,
    tag,
    summary: 'Choose how long reports are kept',
  }),
  'retention.preview': endpoint({
    method: 'GET',
    path: `${path}/preview`,
    params,
    query: previewQuery,
    reply: retentionPreview,
    extension: true,
    tag,
    summary: 'Show which reports a choice would anonymise and delete, and change nothing',
  }),
};
