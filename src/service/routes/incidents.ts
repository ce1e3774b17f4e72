/** [ours] Incidents (decisions §4.1). */
import { createIncident, listIncidents, showIncident } from '../domain/incidents.ts';
import type { HandlersOf } from './handler.ts';

export const incidentHandlers: HandlersOf<
  'incidents.list' | 'incidents.create' | 'incidents.show'
> = {
  'incidents.list': ({ db, company_id, params, query }) =>
    listIncidents(db, { company_id, project_id: params.project_id }, query),
  'incidents.create': ({ db, company_id, params, user, now, body }) => {
    const where = { company_id, project_id: params.project_id, user_id: user.id, now };
    return createIncident(db, where, body.incident);
  },
  'incidents.show': ({ db, company_id, params }) =>
    showIncident(db, { company_id, project_id: params.project_id, id: params.id }),
};
