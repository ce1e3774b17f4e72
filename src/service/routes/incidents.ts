/** [ours] Incidents (decisions §4.1). */
import type { Access } from '../../contract/rest/access/levels.ts';
import { seesOwnOnly } from '../domain/access/access.ts';
import {
  createIncident,
  listIncidents,
  showIncident,
  updateIncident,
} from '../domain/near-misses/incidents.ts';
import { incidentImport } from '../domain/near-misses/incident-import.ts';
import type { HandlersOf } from './handler.ts';
import { importRows } from './import-rows.ts';

const whereOf = (call: {
  readonly company_id: number;
  readonly params: { readonly project_id: number };
  readonly user: { readonly id: number };
  readonly access: Access;
}) => ({
  company_id: call.company_id,
  project_id: call.params.project_id,
  user_id: call.user.id,
  access: call.access,
  own: seesOwnOnly(call.access),
});

export const incidentHandlers: HandlersOf<
  'incidents.list' | 'incidents.create' | 'incidents.show' | 'incidents.update' | 'incidents.import'
> = {
  'incidents.list': (call) => listIncidents(call.db, whereOf(call), call.query),
  'incidents.create': (call) =>
    createIncident(call.db, whereOf(call), call.body.incident, call.now),
  'incidents.show': (call) => showIncident(call.db, whereOf(call), call.params.id),
  'incidents.update': (call) => {
    const { db, params, body, now, if_match } = call;
    return updateIncident(db, whereOf(call), params.id, body.incident, now, if_match);
  },
  'incidents.import': (call) => {
    const context = { ...whereOf(call), db: call.db, now: call.now };
    return importRows(call, (bad) => incidentImport(context, bad));
  },
};
