/** [ours] Creates an upload inside a project (decisions §5.9); otherwise the same as a company upload. */
import { createUpload } from '../domain/uploads/uploads.ts';
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
