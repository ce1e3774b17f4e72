/** Near misses and their recycle bin (reference: Near miss; decisions §3). */
import { z } from 'zod';
import { nearMissAttachment } from './attachments.ts';
import { asQuery, filtersOf } from './described.ts';
import { dateTime, endpoint, id, ours, pathId, queryId } from './endpoint.ts';
import { pagingQuery } from './paging.ts';

const named = z.object({ id, name: z.string().nullish() });
const person = z.object({ id, name: z.string().nullish(), login: z.string().nullish() });
const lookup = z.object({
  id,
  name: z.string().nullish(),
  active: z.boolean().nullish(),
  global: z.boolean().nullish(),
  created_at: dateTime.nullish(),
  updated_at: dateTime.nullish(),
});

/** `custom_fields` in answers: `{"custom_field_7": {"data_type": "...", "value": "..."}}` (decisions §3.6). */
export const customFieldValues = z.record(
  z.string(),
  z.object({ data_type: z.string(), value: z.unknown() }),
);

/** A near miss as answered. Only `id` is relied on; another server may leave out what it does not know. */
export const nearMiss = z.object({
  id,
  number: z.number().int().nullish(),
  full_number: z.union([z.string(), z.number()]).nullish(),
  incident_id: id.nullish(),
  recordable: z.boolean().nullish(),
  type: z.string().nullish(),
  incident_title: z.string().nullish(),
  incident_private: z.boolean().nullish(),
  summary: z.string().nullish(),
  description_plain_text: z.string().nullish(),
  description: z.string().nullish(),
  affected_company: named.nullish(),
  created_at: dateTime.nullish(),
  deleted_at: dateTime.nullish(),
  managed_equipment: named.nullish(),
  incident_created_by: person.nullish(),
  updated_at: dateTime.nullish(),
  work_activity: lookup.nullish(),
  affected_party: named.nullish(),
  affected_person: person.nullish(),
  harm_source: lookup.nullish(),
  custom_fields: customFieldValues.nullish(),
  /** [ours] decisions §3.7 */
  attachments: z.array(nearMissAttachment).optional().meta(ours),
});
export type NearMiss = z.infer<typeof nearMiss>;

/** Most characters-as-UTF-8-bytes of a description (decisions §3.2). */
export const DESCRIPTION_MAX_BYTES = 64 * 1024;

const writable = {
  description: z.string().nullable().optional(),
  affected_person_id: id.nullable().optional(),
  affected_party_id: id.nullable().optional(),
  harm_source_id: id.nullable().optional(),
  affected_company_id: id.nullable().optional(),
  managed_equipment_id: id.nullable().optional(),
  work_activity_id: id.nullable().optional(),
  /** [ours] decisions §3.7: uploads to add to what is there. */
  upload_uuids: z.array(z.string()).max(100).optional().meta(ours),
};

/** The writable fields; `custom_field_<id>` keys pass through as unknown and the service's rules judge them. */
export const nearMissUpdate = z.looseObject(writable);
export const nearMissCreate = z.looseObject({ incident_id: id, ...writable });
export type NearMissUpdate = z.infer<typeof nearMissUpdate>;
export type NearMissCreate = z.infer<typeof nearMissCreate>;

export const nearMissSortFields = [
  'affected_company',
  'affected_person',
  'created_at',
  'managed_equipment',
  'full_number',
  'harm_source',
  'number',
  'work_activity',
] as const;
export type NearMissSortField = (typeof nearMissSortFields)[number];
const sortValues = [
  ...nearMissSortFields,
  ...nearMissSortFields.map((name) => `-${name}` as const),
];

const idPattern = /^[1-9]\d{0,15}$/;
/** `[]=1&[]=2`, `[0]=1&[1]=2`, `1,2` and a repeated name, all to an array of ids (decisions §2.4). At most 1,000. */
export const idList = z
  .union([z.string(), z.array(z.string())], { error: 'must be a list of integers' })
  .transform((value) => (Array.isArray(value) ? value : [value]).flatMap((part) => part.split(',')))
  .refine(
    (parts) => parts.every((part) => idPattern.test(part)),
    'must be a list of positive integers',
  )
  .refine((parts) => parts.length <= 1000, 'must hold at most 1000 ids')
  .transform((parts) => parts.map(Number))
  .refine((ids) => ids.every((value) => value <= Number.MAX_SAFE_INTEGER), 'is out of range')
  .meta(
    asQuery({
      type: 'array',
      items: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      maxItems: 1000,
    }),
  );

const moment = String.raw`\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2}))?`;
const rangePattern = new RegExp(`^(?:${moment})?\\.\\.\\.(?:${moment})?$`);

const RANGE_WORDS =
  '<start>...<end>, each YYYY-MM-DD, YYYY-MM-DDTHH:MM:SSZ or YYYY-MM-DDTHH:MM:SS+HH:MM, the start not after the end';

