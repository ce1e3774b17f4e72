/** [ours] Removes one photo from a near miss (decisions §3.7). */
import { endpoint, pathId } from './protocol/endpoint.ts';

export const nearMissAttachmentEndpoints = {
  'near_miss_attachments.delete': endpoint({
    method: 'DELETE',
    path: '/rest/v1.0/projects/{project_id}/incidents/near_misses/{id}/attachments/{attachment_id}',
    params: { project_id: pathId, id: pathId, attachment_id: pathId },
    extension: true,
    tag: 'Near misses',
    summary: 'Take one photo off a near miss',
  }),
};
