/** [ours] Removes one photo from a near miss (decisions §3.7). */
import { removeAttachment } from '../domain/near-misses/near-misses.ts';
import { filesContext } from './context.ts';
import type { HandlersOf } from './handler.ts';

export const nearMissAttachmentHandlers: HandlersOf<'near_miss_attachments.delete'> = {
  'near_miss_attachments.delete': async (call) => {
    const { id, attachment_id } = call.params;
    await removeAttachment(filesContext(call), { id }, attachment_id, call.if_match);
    return { data: undefined };
  },
};
