/** What the entry of an incident opened on this laptop holds, and what it answers. */
import { z } from 'zod';
import { incidentCreate } from '../../contract/rest/incidents.ts';
import {
  aboutOf,
  type Answers,
  companyFields,
  type Marks,
  noBytes,
  noNotes,
  ofKey,
} from './answers.ts';

const createSchema = z.object({
  ...companyFields,
  /** Negative: its number on this laptop. */
  incident_id: z.number().int().negative(),
  incident: incidentCreate,
});
export type IncidentToOpen = z.infer<typeof createSchema>;

export const incidentCreateKind: Answers<IncidentToOpen, Marks> = {
  ...noNotes,
  ...noBytes,
  record: 'incident',
  does: 'makes',
  many: false,
  blocks: true,
  asks: null,
  order: 'fixed',
  disputed: false,
  fixable: true,
  taken_back: 'alone',
  payload: { 1: createSchema },
  lane: ofKey,
  version: () => 1,
  needs_from: null,
  needs: () => null,
  told: () => null,
  about: aboutOf,
  over: ({ incident_id, incident }) => ({ puts: 'incident', incident_id, incident }),
};
