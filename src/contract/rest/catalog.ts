/** [ours] Everything a form offers, in one cacheable answer (decisions §4.2). */
import { z } from 'zod';
import { endpoint, id, pathId } from './endpoint.ts';

const named = z.object({ id, name: z.string() });
const lookup = named.extend({ active: z.boolean(), global: z.boolean() });

export const customFieldDataTypes = [
  'string',
  'text',
  'number',
  'date',
  'datetime',
  'boolean',
  'select',
] as const;

export const customFieldDefinition = z.object({
  id,
  label: z.string(),
  /** `unknown`: a type of another server, heard as this. The form leaves such a field alone and says so. */
  data_type: z.enum([...customFieldDataTypes, 'unknown']).catch('unknown'),
  /** The choices of a `select`, else empty. */
  options: z.array(z.string()),
  required: z.boolean(),
});
export type CustomFieldDefinition = z.infer<typeof customFieldDefinition>;

export const catalog = z.object({
  incidents: z.array(
    z.object({
      id,
      number: z.number().int(),
      title: z.string(),
      private: z.boolean().optional(),
      /** Offered no more for what is new. */
      closed: z.boolean().optional(),
    }),
  ),
  companies: z.array(named),
  parties: z.array(named.extend({ reference_user: z.boolean() })),
  people: z.array(named.extend({ login: z.string() })),
  harm_sources: z.array(lookup),
  work_activities: z.array(lookup),
  managed_equipment: z.array(named),
  vendors: z.array(named),
  time_and_material_entries: z.array(named),
  documents: z.array(named.extend({ folder_id: id.nullable() })),
  folders: z.array(named),
  custom_field_definitions: z.array(customFieldDefinition),
});
export type Catalog = z.infer<typeof catalog>;

export const catalogEndpoints = {
  'catalog.show': endpoint({
    method: 'GET',
    path: '/rest/v1.0/projects/{project_id}/catalog',
    params: { project_id: pathId },
    reply: catalog,
    cacheable: true,
    extension: true,
    tag: 'Catalog',
    summary: 'Everything a form offers',
  }),
};
