/**
 * Pure: an incident opened on this laptop has a negative number until the server gives it its own; forms, drafts, records and
 * the bodies that wait hold that number like any other. It is exchanged where it is sent, saved or edited, by the link that the
 * journal keeps too (failures A27).
 */
import { companyLane } from './company-lanes.ts';
import type { NearMissFields, OutboxEntry } from './db.ts';

/** One of 2^52: two laptops whose exports meet do not share one. */
export const newIncidentId = (): number => {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return -((high % 2 ** 20) * 2 ** 32 + low + 1);
};

export const isOpenedHere = (incident_id: number): boolean => incident_id < 0;

/** The link's name in the store and the journal. */
export const incidentLink = (incident_id: number): string => `incident-${-incident_id}`;

export const incidentLane = (account: string, project_id: number, incident_id: number): string =>
  companyLane(account, { kind: 'incidents', project_id, incident: -incident_id });

/** A create's version: the first Spotters know none whose incident has no number of the server yet. */
export const createVersion = ({ incident_id }: Pick<NearMissFields, 'incident_id'>): 1 | 2 =>
  isOpenedHere(incident_id) ? 2 : 1;

/** The incident opened here that an entry belongs to; null for all others. Read without the operation's schema. */
export const incidentNeeded = (
  entry: Pick<OutboxEntry, 'kind' | 'account' | 'payload'>,
): { readonly incident_id: number; readonly link: string; readonly lane: string } | null => {
  if (entry.kind !== 'near_miss.create') return null;
  const { body, project_id } = (entry.payload ?? {}) as {
    readonly body?: { readonly incident_id?: unknown };
    readonly project_id?: unknown;
  };
  const id = body?.incident_id;
  if (typeof id !== 'number' || typeof project_id !== 'number' || !isOpenedHere(id)) return null;
  return {
    ...{ incident_id: id, link: incidentLink(id) },
    lane: incidentLane(entry.account, project_id, id),
  };
};
