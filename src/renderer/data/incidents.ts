/**
 * Incidents opened on this laptop, offline too (decisions §4.1). What waits is no row: it is read from the queue and laid over
 * the catalog, so that a rebuild from the journal has it again. Near misses may be filed under it at once; they are sent after it.
 */
import { fail, ok, type Result } from '../../contract/problem.ts';
import type { Catalog } from '../../contract/rest/catalog.ts';
import { neverDone } from '../outbox/entry-life.ts';
import { replaceEntry } from '../outbox/enqueue.ts';
import type { IncidentCreate as NewIncident } from '../../contract/rest/incidents.ts';
import { overOf } from '../entries/entry.ts';
import { incident as queued } from '../entries/queued.ts';
import { emptyCatalog } from './catalog.ts';
import { changeQueue } from '../outbox/change.ts';
import { enqueueIn, entriesUnder, type Place } from './waiting-entries.ts';
import { companyLaneOf, lanesOf } from './lanes.ts';
import type { Deps, EntryState, OutboxEntry, SpotterDb } from './db.ts';
import {
  incidentLane,
  incidentLink,
  incidentNeeded,
  isOpenedHere,
  newIncidentId,
} from './incident-ids.ts';

export type { IncidentCreate as NewIncident } from '../../contract/rest/incidents.ts';

/** An incident that the server does not have yet. */
export interface OpenedIncident {
  /** Negative. */
  readonly id: number;
  readonly entry_id: string;
  readonly state: EntryState;
  readonly incident: NewIncident;
}

const openedOf = (entry: OutboxEntry): OpenedIncident | null => {
  const over = overOf(entry);
  if (over?.puts !== 'incident') return null;
  const { incident_id, incident } = over;
  return { id: incident_id, entry_id: entry.id, state: entry.state, incident };
};

/** liveQuery: those of a project, the oldest first. Also inside a transaction that holds the entries. */
export const openedIncidents = async (
  db: SpotterDb,
  { account, project_id }: Place,
): Promise<readonly OpenedIncident[]> =>
  (await entriesUnder(db, `${lanesOf('incidents', account, project_id)}-`)).flatMap(
    (entry) => openedOf(entry) ?? [],
  );

/** What a form offers and names are taken from: the catalog, with the incidents that wait on top. */
export const withOpened = (
  catalog: Catalog | null,
  opened: readonly OpenedIncident[],
): Catalog | null =>
  opened.length === 0
    ? catalog
    : {
        ...(catalog ?? emptyCatalog),
        incidents: [
          ...(catalog?.incidents ?? []),
          ...opened.map(({ id, incident }) => ({ id, number: 0, title: incident.title })),
        ],
      };

/** The server's number where it has given one by now. Also inside a transaction that holds the links. */
export const resolveIncident = async (db: SpotterDb, incident_id: number): Promise<number> =>
  isOpenedHere(incident_id)
    ? ((await db.links.get(incidentLink(incident_id)))?.server_id ?? incident_id)
    : incident_id;

/** Opens one: `ok` means saved on this laptop. Answers its number, which is negative until the server has it. */
export const openIncident = async (
  deps: Deps,
  owner: Place & { readonly company_id: number },
  incident: NewIncident,
): Promise<Result<number>> => {
  const { account, company_id, project_id } = owner;
  const incident_id = newIncidentId();
  const made = queued.create({
    key: incidentLane(account, project_id, incident_id),
    company_id,
    project_id,
    about: incident.title,
    incident_id,
    incident,
  });
  return changeQueue(
    deps,
    () => [],
    async (change) => {
      await enqueueIn(deps, change, account, made);
      return incident_id;
    },
  );
};

/** Puts one right that the server does not have. `conflict`: it may have it by now, nothing was changed. */
export const editOpenedIncident = async (
  deps: Deps,
  entry_id: string,
  incident: NewIncident,
): Promise<Result<null>> => {
  const { db, clock } = deps;
  const done = await changeQueue(
    deps,
    () => [],
    async (change) => {
      const entry = queued.create.read(await db.entries.get(entry_id));
      if (entry === null || !neverDone(entry)) return false;
      const next = queued.create({ ...entry.payload, about: incident.title, incident });
      await replaceEntry(db, change, entry, next, clock.now());
      return true;
    },
  );
  if (!done.ok) return done;
  return done.value ? ok(null) : fail({ kind: 'conflict', status: 409, messages: [] });
};

/** How many near misses wait for it. Inside a transaction over the entries too. */
export const waitingFor = async (
  db: SpotterDb,
  entry: Pick<OutboxEntry, 'account' | 'lane'>,
): Promise<number> => {
  if (companyLaneOf(entry.lane)?.kind !== 'incidents') return 0;
  return db.entries
    .where('[account+seq]')
    .between([entry.account, -Infinity], [entry.account, Infinity])
    .and((one) => incidentNeeded(one)?.lane === entry.lane)
    .count();
};
