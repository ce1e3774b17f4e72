/** The operation that opens an incident on this laptop: its payload and its specification. */
import { z } from 'zod';
import { incidentCreate } from '../../contract/rest/incidents.ts';
import { type OperationSpec, companyFields, type CommonCheckpoint, ofCompany } from './spec.ts';

const createSchema = z.object({
  ...companyFields,
  /** Negative: its local id. */
  incident_id: z.number().int().negative(),
  incident: incidentCreate,
});
export type IncidentToOpen = z.infer<typeof createSchema>;

export const incidentCreateKind: OperationSpec<IncidentToOpen, CommonCheckpoint> = {
  ...ofCompany,
  record: 'incident',
  does: 'makes',
  many: false,
  blocks: true,
  asks: null,
  disputed: false,
  fixable: true,
  on_cancel: 'alone',
  payload: { 1: createSchema },
  optimisticPatch: ({ incident_id, incident }) => ({ puts: 'incident', incident_id, incident }),
};
