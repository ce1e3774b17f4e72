/** [ours] A create that makes several attachments answers the first, and beside it all of them (decisions §6). */
import { z } from 'zod';
import { entryAttachment } from './attachments.ts';
import { ours } from './endpoint.ts';

export const firstAndCreated = entryAttachment.extend({
  created: z.array(entryAttachment).optional().meta(ours),
});
export type FirstAndCreated = z.infer<typeof firstAndCreated>;
