/**
 * Creates and edits incidents on this laptop, also offline (decisions §4.1). A pending incident has no row: it is
 * read from the queue and laid over the catalog, so a rebuild from the journal restores it. Near misses can refer to
 * it at once; they are sent after it.
 */
import { fail, ok, type Result } from '../../../contract/problem.ts';
import type { Catalog } from '../../../contract/rest/catalog.ts';
import { provablyNotSent } from '../../outbox/queue/operation-life.ts';
import { replaceOperation } from '../../outbox/queue/enqueue.ts';
import type { IncidentCreate as NewIncident } from '../../../contract/rest/incidents.ts';
import { optimisticPatchOf } from '../../operations/operation.ts';
import { incident as queued } from '../../operations/queued.ts';
import { emptyCatalog } from '../db/catalog.ts';
import { changeQueue } from '../../outbox/queue/change.ts';
import { enqueueIn, operationsUnder, type Place } from './pending-operations.ts';
import { companyLaneOf, lanesOf } from '../model/lanes.ts';
import type { Deps, OperationState, OutboxOperation, SpotterDb } from '../db/db.ts';
import {
  incidentLane,
  incidentLink,
  incidentNeeded,
  isOpenedHere,
  newIncidentId,
} from '../model/incident-ids.ts';

export type { IncidentCreate as NewIncident } from '../../../contract/rest/incidents.ts';

export interface OpenedIncident {
  readonly id: number;
  readonly operation_id: string;
  readonly state: OperationState;
  readonly incident: NewIncident;
}

const openedOf = (operation: OutboxOperation): OpenedIncident | null => {
  const over = optimisticPatchOf(operation);
  if (over?.puts !== 'incident') return null;
  const { incident_id, incident } = over;
  return { id: incident_id, operation_id: operation.id, state: operation.state, incident };
};

/**
 * liveQuery: the pending incidents of a project, oldest first. Also works inside a transaction that holds the
 * operations.
 */
export const openedIncidents = async (
  db: SpotterDb,
  { account, project_id }: Place,
): Promise<readonly OpenedIncident[]> =>
  (await operationsUnder(db, `${lanesOf('incidents', account, project_id)}-`)).flatMap(
    (operation) => openedOf(operation) ?? [],
  );

/** Names of the people listed on a pending incident. Its creator can see it too. */
const namesOf = (catalog: Catalog | null, { people_ids = [] }: NewIncident): string[] =>
  (catalog?.people ?? []).filter(({ id }) => people_ids?.includes(id)).map(({ name }) => name);

/** The catalog with the pending incidents appended, for forms and for names. */
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
          ...opened.map(({ id, incident }) => ({
            id,
            number: 0,
            title: incident.title,
            private: incident.private === true,
            visible_to: namesOf(catalog, incident),
          })),
        ],
      };

/** The server's id once it is known, otherwise the given id. Also works inside a transaction that holds the links. */
export const resolveIncident = async (db: SpotterDb, incident_id: number): Promise<number> =>
  isOpenedHere(incident_id)
    ? ((await db.links.get(incidentLink(incident_id)))?.server_id ?? incident_id)
    : incident_id;

/** Creates an incident; `ok` means saved on this laptop. Returns its id, which is negative until the server has it. */
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

/** Edits an incident that was never sent. `conflict`: the server may already have it, and nothing was changed. */
export const editOpenedIncident = async (
  deps: Deps,
  operation_id: string,
  incident: NewIncident,
): Promise<Result<null>> => {
  const { db, clock } = deps;
  const done = await changeQueue(
    deps,
    () => [],
    async (change) => {
      const operation = queued.create.read(await db.operations.get(operation_id));
      if (operation === null || !provablyNotSent(operation)) return false;
      const next = queued.create({ ...operation.payload, about: incident.title, incident });
      await replaceOperation(db, change, operation, next, clock.now());
      return true;
    },
  );
  if (!done.ok) return done;
  return done.value ? ok(null) : fail({ kind: 'conflict', status: 409, messages: [] });
};

/** Counts the near misses that wait for this incident. Also works inside a transaction over the operations. */
export const waitingFor = async (
  db: SpotterDb,
  operation: Pick<OutboxOperation, 'account' | 'lane'>,
): Promise<number> => {
  if (companyLaneOf(operation.lane)?.kind !== 'incidents') return 0;
  return db.operations
    .where('[account+seq]')
    .between([operation.account, -Infinity], [operation.account, Infinity])
    .and((one) => incidentNeeded(one)?.lane === operation.lane)
    .count();
};
