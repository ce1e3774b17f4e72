/** What the entry of an incident opened on this laptop holds, and what it answers. */
import { z } from 'zod';
import { incidentCreate } from '../../contract/rest/incidents.ts';
import { type Answers, companyFields, type Marks, ofCompany } from './answers.ts';

const createSchema = z.object({
  ...companyFields,
  /** Negative: its number on this laptop. */
  incident_id: z.number().int().negative(),
  incident: incidentCreate,
});
export type IncidentToOpen = z.infer<typeof createSchema>;

export const incidentCreateKind: Answers<IncidentToOpen, Marks> = {
  ...ofCompany,
  record: 'incident',
  does: 'makes',
  many: false,
  blocks: true,
  asks: null,
  disputed: false,
  fixable: true,
  taken_back: 'alone',
  payload: { 1: createSchema },
  over: ({ incident_id, incident }) => ({ puts: 'incident', incident_id, incident }),
};
