/** [ours] A create that makes several attachments returns the first, with all of them in `created` (decisions §6). */
import { z } from 'zod';
import { answeredByUs } from './protocol/answered.ts';
import { entryAttachment } from './attachments.ts';

export const firstAndCreated = entryAttachment.extend({
  created: answeredByUs(z.array(entryAttachment)),
});
export type FirstAndCreated = z.infer<typeof firstAndCreated>;
