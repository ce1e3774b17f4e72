/** [ours] Incidents. Every near miss belongs to one (decisions §4.1). */
import { z } from 'zod';
import { answeredByUs } from './protocol/answered.ts';
import { companyRecordImport, importBody } from './company-records.ts';
import { dateTime, endpoint, id, keptMoment, pathId } from './protocol/endpoint.ts';
import { followQuery, rowsOrDeleted } from './protocol/following.ts';

/** A closed incident is no longer offered, but a near miss written for it is still accepted (decisions §4.6). */
const incidentStatuses = ['open', 'closed'] as const;

const person = z.object({ id, name: z.string(), login: z.string() });

export const incident = z.object({
  id,
  number: z.number().int(),
  title: z.string(),
  description: z.string(),
  event_date: dateTime.nullable(),
  time_unknown: z.boolean(),
  location: z.string().nullable(),
  private: z.boolean(),
  status: answeredByUs(z.enum(incidentStatuses)),
  /** People who see a private incident, besides its creator (decisions §4.5). */
  people: answeredByUs(z.array(person)),
  created_by: person.nullable(),
  created_at: dateTime,
  updated_at: dateTime,
});
export type Incident = z.infer<typeof incident>;

export const incidentCreate = z.object({
  title: z.string().trim().min(1, 'must not be empty').max(500),
  description: z.string().nullable().optional(),
  event_date: keptMoment.nullable().optional(),
  time_unknown: z.boolean().optional(),
  location: z.string().max(500).nullable().optional(),
  private: z.boolean().optional(),
  people_ids: z.array(id).max(100).optional(),
});
export type IncidentCreate = z.infer<typeof incidentCreate>;

/** Absent fields stay unchanged. */
export const incidentUpdate = incidentCreate
  .partial()
  .extend({ status: z.enum(incidentStatuses, 'must be open or closed').optional() });
export type IncidentUpdate = z.infer<typeof incidentUpdate>;

/** A row of an import. `id`, else `number`, else the title chooses the incident (decisions §11.5). */
export const incidentRow = z.strictObject({
  id: id.optional(),
  number: id.optional(),
  ...incidentUpdate.shape,
});
export type IncidentRow = z.infer<typeof incidentRow>;

const tag = 'Incidents';
const base = '/rest/v1.0/projects/{project_id}/incidents';

export const incidentEndpoints = {
  'incidents.list': endpoint({
    method: 'GET',
    path: base,
    params: { project_id: pathId },
    query: followQuery({}),
    reply: rowsOrDeleted(incident),
    paging: 'link',
    extension: true,
    tag,
    summary: 'List incidents',
  }),
  'incidents.create': endpoint({
    method: 'POST',
    path: base,
    params: { project_id: pathId },
    body: z.object({ incident: incidentCreate }),
    reply: incident,
    status: 201,
    extension: true,
    tag,
    summary: 'Create an incident',
  }),
  'incidents.show': endpoint({
    method: 'GET',
    path: `${base}/{id}`,
    params: { project_id: pathId, id: pathId },
    reply: incident,
    cacheable: true,
    extension: true,
    tag,
    summary: 'Show an incident',
  }),
  'incidents.update': endpoint({
    method: 'PATCH',
    path: `${base}/{id}`,
    params: { project_id: pathId, id: pathId },
    body: z.object({ incident: incidentUpdate }),
    reply: incident,
    extension: true,
    tag,
    summary: 'Correct, close or reopen an incident',
  }),
  'incidents.import': endpoint({
    method: 'POST',
    path: `${base}/import`,
    params: { project_id: pathId },
    body: importBody(incidentRow),
    items: 'rows',
    reply: companyRecordImport,
    status: 200,
    extension: true,
    tag,
    summary: 'Create, correct or close many incidents: all of them or none',
  }),
};
