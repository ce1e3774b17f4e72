/**
 * Gives an incident that is created on this laptop a negative number until the server assigns an id. Forms, drafts,
 * records and queued operations hold that number like any other. It is replaced when an operation is sent and when a
 * record is saved or edited, by the link that the journal keeps too (failures A27).
 */
import { companyLane } from './lanes.ts';
import { incidentNeededBy } from '../../operations/operation.ts';
import type { OutboxOperation } from '../db/db.ts';

/** Random out of 2^52, so that operations exported from two laptops do not collide. */
export const newIncidentId = (): number => {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return -((high % 2 ** 20) * 2 ** 32 + low + 1);
};

export const isOpenedHere = (incident_id: number): boolean => incident_id < 0;

/** The prefix of every such link. */
export const INCIDENT_LINK = 'incident-';

/** The link's name in the store and the journal. */
export const incidentLink = (incident_id: number): string => `${INCIDENT_LINK}${-incident_id}`;

export const incidentLane = (account: string, project_id: number, incident_id: number): string =>
  companyLane(account, { kind: 'incidents', project_id, incident: -incident_id });

/**
 * The incident created on this laptop that an operation refers to; null if it refers to none. The operation cannot be
 * sent before that incident has its id.
 */
export const incidentNeeded = (
  operation: OutboxOperation,
): { readonly incident_id: number; readonly link: string; readonly lane: string } | null => {
  const need = incidentNeededBy(operation);
  if (need === null) return null;
  const { incident_id, project_id } = need;
  return {
    incident_id,
    link: incidentLink(incident_id),
    lane: incidentLane(operation.account, project_id, incident_id),
  };
};
