/** [ours] The rules of incidents (decisions §4.1). */
import type { Incident, IncidentCreate, IncidentUpdate } from '../../../contract/rest/incidents.ts';
import type { Access } from '../../../contract/rest/access/levels.ts';
import type { Db } from '../../store/engine/db.ts';
import { insertEvent } from '../../store/events.ts';
import { stampChange } from '../../store/engine/change-clock.ts';
import { takeIds } from '../../store/engine/ids.ts';
import * as store from '../../store/near-misses/incidents.ts';
import { touchNearMisses } from '../../store/near-misses/near-misses.ts';
import type { Database } from '../../store/engine/schema.ts';
import { requireOwn } from '../access/access.ts';
import { contentTag, requireMatch } from '../etag.ts';
import { wireTime, wireTimeOrNull } from './near-miss-view.ts';
import { followedPage, followingOf, type FollowQuery } from '../following.ts';
import { pageOf, type Page } from '../page.ts';
import { invalid, notFound } from '../problem.ts';
import { refreshSearchTexts } from '../search-text.ts';

export interface Where {
  readonly company_id: number;
  readonly project_id: number;
  /** The caller. Private incidents exist only for some users (decisions §4.5). */
  readonly user_id: number;
  /** True if only incidents with own reports exist for the caller (decisions §12.2). */
  readonly own?: boolean;
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
  status: row.status === 'closed' ? 'closed' : 'open',
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

export const listIncidents = (
  db: Db,
  where: Where,
  query: FollowQuery,
): Promise<Page<Incident>> => {
  const following = followingOf(query);
  return following === null
    ? pageOf(query, {
        count: () => store.countIncidents(db, where),
        rows: (slice) => store.listIncidents(db, where, slice),
        view: (rows) => view(db, where, rows),
      })
    : followedPage(query, {
        ...store.followIncidents(db, where, following),
        rows: (ids) => store.findIncidents(db, where, ids),
        view: (rows) => view(db, where, rows),
      });
};

/** A record and the ETag of this state (decisions §1.7). */
interface Tagged {
  readonly data: Incident;
  readonly etag: string;
}

const tagged = async (db: Db, where: Where, row: store.IncidentRow): Promise<Tagged> => {
  const [data] = await view(db, where, [row]);
  if (!data) throw new Error('a row had no view');
  return { data, etag: contentTag(data) };
};

export const showIncident = async (db: Db, where: Where, id: number): Promise<Tagged> => {
  const row = await store.findIncident(db, { ...where, id });
  if (!row) throw notFound();
  return tagged(db, where, row);
};

/** Checks and deduplicates the people that a body names. @throws Refusal 422 */
const readPeople = async (
  db: Db,
  where: Where,
  named: IncidentCreate['people_ids'],
): Promise<number[]> => {
  const ids = [...new Set(named ?? [])];
  const found = await store.findPeople(db, where, ids);
  if (ids.some((id) => !found.has(id)))
    throw invalid({ 'incident.people_ids': ['do not all exist in this company or project'] });
  return ids;
};

export const listPeople = (
  tx: Db,
  { company_id }: Where,
  incident_id: number,
  people: readonly number[],
): Promise<void> =>
  store.insertIncidentPeople(
    tx,
    people.map((person_id) => ({ company_id, incident_id, person_id })),
  );

export const recordIncident = (
  tx: Db,
  where: Where,
  id: number,
  change: 'create' | 'update',
  now: number,
): Promise<void> =>
  insertEvent(tx, {
    company_id: where.company_id,
    project_id: where.project_id,
    user_id: where.user_id,
    event_type: change,
    resource_name: 'Incidents',
    resource_id: id,
    created_at: now,
  });

export const newIncident = (
  { company_id, project_id, user_id }: Where,
  { id, number }: { readonly id: number; readonly number: number },
  body: IncidentCreate & Pick<IncidentUpdate, 'status'>,
  { now, updated_at }: { readonly now: number; readonly updated_at: number },
): Database['incidents'] => ({
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
  status: body.status ?? 'open',
  created_by: user_id,
  last_near_miss_number: 0,
  created_at: now,
  updated_at,
});

/** @throws Refusal 422 */
export const createIncident = async (
  tx: Db,
  where: Where,
  body: IncidentCreate,
  now: number,
): Promise<Tagged> => {
  const people = await readPeople(tx, where, body.people_ids);
  const id = await takeIds(tx, 'incidents');
  const number = await store.takeIncidentNumbers(tx, where);
  const updated_at = await stampChange(tx, where.company_id, now);
  await store.insertIncidents(tx, [newIncident(where, { id, number }, body, { now, updated_at })]);
  // Only a private incident lists people.
  if (body.private === true) await listPeople(tx, where, id, people);
  await recordIncident(tx, where, id, 'create', now);
  return showIncident(tx, where, id);
};

const changesOf = (body: IncidentUpdate): Partial<store.IncidentRow> => {
  const changes: Partial<store.IncidentRow> = {};
  if (body.title !== undefined) changes.title = body.title;
  if (body.description !== undefined) changes.description = body.description ?? '';
  if (body.event_date !== undefined)
    changes.event_date = body.event_date === null ? null : Date.parse(body.event_date);
  if (body.time_unknown !== undefined) changes.time_unknown = body.time_unknown ? 1 : 0;
  if (body.location !== undefined) changes.location = body.location;
  if (body.private !== undefined) changes.private = body.private ? 1 : 0;
  if (body.status !== undefined) changes.status = body.status;
  return changes;
};

const sameIds = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((id) => b.includes(id));

/**
 * Replaces the listed people. The person who makes the change must not lose access to the incident.
 * @throws Refusal 422
 */
const changePeople = async (
  tx: Db,
  where: Where,
  id: number,
  people: readonly number[],
): Promise<void> => {
  await store.deleteIncidentPeople(tx, where.company_id, id);
  await listPeople(tx, where, id, people);
  if (!(await store.findIncident(tx, { ...where, id })))
    throw invalid({
      'incident.private': ['would hide it from you: name yourself in people_ids'],
    });
};

/**
 * Records that the readers of an incident have changed, so that followed lists show or remove it and its near misses
 * (decisions §14.4).
 */
const recordSight = async (
  tx: Db,
  loss: { readonly company_id: number; readonly incident_id: number; readonly lost_at: number },
  seen: {
    readonly was_private: boolean;
    readonly is_private: boolean;
    readonly removed: readonly string[];
  },
): Promise<void> => {
  if (seen.is_private && !seen.was_private) await store.recordLossOfAll(tx, loss);
  else if (seen.is_private) await store.recordLossOf(tx, loss, seen.removed);
  await touchNearMisses(tx, loss.company_id, [loss.incident_id], loss.lost_at);
};

/** Applies a body to an incident. False if nothing changes. @throws Refusal 422 */
export const changeIncident = async (
  tx: Db,
  where: Where,
  row: store.IncidentRow,
  body: IncidentUpdate,
  now: number,
): Promise<boolean> => {
  const { company_id } = where;
  const { id } = row;
  const named = await readPeople(tx, where, body.people_ids);
  const had = await store.listIncidentPeople(tx, company_id, row.private === 1 ? [id] : []);
  const listed = had.map((person) => person.id);
  const is_private = body.private ?? row.private === 1;
  const people = is_private ? (body.people_ids === undefined ? listed : named) : [];
  const changes = changesOf(body);
  const names = Object.keys(changes) as (keyof store.IncidentRow)[];
  if (names.every((name) => changes[name] === row[name]) && sameIds(people, listed)) return false;
  const updated_at = await stampChange(tx, company_id, now);
  await store.updateIncident(tx, { company_id, id }, { ...changes, updated_at });
  await changePeople(tx, where, id, people);
  if (is_private !== (row.private === 1) || !sameIds(people, listed))
    await recordSight(
      tx,
      { company_id, incident_id: id, lost_at: updated_at },
      {
        was_private: row.private === 1,
        is_private,
        removed: had.filter((person) => !people.includes(person.id)).map(({ login }) => login),
      },
    );
  if (changes.title !== undefined && changes.title !== row.title)
    await refreshSearchTexts(tx, company_id, 'incident_id', [id]);
  await recordIncident(tx, where, id, 'update', now);
  return true;
};

/** @throws Refusal 404, 412, 422 */
export const updateIncident = async (
  tx: Db,
  where: Where & { readonly access: Access },
  id: number,
  body: IncidentUpdate,
  now: number,
  if_match: string | undefined,
): Promise<Tagged> => {
  const row = await store.findIncident(tx, { ...where, id });
  if (!row) throw notFound();
  requireOwn(where, 'change_work', [row.creator_id]);
  const had = await tagged(tx, where, row);
  requireMatch(if_match, had.etag);
  return (await changeIncident(tx, where, row, body, now)) ? showIncident(tx, where, id) : had;
};
