/** [ours] The project variant of creating an upload (decisions §5.9): the same upload, made where one works. */
import { createUpload } from '../domain/uploads.ts';
import type { HandlersOf } from './handler.ts';
import { uploadContext } from './uploads.ts';

export const projectUploadHandlers: HandlersOf<'project_uploads.create'> = {
  'project_uploads.create': async (call) => ({
    data: await createUpload(call.db, uploadContext(call), call.params.project_id, call.body),
  }),
};
