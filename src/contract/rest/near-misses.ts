/** Near misses and their recycle bin (reference: Near miss; decisions §3). */
import { z } from 'zod';
import { answered, answeredByUs } from './protocol/answered.ts';
import { nearMissAttachment } from './attachments.ts';
import { customFieldDataTypes } from './catalog.ts';
import { eachField, lookupFields, person, shownFields, takenFields } from './near-miss-fields.ts';
import { asQuery, filtersOf } from './protocol/described.ts';
import { dateTime, endpoint, id, ours, pathId, queryId } from './protocol/endpoint.ts';
import { pagingQuery } from './protocol/paging.ts';
import {
  followFilters,
  followParameters,
  followSorts,
  judgeFollowing,
  rowsOrDeleted,
} from './protocol/following.ts';
import { dateRange } from './protocol/range.ts';

const author = z.object({ id, name: z.string(), login: z.string() });

/** `custom_fields` in responses: `{"custom_field_7": {"data_type": "...", "value": "..."}}` (decisions §3.6). */
const customFieldValues = z.record(
  z.string(),
  z.object({ data_type: z.string(), value: z.unknown() }),
);
const answeredFieldValues = z.record(
  z.string(),
  z.object({
    data_type: z.enum(customFieldDataTypes),
    value: z.string(),
    /** [ours] `value` as a JSON number or boolean, for programs; the text itself for all other types. */
    typed_value: z.union([z.string(), z.number(), z.boolean()]).meta(ours),
  }),
);
export type AnsweredFieldValues = z.infer<typeof answeredFieldValues>;

/** A near miss in a response. The app relies only on `id`: another server may omit fields it does not know. */
export const nearMiss = z.object({
  id,
  number: answered(z.number().int()),
  full_number: answered(z.string(), z.union([z.string(), z.number()])),
  incident_id: answered(id),
  recordable: answered(z.boolean()),
  type: answered(z.literal('near_miss'), z.string()),
  incident_title: answered(z.string()),
  incident_private: answered(z.boolean()),
  summary: answered(z.string()),
  description_plain_text: answered(z.string()),
  ...shownFields,
  created_at: answered(dateTime),
  deleted_at: answered(dateTime.nullable()),
  incident_created_by: answered(person.nullable()),
  updated_at: answered(dateTime),
  custom_fields: answered(answeredFieldValues, customFieldValues),
  /** [ours] The user who created the near miss (decisions §3.8). `incident_created_by` is the incident's. */
  created_by: answeredByUs(author.nullable()),
  /** [ours] When it was anonymised (decisions §20.3). Then nobody is its author. */
  anonymised_at: answeredByUs(dateTime.nullable()),
  /** [ours] When a name in what it shows was last erased (decisions §21): what a laptop keeps of it from before goes. */
  erased_at: answeredByUs(dateTime.nullable()),
  /** [ours] decisions §3.7 */
  attachments: answeredByUs(z.array(nearMissAttachment)),
  /** [ours] decisions §18: absent from a server without comments. */
  comment_count: answeredByUs(z.number().int()),
});
export type NearMiss = z.infer<typeof nearMiss>;

const writable = {
  ...takenFields,
  /** [ours] decisions §3.7: uploads to add to the existing photos. */
  upload_uuids: z.array(z.string()).max(100).optional().meta(ours),
};

/** The writable fields. `custom_field_<id>` keys pass through unvalidated; the service's rules validate them. */
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
/** Parses `[]=1&[]=2`, `[0]=1&[1]=2`, `1,2` and a repeated name into an array of ids (decisions §2.4). At most 1,000. */
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

const filters = {
  created_at: dateRange.optional(),
  ...eachField(lookupFields, () => idList.optional()),
  managed_equipment_id: queryId.optional(),
  query: z
    .string({ error: 'must be one text' })
    .max(500, 'must have at most 500 characters')
    .optional(),
};

const incidentQuery = z.object({ incident_id: queryId.optional() });

const sorted = <const S extends string>(values: readonly S[]) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` }).optional();

const listQuery = { incident_id: queryId.optional(), ...pagingQuery };

/** The query of the reference. */
const referenceQuery = z.object({
  ...listQuery,
  filters: filtersOf(filters).optional(),
  sort: sorted(sortValues),
});

export const nearMissFilters = filtersOf({ ...filters, ...followFilters });

export const nearMissListQuery = z
  .object({
    ...listQuery,
    ...followParameters,
    filters: nearMissFilters.optional(),
    sort: sorted([...sortValues, ...followSorts]).meta({ 'x-extension-values': followSorts }),
  })
  .superRefine(judgeFollowing);
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
    referenceQuery,
    reply: rowsOrDeleted(nearMiss),
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
    referenceQuery,
    reply: rowsOrDeleted(nearMiss),
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
