/** [ours] Reads and changes the company's name and its notices to users (decisions §11.7). */
import { z } from 'zod';
import { answeredByUs } from './protocol/answered.ts';
import { dateTime, endpoint, id, pathId } from './protocol/endpoint.ts';

const text = z.string().nullable();
/** What a company says to its users (decisions §11.7). */
export const companyNotices = z.object({
  /** Whom users ask for help, for example a name and a phone number; null: nobody is named. */
  help_contact: text,
  /** What happens with people's data; null: nothing is said. */
  privacy_notice: text,
});
export type CompanyNotices = z.infer<typeof companyNotices>;

export const company = z.object({ id, name: z.string(), created_at: dateTime });
export type Company = z.infer<typeof company>;

/** A company with what only its own address shows. */
export const companyDetails = company.extend({
  help_contact: answeredByUs(text),
  privacy_notice: answeredByUs(text),
});
export type CompanyDetails = z.infer<typeof companyDetails>;

/** A text of one paragraph; null removes it. */
const notice = (most: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(most, `must have at most ${most} characters`)
    .nullable()
    .optional();

export const companyUpdate = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(255, 'must have at most 255 characters')
    .optional(),
  help_contact: notice(300),
  privacy_notice: notice(600),
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
    reply: companyDetails,
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
    reply: companyDetails,
    extension: true,
    tag,
    summary: 'Change the company’s name and notices',
  }),
};
