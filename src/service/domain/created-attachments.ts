/** [ours] A create that makes several attachments answers the first, and beside it all of them (decisions §6). */
import type { EntryAttachment } from '../../contract/rest/attachments.ts';
import type { FirstAndCreated } from '../../contract/rest/created-attachments.ts';

export const withCreated = (
  first: EntryAttachment,
  created: EntryAttachment[],
): FirstAndCreated => ({
  ...first,
  created,
});
