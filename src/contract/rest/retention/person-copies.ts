/**
 * [ours] A copy of what a company keeps about one person (decisions §22), for the person to have: what names them by an id, and every text
 * that holds their name. Names of other people are replaced.
 */
import { z } from 'zod';
import { dateTime, endpoint, id, pathId } from '../protocol/endpoint.ts';
import { placeFields, subjectWith } from './erasures.ts';

/** Characters of all texts in one copy. */
export const COPY_TEXT_MAX = 32 * 1024 * 1024;
/** Records in one copy. */
export const COPY_RECORDS_MAX = 50_000;

const personCopyCreate = subjectWith({
  /** True: also texts that hold the first or last name alone, which may be somebody else's. */
  with_parts: z.boolean('must be true or false').default(false),
});
export type PersonCopyCreate = z.infer<typeof personCopyCreate>;

const value = z.union([z.string(), z.number(), z.null()]);

const record = z.object({
  /** The table of the record: `near_misses`, `tokens`. */
  resource: z.string(),
  /** The column that names the person: `created_by`, `affected_person_id`. */
  relation: z.string(),
  /** Null: the record has no id that others may know. */
  resource_id: id.nullable(),
  /** Of the near miss that it belongs to (`3-12`); null for others. */
  number: z.string().nullable(),
  project_id: id.nullable(),
  /** When it was made; null: unknown. */
  at: dateTime.nullable(),
  /** By column; custom fields by their label. Times as in all responses. */
  values: z.record(z.string(), value),
});
export type PersonCopyRecord = z.infer<typeof record>;

const mention = z.object({
  ...placeFields,
  /** The label of a custom field; null for others. */
  label: z.string().nullable(),
  /** `part`: the first or last name alone. */
  match: z.enum(['whole', 'part']),
  /** The whole text, without tags. */
  text: z.string(),
});
export type PersonCopyMention = z.infer<typeof mention>;

const photo = z.object({
  attachment_id: id,
  near_miss_id: id,
  project_id: id,
  number: z.string(),
  size: z.int(),
  sha256: z.string(),
  content_type: z.string(),
  /** True: the person filed the report. False: the report names the person, who may be on the photo or not. */
  own: z.boolean(),
});
export type PersonCopyPhoto = z.infer<typeof photo>;

const personCopy = z.object({
  made_at: dateTime,
  /** What was looked for: names, logins, other spellings. */
  names: z.array(z.string()),
  /** Newest first in each table. */
  records: z.array(record),
  /** Texts that hold the name, in the order of an erasure's preview. */
  mentions: z.array(mention),
  /** Without their names, which people rarely read. */
  photos: z.array(photo),
  /** Records and texts of private incidents that the admin does not see (decisions §4.5): they are left out. */
  hidden: z.int(),
  /** Texts with a part of the name alone that were left out. */
  parts_left_out: z.int(),
});
export type PersonCopy = z.infer<typeof personCopy>;

export const personCopyEndpoints = {
  'person_copies.create': endpoint({
    method: 'POST',
    path: '/rest/v1.0/companies/{company_id}/person_copies',
    params: { company_id: pathId },
    body: z.object({ person_copy: personCopyCreate }),
    reply: personCopy,
    status: 201,
    // Full of texts about a person: a stored response is encrypted.
    secret: true,
    extension: true,
    tag: 'Retention',
    summary: 'Make a copy of what is kept about a person, and log it',
  }),
};
