/**
 * [ours] The plans of a project: one drawing each, with its revisions (decisions §17). A revision is shown by its pictures, which are
 * one drawing in several sizes, so that nobody who reads a plan has to open a PDF.
 */
import { z } from 'zod';
import { dateTime, endpoint, id, pathId } from '../protocol/endpoint.ts';
import { pagingQuery } from '../protocol/paging.ts';

/** Bytes of one file of a plan. */
export const PLAN_FILE_MAX = 50 * 1024 * 1024;
/** Pixels of one picture: decoded, it takes four bytes for each. */
export const PLAN_PIXELS_MAX = 40_000_000;
const PLAN_PICTURES_MAX = 4;
export const PLANS_MAX = 1000;
export const PLAN_REVISIONS_MAX = 100;

const name = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(100, 'must have at most 100 characters');
/** `A-103`, or the letter of a revision. `null` or an empty text: none. */
const shortText = z.string().trim().max(40, 'must have at most 40 characters').nullable();
const uuid = z.string().min(1).max(200);

const drawing = {
  /** The drawing as it was issued: a PNG, a JPEG or a PDF. */
  upload_uuid: uuid,
  /** The page of a PDF. */
  page: z.number().int().min(1).max(10_000).nullish(),
  /** The drawing as PNG or JPEG in several sizes. A PDF needs at least one; without any, a picture is shown as it is. */
  picture_uuids: z
    .array(uuid)
    .max(PLAN_PICTURES_MAX, `must be at most ${PLAN_PICTURES_MAX} pictures`)
    .nullish(),
  /** The label of the revision: `C`, `P02`. */
  revision: shortText.optional(),
};

const planCreate = z.object({ name, number: shortText.optional(), ...drawing });
export type PlanCreate = z.infer<typeof planCreate>;
const planUpdate = z
  .object({ name, number: shortText, active: z.boolean('must be true or false') })
  .partial();
export type PlanUpdate = z.infer<typeof planUpdate>;
const revisionCreate = z.object(drawing);
export type PlanDrawing = z.infer<typeof revisionCreate>;

const file = {
  /** The id of the file within the company. */
  id,
  filename: z.string(),
  content_type: z.string(),
  size: z.number().int(),
  sha256: z.string(),
  url: z.string(),
};
const picture = z.object({ ...file, width: z.number().int(), height: z.number().int() });
export type PlanPicture = z.infer<typeof picture>;

const planRevision = z.object({
  /** Unique within the company: the `#ID` of a pin. */
  id,
  revision: z.string().nullable(),
  page: z.number().int().nullable(),
  drawing: z.object(file),
  /** Smallest first. */
  pictures: z.array(picture),
  created_at: dateTime,
  created_by: z.object({ id, name: z.string(), login: z.string() }),
});
export type PlanRevision = z.infer<typeof planRevision>;

export const plan = z.object({
  id,
  project_id: id,
  name: z.string(),
  number: z.string().nullable(),
  /** False: no longer offered. Pins on it stay. */
  active: z.boolean(),
  /** Newest first. Never empty. */
  revisions: z.array(planRevision),
  created_at: dateTime,
  updated_at: dateTime,
});
export type Plan = z.infer<typeof plan>;

const tag = 'Plans';
const path = '/rest/v1.0/projects/{project_id}/plans';

export const planEndpoints = {
  'plans.list': endpoint({
    method: 'GET',
    path,
    params: { project_id: pathId },
    query: z.object(pagingQuery),
    reply: z.array(plan),
    paging: 'link',
    extension: true,
    tag,
    summary: 'List the plans of a project, newest first',
  }),
  'plans.create': endpoint({
    method: 'POST',
    path,
    params: { project_id: pathId },
    body: z.object({ plan: planCreate }),
    reply: plan,
    status: 201,
    extension: true,
    tag,
    summary: 'Create a plan from an upload',
  }),
  'plans.show': endpoint({
    method: 'GET',
    path: `${path}/{id}`,
    params: { project_id: pathId, id: pathId },
    reply: plan,
    extension: true,
    tag,
    summary: 'Show a plan with all its revisions',
  }),
  'plans.update': endpoint({
    method: 'PATCH',
    path: `${path}/{id}`,
    params: { project_id: pathId, id: pathId },
    body: z.object({ plan: planUpdate }),
    reply: plan,
    extension: true,
    tag,
    summary: 'Rename a plan, or take it out of use',
  }),
  'plans.delete': endpoint({
    method: 'DELETE',
    path: `${path}/{id}`,
    params: { project_id: pathId, id: pathId },
    extension: true,
    tag,
    summary: 'Delete a plan with all its revisions and their files',
  }),
  'plan_revisions.create': endpoint({
    method: 'POST',
    path: `${path}/{id}/revisions`,
    params: { project_id: pathId, id: pathId },
    body: z.object({ revision: revisionCreate }),
    reply: plan,
    status: 201,
    extension: true,
    tag,
    summary: 'Add a newer revision of a plan',
  }),
};
