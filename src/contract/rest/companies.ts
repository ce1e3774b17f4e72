/** [ours] Reads and changes the company's name (decisions §11.7). */
import { z } from 'zod';
import { dateTime, endpoint, id, pathId } from './protocol/endpoint.ts';

export const company = z.object({ id, name: z.string(), created_at: dateTime });
export type Company = z.infer<typeof company>;

export const companyUpdate = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(255, 'must have at most 255 characters')
    .optional(),
});
export type CompanyUpdate = z.infer<typeof companyUpdate>;

const tag = 'Company data';
const path = '/rest/v1.0/companies/{company_id}';
const params = { company_id: pathId };

export const companyEndpoints = {
  'company.show': endpoint({
    method: 'GET',
    path,
    params,
    reply: company,
    cacheable: true,
    extension: true,
    tag,
    summary: 'Show the company',
  }),
  'company.update': endpoint({
    method: 'PATCH',
    path,
    params,
    body: z.object({ company: companyUpdate }),
    reply: company,
    extension: true,
    tag,
    summary: 'Give the company another name',
  }),
};
