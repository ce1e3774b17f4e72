/** [ours] Incidents (decisions §4.1). */
import {
  createIncident,
  listIncidents,
  showIncident,
  updateIncident,
} from '../domain/incidents.ts';
import { incidentImport } from '../domain/incident-import.ts';
import type { HandlersOf } from './handler.ts';
import { importRows } from './import-rows.ts';

export const incidentHandlers: HandlersOf<
  'incidents.list' | 'incidents.create' | 'incidents.show' | 'incidents.update' | 'incidents.import'
> = {
  'incidents.list': ({ db, company_id, params, user, query }) => {
    const where = { company_id, project_id: params.project_id, user_id: user.id };
    return listIncidents(db, where, query);
  },
  'incidents.create': ({ db, company_id, params, user, now, body }) => {
    const where = { company_id, project_id: params.project_id, user_id: user.id };
    return createIncident(db, where, body.incident, now);
  },
  'incidents.show': ({ db, company_id, params, user }) => {
    const where = { company_id, project_id: params.project_id, user_id: user.id };
    return showIncident(db, where, params.id);
  },
  'incidents.update': ({ db, company_id, params, user, now, body, if_match }) => {
    const where = { company_id, project_id: params.project_id, user_id: user.id };
    return updateIncident(db, where, params.id, body.incident, now, if_match);
  },
  'incidents.import': (call) => {
    const { db, company_id, params, user, now } = call;
    const context = { db, company_id, project_id: params.project_id, user_id: user.id, now };
    return importRows(call, (bad) => incidentImport(context, bad));
  },
};
