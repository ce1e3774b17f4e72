/**
 * `incident.create`: an incident opened on this laptop (decisions §4.1). Its lane holds nothing else; the near misses filed under
 * it are claimed once its link is there (lanes.ts). The endpoint is ours and comes together with the idempotency keys
 * (§1.5), so that a lost answer is answered again; a server without it refuses, and the item says so.
 */
import { ok } from '../../../contract/problem.ts';
import type { Incident } from '../../../contract/rest/incidents.ts';
import { changeCatalog } from '../../data/catalog.ts';
import { incidentLink } from '../../data/incident-ids.ts';
import { noRows, type Operation } from './operation.ts';

export const incidentCreateOperation: Operation<'incident.create', Incident> = {
  rows: noRows,

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
    const of = { account: entry.account, project_id, seen_at };
    await changeCatalog(db, of, (catalog) =>
      catalog.incidents.some((one) => one.id === id)
        ? null
        : { ...catalog, incidents: [...catalog.incidents, { id, number, title }] },
    );
    return [{ local_id: incidentLink(incident_id), server_id: id }];
  },
};
