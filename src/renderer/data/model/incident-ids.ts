/**
 * Pure: an incident opened on this laptop has a negative number until the server gives it its own; forms, drafts, records and
 * the bodies that wait hold that number like any other. It is exchanged where it is sent, saved or edited, by the link that the
 * journal keeps too (failures A27).
 */
import { companyLane } from './lanes.ts';
import { incidentNeededBy } from '../../operations/operation.ts';
import type { OutboxOperation } from '../db/db.ts';

/** One of 2^52: two laptops whose exports meet do not share one. */
export const newIncidentId = (): number => {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return -((high % 2 ** 20) * 2 ** 32 + low + 1);
};

export const isOpenedHere = (incident_id: number): boolean => incident_id < 0;

/** What every such link begins with. */
export const INCIDENT_LINK = 'incident-';

/** The link's name in the store and the journal. */
export const incidentLink = (incident_id: number): string => `${INCIDENT_LINK}${-incident_id}`;

export const incidentLane = (account: string, project_id: number, incident_id: number): string =>
  companyLane(account, { kind: 'incidents', project_id, incident: -incident_id });

/** The incident opened here that an operation belongs to; null for all others. */
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
