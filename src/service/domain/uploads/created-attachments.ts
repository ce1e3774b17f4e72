/**
 * [ours] The response to a create that makes several attachments: the first one, plus all of them in `created` (decisions §6).
 */
import type { EntryAttachment } from '../../../contract/rest/attachments.ts';
import type { FirstAndCreated } from '../../../contract/rest/created-attachments.ts';

export const withCreated = (
  first: EntryAttachment,
  created: EntryAttachment[],
): FirstAndCreated => ({
  ...first,
  created,
});
