/** The two error bodies of the API (decisions §1.2). */
import { z } from 'zod';

/** `{"errors": ["text"]}` for a request as a whole, `{"errors": {"field": ["message"]}}` for a 422. */
export const errorBody = z.object({
  errors: z.union([z.array(z.string()), z.record(z.string(), z.array(z.string()))]),
});