/** `start...end`; each side a date, a UTC or a zoned time, or empty (decisions §2.4). Parsed further by `parseRange`. */
export const dateRange = z
  .string({ error: 'must be one range' })
  .refine((value) => parseRange(value) !== null, `must be ${RANGE_WORDS}`)
  .meta(asQuery({ type: 'string', description: `${RANGE_WORDS}; one of them may be left out` }));

export interface MomentRange {
  /** Inclusive, milliseconds since the epoch; null is open. */
  readonly from: number | null;
  /** Inclusive, milliseconds since the epoch; null is open. */
  readonly to: number | null;
}

const DAY_MS = 86_400_000;

const realDate = (text: string): boolean => {
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10) === text.slice(0, 10);
};

/** The `+` of `+02:00`, sent as it is in a query string, arrives as a space. */
const plusOfZone = / (?=\d{2}:\d{2}(?:\.\.\.|$))/g;

/** How long what a text names lasts, milliseconds: a day, a second, or the smallest there is where it has a fraction. */
const widthOf = (text: string): number => {
  if (text.length === 10) return DAY_MS;
  return text.includes('.') ? 1 : 1000;
};

/** Both ends included; a date alone means that whole UTC day. Null when the text is no range. */
export const parseRange = (text: string): MomentRange | null => {
  const value = text.replace(plusOfZone, '+');
  if (!rangePattern.test(value)) return null;
  const [start = '', end = ''] = value.split('...');
  if (start === '' && end === '') return null;
  for (const side of [start, end]) {
    if (side === '') continue;
    if (!realDate(side) || Number.isNaN(Date.parse(side))) return null;
  }
  const from = start === '' ? null : Date.parse(start);
  const to = end === '' ? null : Date.parse(end) + widthOf(end) - 1;
  return from !== null && to !== null && from > to ? null : { from, to };
};

export const nearMissFilters = filtersOf({
  created_at: dateRange.optional(),
  affected_company_id: idList.optional(),
  affected_party_id: idList.optional(),
  affected_person_id: idList.optional(),
  harm_source_id: idList.optional(),
  work_activity_id: idList.optional(),
  managed_equipment_id: queryId.optional(),
  query: z
    .string({ error: 'must be one text' })
    .max(500, 'must have at most 500 characters')
    .optional(),
});

const incidentQuery = z.object({ incident_id: queryId.optional() });

export const nearMissListQuery = z.object({
  incident_id: queryId.optional(),
  ...pagingQuery,
  filters: nearMissFilters.optional(),
  sort: z.enum(sortValues, { error: `must be one of ${sortValues.join(', ')}` }).optional(),
});
export type NearMissListQuery = z.infer<typeof nearMissListQuery>;

const tag = 'Near misses';
const base = '/rest/v1.0/projects/{project_id}/incidents/near_misses';
const bin = '/rest/v1.0/projects/{project_id}/recycle_bin/incidents/near_misses';
const one = { project_id: pathId, id: pathId };

export const nearMissEndpoints = {
  'near_misses.list': endpoint({
    method: 'GET',
    path: base,
    params: { project_id: pathId },
    query: nearMissListQuery,
    reply: z.array(nearMiss),
    paging: 'link',
    tag,
    summary: 'List near misses',
  }),
  'near_misses.create': endpoint({
    method: 'POST',
    path: base,
    params: { project_id: pathId },
    body: z.object({ near_miss: nearMissCreate }),
    reply: nearMiss,
    status: 201,
    tag,
    summary: 'Create a near miss',
  }),
  'near_misses.show': endpoint({
    method: 'GET',
    path: `${base}/{id}`,
    params: one,
    query: incidentQuery,
    reply: nearMiss,
    tag,
    summary: 'Show a near miss',
  }),
  'near_misses.update': endpoint({
    method: 'PATCH',
    path: `${base}/{id}`,
    params: one,
    query: incidentQuery,
    body: z.object({ near_miss: nearMissUpdate }),
    reply: nearMiss,
    tag,
    summary: 'Update a near miss',
  }),
  'near_misses.delete': endpoint({
    method: 'DELETE',
    path: `${base}/{id}`,
    params: one,
    query: incidentQuery,
    tag,
    summary: 'Send a near miss to the recycle bin',
  }),
  'recycled_near_misses.list': endpoint({
    method: 'GET',
    path: bin,
    params: { project_id: pathId },
    query: nearMissListQuery,
    reply: z.array(nearMiss),
    paging: 'counts',
    tag,
    summary: 'List recycled near misses',
  }),
  'recycled_near_misses.show': endpoint({
    method: 'GET',
    path: `${bin}/{id}`,
    params: one,
    query: incidentQuery,
    reply: nearMiss,
    tag,
    summary: 'Show a recycled near miss',
  }),
  'recycled_near_misses.restore': endpoint({
    method: 'PATCH',
    path: `${bin}/{id}/restore`,
    params: one,
    query: incidentQuery,
    reply: nearMiss,
    tag,
    summary: 'Take a near miss out of the recycle bin',
  }),
};
