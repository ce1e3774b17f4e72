/** Company uploads (reference: Company uploads; decisions §5.1-5.4, §5.6). Bytes come in under routes/files.ts. */
import {
  checkCompletion,
  createUpload,
  finishSegments,
  isComplete,
  ownUpload,
  partsOf,
  saysComplete,
  showUpload,
  type UploadContext,
} from '../domain/uploads.ts';
import { listSegments } from '../store/uploads.ts';
import type { EndpointName } from '../../contract/rest/index.ts';
import type { Call, HandlersOf } from './handler.ts';

/** What the rules of uploads need to know about a request. */
export const uploadContext = <N extends EndpointName>(call: Call<N>): UploadContext => ({
  company_id: call.company_id,
  user_id: call.user.id,
  now: call.app.uploads.now(),
  base_url: call.base_url,
  options: call.app.options,
  signer: call.app.uploads.signer,
});

export const uploadHandlers: HandlersOf<'uploads.create' | 'uploads.show' | 'uploads.update'> = {
  'uploads.create': async (call) => ({
    data: await createUpload(call.db, uploadContext(call), null, call.body),
  }),
  'uploads.show': async (call) => ({
    data: await showUpload(call.db, uploadContext(call), call.params.uuid),
  }),
  'uploads.update': {
    // The whole file's sha256 is read before the transaction: others share its commit and must not wait for a disk.
    prepare: async (call) => {
      const { uuid } = call.params;
      const upload = await ownUpload(call.db, uploadContext(call), uuid);
      const rows = await listSegments(call.db, call.company_id, uuid);
      checkCompletion(call.body, rows);
      let digest: string | null = null;
      if (saysComplete(call.body) && !isComplete(upload))
        digest =
          rows.length === 1 && rows[0]
            ? rows[0].sha256
            : await call.app.uploads.files.digest(uuid, partsOf(rows));
      return async (inside) => ({
        data: await finishSegments(inside.db, uploadContext(inside), uuid, inside.body, digest),
      });
    },
  },
};
