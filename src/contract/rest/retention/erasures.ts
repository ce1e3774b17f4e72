/**
 * [ours] Erases the name of one person from a company (decisions §21): a preview lists every place that holds it, an admin decides
 * place by place, the service carries it out record by record, and a proof stays that never holds the name.
 */
import { z } from 'zod';
import { dateTime, endpoint, id, pathId } from '../protocol/endpoint.ts';
import { pagingQuery } from '../protocol/paging.ts';

/** Places of one erasure. A name with more is too short or too common to decide about. */
export const HITS_MAX = 5000;
const NAME = { min: 3, max: 255 } as const;
const ALSO_MAX = 20;

/** `access`: names of tokens and addresses of webhooks. `copy`: kept answers, deliveries and mails, each table as one place. */
export const hitKinds = [
  'user',
  'person',
  'party',
  'report',
  'history',
  'comment',
  'photo_name',
  'photo',
  'legal_hold',
  'incident',
  'company_data',
  'file_name',
  'access',
  'copy',
] as const;
export type HitKind = (typeof hitKinds)[number];

/** `erase`: the text goes, of a photo a blurred copy stays. `pseudonymise`: a pseudonym takes the place of the name. */
const erasureActs = ['erase', 'pseudonymise', 'keep'] as const;
export type ErasureAct = (typeof erasureActs)[number];

const choices: Partial<Record<HitKind, readonly ErasureAct[]>> = {
  user: ['pseudonymise', 'keep'],
  person: ['pseudonymise', 'keep'],
  party: ['pseudonymise', 'keep'],
  history: ['erase', 'keep'],
  photo: ['erase', 'keep'],
  legal_hold: ['keep'],
};

/** The acts that a place takes, the usual one first. */
export const choicesOf = (kind: HitKind): readonly ErasureAct[] =>
  choices[kind] ?? ['pseudonymise', 'erase', 'keep'];

/**
 * Why a place stays although it was chosen. `elsewhere`: the user belongs to another company too. `own_account`: nobody erases the own
 * account. `last_admin`: the company would have no admin. `no_picture`: the file cannot be blurred.
 */
const obstacles = ['legal_hold', 'elsewhere', 'own_account', 'last_admin', 'no_picture'] as const;
export type Obstacle = (typeof obstacles)[number];

/** What names a place. */
export const placeFields = {
  kind: z.enum(hitKinds),
  /** The table of the record: `near_misses`. */
  resource: z.string(),
  /** Null: a whole table of copies. */
  resource_id: id.nullable(),
  project_id: id.nullable(),
  /** Of a near miss (`3-12`) or an incident (`3`). */
  number: z.string().nullable(),
  /** `description`, `custom_field_7`, `name`. */
  field: z.string(),
};

const hit = z.object({
  /** Names the place in a decision. */
  id: z.string(),
  ...placeFields,
  /** The label of a custom field; null for others. */
  label: z.string().nullable(),
  /** The text around the name. */
  excerpt: z.string(),
  proposed: z.enum(erasureActs),
  /** What keeps it as it is, whatever is decided. */
  held: z
    .object({
      why: z.enum(obstacles),
      /** As it was given for a legal hold; null for other obstacles. */
      reason: z.string().nullable(),
    })
    .nullable(),
});
export type ErasureHit = z.infer<typeof hit>;

const name = z
  .string('must be a text')
  .trim()
  .min(NAME.min, `must have at least ${NAME.min} characters`)
  .max(NAME.max, `must have at most ${NAME.max} characters`);

const subject = {
  user_id: id.optional(),
  person_id: id.optional(),
  name: name.optional(),
  /** Other spellings of the name, former names, mail addresses. */
  also_called: z.array(name).max(ALSO_MAX, `must be at most ${ALSO_MAX} names`).default([]),
};

const ONE = 'must be exactly one of user_id, person_id and name';

/** Whom a request concerns, with further fields. */
export const subjectWith = <T extends z.ZodRawShape>(more: T) =>
  z.object({ ...subject, ...more }).refine(
    (body) => {
      const { user_id, person_id, name: called } = body as Partial<ErasureSubject>;
      return [user_id, person_id, called].filter((one) => one !== undefined).length === 1;
    },
    { path: ['name'], message: ONE },
  );

export type ErasureSubject = z.infer<z.ZodObject<typeof subject>>;
const subjectBody = subjectWith({});

const erasurePreview = z.object({
  /** Of the state that was seen. Send it with the decisions. */
  fingerprint: z.string(),
  /** All places. */
  total: z.int(),
  /** A page of them, accounts first, then reports by number. */
  hits: z.array(hit),
});
export type ErasurePreview = z.infer<typeof erasurePreview>;

const decision = z.object({ id: z.string().max(300), act: z.enum(erasureActs) });

const erasureCreate = subjectWith({
  fingerprint: z.string().max(100),
  /** Places that are left out are kept. */
  decisions: z.array(decision).max(HITS_MAX, `must be at most ${HITS_MAX} decisions`),
});
export type ErasureCreate = z.infer<typeof erasureCreate>;

/** A place that was gone when its turn came counts like one that was done. */
const counts = z.object({
  kind: z.enum(hitKinds),
  erased: z.int(),
  pseudonymised: z.int(),
  /** As the admin chose. */
  kept: z.int(),
  /** Chosen, but not done. */
  refused: z.int(),
  waiting: z.int(),
});

const erasure = z.object({
  id,
  /** In place of the name, the same everywhere in this erasure: `Person 7F3K`. */
  pseudonym: z.string(),
  created_at: dateTime,
  created_by: z.object({ id, name: z.string(), login: z.string() }),
  /** Null: it is being carried out. */
  done_at: dateTime.nullable(),
  /** When the last daily copy of the database that holds the name is deleted; null: the service keeps none. */
  copies_until: dateTime.nullable(),
  counts: z.array(counts),
});
export type Erasure = z.infer<typeof erasure>;

/** `chosen`: as the admin decided. `later`: it came after the decision. */
const remainder = z.object({ ...placeFields, why: z.enum(['chosen', 'later', ...obstacles]) });

const erasureProof = erasure.extend({
  /** Places that still hold the name, at most 1,000. */
  remained: z.array(remainder),
});
export type ErasureProof = z.infer<typeof erasureProof>;

const tag = 'Retention';
const path = '/rest/v1.0/companies/{company_id}/erasures';
const params = { company_id: pathId };

export const erasureEndpoints = {
  'erasures.preview': endpoint({
    method: 'POST',
    path: `${path}/preview`,
    params,
    query: z.object(pagingQuery),
    body: z.object({ erasure: subjectBody }),
    reply: erasurePreview,
    // Texts around the name: a stored response is encrypted.
    secret: true,
    extension: true,
    tag,
    summary: 'List every place that holds the name of a person, and change nothing',
  }),
  'erasures.create': endpoint({
    method: 'POST',
    path,
    params,
    body: z.object({ erasure: erasureCreate }),
    reply: erasureProof,
    status: 201,
    extension: true,
    tag,
    summary: 'Erase or pseudonymise a person in the places that were chosen',
  }),
  'erasures.list': endpoint({
    method: 'GET',
    path,
    params,
    query: z.object(pagingQuery),
    reply: z.array(erasure),
    paging: 'link',
    extension: true,
    tag,
    summary: 'List the erasures of the company, newest first',
  }),
  'erasures.show': endpoint({
    method: 'GET',
    path: `${path}/{id}`,
    params: { ...params, id: pathId },
    reply: erasureProof,
    extension: true,
    tag,
    summary: 'Show what an erasure did, and what remained and why',
  }),
};
