/** [ours] Every choice a form offers, in one cacheable response (decisions §4.2). */
import { z } from 'zod';
import { answeredAs, answeredByUs } from './protocol/answered.ts';
import { companyNotices } from './companies.ts';
import { endpoint, id, pathId } from './protocol/endpoint.ts';

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
  /** `unknown` replaces a data type only another server has. The form leaves such a field alone and says so. */
  data_type: answeredAs(
    z.enum(customFieldDataTypes),
    z.enum([...customFieldDataTypes, 'unknown']).catch('unknown'),
  ),
  /** Choices of a `select`; empty for every other type. */
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
      private: answeredByUs(z.boolean()),
      /** For a private incident, the names of everyone who sees it, including the signed-in user. Other servers omit it. */
      visible_to: z.array(z.string()).optional(),
      /** A closed incident is not offered for new near misses. */
      closed: answeredByUs(z.boolean()),
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
  notices: answeredByUs(companyNotices),
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
