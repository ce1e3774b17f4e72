/** [ours] The rules of incidents (decisions §4.1). */
import type { Incident, IncidentCreate } from '../../contract/rest/incidents.ts';
import type { Db } from '../store/db.ts';
import { insertEvent } from '../store/events.ts';
import { takeIds } from '../store/ids.ts';
import * as store from '../store/incidents.ts';
import { contentTag } from './etag.ts';
import { wireTime, wireTimeOrNull } from './near-miss-view.ts';
import { pageOf, type Page, type Paged } from './page.ts';
import { invalid, notFound } from './problem.ts';

interface Where {
  readonly company_id: number;
  readonly project_id: number;
  /** Who asks: a private incident is there for some only (decisions §4.5). */
  readonly user_id: number;
}

type Person = NonNullable<Incident['people']>[number];

const viewOne = (row: store.IncidentRow, people: readonly Person[]): Incident => ({
  id: row.id,
  number: row.number,
  title: row.title,
  description: row.description,
  event_date: wireTimeOrNull(row.event_date),
  time_unknown: row.time_unknown === 1,
  location: row.location,
  private: row.private === 1,
  people: [...people],
  created_by:
    row.creator_id === null
      ? null
      : { id: row.creator_id, name: row.creator_name ?? '', login: row.creator_login ?? '' },
  created_at: wireTime(row.created_at),
  updated_at: wireTime(row.updated_at),
});

const view = async (
  db: Db,
  { company_id }: Where,
  rows: readonly store.IncidentRow[],
): Promise<Incident[]> => {
  const closed = rows.filter((row) => row.private === 1).map(({ id }) => id);
  const listed = await store.listIncidentPeople(db, company_id, closed);
  const people = Map.groupBy(listed, ({ incident_id }) => incident_id);
  return rows.map((row) =>
    viewOne(
      row,
      (people.get(row.id) ?? []).map(({ id, name, login }) => ({ id, name, login })),
    ),
  );
};

export const listIncidents = (db: Db, where: Where, query: Paged): Promise<Page<Incident>> =>
  pageOf(query, {
    count: () => store.countIncidents(db, where),
    rows: (slice) => store.listIncidents(db, where, slice),
    view: (rows) => view(db, where, rows),
  });

/** A record and the ETag of exactly this state of it (decisions §1.7). */
interface Tagged {
  readonly data: Incident;
  readonly etag: string;
}

/** @throws Refusal 404 */
export const showIncident = async (db: Db, where: Where, id: number): Promise<Tagged> => {
  const row = await store.findIncident(db, { ...where, id });
  if (!row) throw notFound();
  const [data] = await view(db, where, [row]);
  if (!data) throw new Error('a row had no view');
  return { data, etag: contentTag(data) };
};

/** Whom a private incident lists; an open one lists nobody. @throws Refusal 422 */
const readPeople = async (db: Db, where: Where, body: IncidentCreate): Promise<number[]> => {
  const ids = [...new Set(body.people_ids ?? [])];
  const found = await store.findPeople(db, where, ids);
  if (ids.some((id) => !found.has(id)))
    throw invalid({ 'incident.people_ids': ['do not all exist in this company or project'] });
  return body.private === true ? ids : [];
};

/** @throws Refusal 422 */
export const createIncident = async (
  tx: Db,
  where: Where,
  body: IncidentCreate,
  now: number,
): Promise<Tagged> => {
  const { company_id, project_id, user_id } = where;
  const people = await readPeople(tx, where, body);
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
  await store.insertIncidentPeople(
    tx,
    people.map((person_id) => ({ company_id, incident_id: id, person_id })),
  );
  await insertEvent(tx, {
    company_id,
    project_id,
    user_id,
    event_type: 'create',
    resource_name: 'Incidents',
    resource_id: id,
    created_at: now,
  });
  return showIncident(tx, where, id);
};
