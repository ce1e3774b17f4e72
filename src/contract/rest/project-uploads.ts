/** [ours] Creates an upload for a project (decisions §5.9). */
import { endpoint, pathId } from './protocol/endpoint.ts';
import { upload, uploadCreate } from './uploads.ts';

export const projectUploadEndpoints = {
  'project_uploads.create': endpoint({
    method: 'POST',
    path: '/rest/v1.1/projects/{project_id}/uploads',
    params: { project_id: pathId },
    body: uploadCreate,
    reply: upload,
    status: 201,
    extension: true,
    tag: 'Uploads',
    summary: 'Create an upload for a project',
  }),
};
