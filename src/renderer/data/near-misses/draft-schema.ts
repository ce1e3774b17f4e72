/** The shape of a draft read from outside the database. Loose, so that fields of a newer Spotter are kept. */
import { z } from 'zod';

export const draftSchema = z.looseObject({
  id: z.string(),
  account: z.string(),
  company_id: z.number(),
  project_id: z.number(),
  fields: z.looseObject({}),
  created_at: z.number(),
  updated_at: z.number(),
});
