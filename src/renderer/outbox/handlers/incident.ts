/**
 * Sends `incident.create`: an incident opened on this laptop (decisions §4.1). Its lane holds nothing else. Near misses
 * filed under it are claimed once its id mapping exists (lanes.ts).
 * The endpoint is part of our extension, like the idempotency keys (§1.5), so a repeated request gets the first answer
 * again. A server without the extension refuses, and the item shows it. If the key has expired, the incident is looked
 * up first.
 */
import { ok, type Result } from '../../../contract/problem.ts';
import { everyRow } from '../../../contract/rest/protocol/every-page.ts';
import type { Incident, IncidentCreate } from '../../../contract/rest/incidents.ts';
import { changeCatalog } from '../../data/db/catalog.ts';
import { INCIDENT_LINK, incidentLink } from '../../data/model/incident-ids.ts';
import { isKeyOver } from '../queue/operation-life.ts';
import { believeRecord } from './believe-record.ts';
import { findMade } from './find-made.ts';
import { noRows, type Handler, type SendContext } from './handler.ts';

const PER_PAGE = 1000;

/** The record of an earlier attempt; null if there is none. */
const madeBefore = async (
  project_id: number,
  sent: IncidentCreate,
  context: SendContext,
): Promise<Result<Incident | null>> => {
  const { host, db } = context;
  const all = await everyRow(PER_PAGE, (query) =>
    host.request('incidents.list', { params: { project_id }, query }),
  );
  if (!all.ok) return all;
  const links = await db.links.where('local_id').startsWith(INCIDENT_LINK).toArray();
  const others = new Set(links.map(({ server_id }) => server_id));
  return ok(findMade(all.value, { sent, name: 'title', others }, context));
};

export const incidentCreateOperation: Handler<'incident.create', Incident> = {
  rows: noRows,

  async send({ project_id, incident }, context) {
    const { host, operation, clock } = context;
    if (isKeyOver(operation, clock.now())) {
      const found = await madeBefore(project_id, incident, context);
      if (!found.ok || found.value !== null) return found as Result<Incident>;
    }
    const answer = await host.request('incidents.create', {
      params: { project_id },
      body: { incident },
      idempotency_key: operation.id,
    });
    return answer.ok ? believeRecord(context, incident, answer.value.data, ['title']) : answer;
  },

  async settle({ project_id, incident_id, incident }, made, { db, operation, seen_at }) {
    // Offered under its number before the next refresh of the catalog. Who sees it counts from the first moment: the next report
    // must not begin under a private job.
    const { id, number, title, people, created_by } = made;
    const entry = {
      id,
      number,
      title,
      private: made.private ?? incident.private === true,
      visible_to: [created_by, ...(people ?? [])].flatMap((one) => one?.name ?? []),
    };
    const of = { account: operation.account, project_id, seen_at };
    await changeCatalog(db, of, (catalog) =>
      catalog.incidents.some((one) => one.id === id)
        ? null
        : { ...catalog, incidents: [...catalog.incidents, entry] },
    );
    return [{ local_id: incidentLink(incident_id), server_id: id }];
  },
};
