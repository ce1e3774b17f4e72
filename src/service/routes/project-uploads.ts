/** [ours] The project variant of creating an upload (decisions §5.9): the same upload, made where one works. */
import { createUpload } from '../domain/uploads.ts';
import type { HandlersOf } from './handler.ts';
import { uploadContext } from './uploads.ts';

export const projectUploadHandlers: HandlersOf<'project_uploads.create'> = {
  'project_uploads.create': {
    prepare: async (call) => {
      const insert = await createUpload(uploadContext(call), call.params.project_id, call.body);
      return async (inside) => ({ data: await insert(inside.db) });
    },
  },
};
