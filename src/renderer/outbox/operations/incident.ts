/**
 * `incident.create`: an incident opened on this laptop (decisions §4.1). Its lane holds nothing else; the near misses filed under
 * it are claimed once its link is there (lanes.ts). The endpoint is ours and comes together with the idempotency keys
 * (§1.5), so that a lost answer is answered again; a server without it refuses, and the item says so.
 */
import { ok } from '../../../contract/problem.ts';
import type { Incident } from '../../../contract/rest/incidents.ts';
import { incidentLink } from '../../data/incident-ids.ts';
import type { Operation } from './operation.ts';

export const incidentCreateOperation: Operation<'incident.create', Incident> = {
  async send({ project_id, incident }, { host, entry }) {
    const answer = await host.request('incidents.create', {
      params: { project_id },
      body: { incident },
      idempotency_key: entry.id,
    });
    return answer.ok ? ok(answer.value.data) : answer;
  },

  async settle({ project_id, incident_id }, { id, number, title }, { db, entry, seen_at }) {
    // Offered under its own number before the next refresh of the catalog.
    const had = await db.catalogs.get([entry.account, project_id]);
    const incidents = had?.catalog.incidents ?? [];
    if (had !== undefined && !incidents.some((one) => one.id === id))
      await db.catalogs.put({
        ...had,
        catalog: { ...had.catalog, incidents: [...incidents, { id, number, title }] },
        known_at: seen_at,
      });
    return [{ local_id: incidentLink(incident_id), server_id: id }];
  },
};
