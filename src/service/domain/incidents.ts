/** [ours] The rules of incidents (decisions §4.1). */
import type { Incident, IncidentCreate } from '../../contract/rest/incidents.ts';
import type { Db } from '../store/db.ts';
import { insertEvent } from '../store/events.ts';
import { takeIds } from '../store/ids.ts';
import * as store from '../store/incidents.ts';
import { contentTag } from './etag.ts';
import { wireTime, wireTimeOrNull } from './near-miss-view.ts';
import { pageOf, type Page, type Paged } from './page.ts';
import { notFound } from './problem.ts';

interface Where {
  readonly company_id: number;
  readonly project_id: number;
}

const view = (row: store.IncidentRow): Incident => ({
  id: row.id,
  number: row.number,
  title: row.title,
  description: row.description,
  event_date: wireTimeOrNull(row.event_date),
  time_unknown: row.time_unknown === 1,
  location: row.location,
  private: row.private === 1,
  created_by:
    row.creator_id === null
      ? null
      : { id: row.creator_id, name: row.creator_name ?? '', login: row.creator_login ?? '' },
  created_at: wireTime(row.created_at),
  updated_at: wireTime(row.updated_at),
});

export const listIncidents = (db: Db, where: Where, query: Paged): Promise<Page<Incident>> =>
  pageOf(query, {
    count: () => store.countIncidents(db, where),
    rows: (slice) => store.listIncidents(db, where, slice),
    view: (rows) => rows.map(view),
  });

/** A record and the ETag of exactly this state of it (decisions §1.7). */
interface Tagged {
  readonly data: Incident;
  readonly etag: string;
}

/** @throws Refusal 404 */
export const showIncident = async (
  db: Db,
  where: Where & { readonly id: number },
): Promise<Tagged> => {
  const row = await store.findIncident(db, where);
  if (!row) throw notFound();
  const data = view(row);
  return { data, etag: contentTag(data) };
};

export const createIncident = async (
  tx: Db,
  where: Where & { readonly user_id: number; readonly now: number },
  body: IncidentCreate,
): Promise<Tagged> => {
  const { company_id, project_id, user_id, now } = where;
  const id = await takeIds(tx, 'incidents');
  const number = await store.takeIncidentNumber(tx, where);
  await store.insertIncident(tx, {
    company_id,
    id,
    project_id,
    number,
    title: body.title,
    description: body.description ?? '',
    event_date: body.event_date ? Date.parse(body.event_date) : null,
    time_unknown: body.time_unknown === true ? 1 : 0,
    location: body.location ?? null,
    private: body.private === true ? 1 : 0,
    created_by: user_id,
    last_near_miss_number: 0,
    created_at: now,
    updated_at: now,
  });
  await insertEvent(tx, {
    company_id,
    project_id,
    user_id,
    event_type: 'create',
    resource_name: 'Incidents',
    resource_id: id,
    created_at: now,
  });
  return showIncident(tx, { company_id, project_id, id });
};
