/** [ours] A create that makes several attachments answers the first, and beside it all of them (decisions §6). */
import type { Attachment } from '../../contract/rest/attachments.ts';
import type { FirstAndCreated } from '../../contract/rest/created-attachments.ts';

export const withCreated = (first: Attachment, created: Attachment[]): FirstAndCreated => ({
  ...first,
  created,
});
