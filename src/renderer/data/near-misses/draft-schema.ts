/**
 * The shape of a draft read from outside the database. Unknown fields are kept, because a newer version of Spotter may
 * have written them.
 */
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
