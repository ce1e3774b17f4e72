/** Company uploads (reference: Company uploads; decisions §5.1-5.4, §5.6). routes/files.ts receives their bytes. */
import {
  checkCompletion,
  createUpload,
  finishSegments,
  isComplete,
  ownUpload,
  renewTargets,
  saysComplete,
  showUpload,
  type UploadContext,
} from '../domain/uploads/uploads.ts';
import { wholeDigest } from '../files/incoming-uploads.ts';
import { listSegments } from '../store/uploads.ts';
import type { EndpointName } from '../../contract/rest/index.ts';
import type { Call, HandlersOf, Run, TwoStep } from './handler.ts';

export const uploadContext = <N extends EndpointName>(call: Call<N>): UploadContext => ({
  company_id: call.company_id,
  user_id: call.user.id,
  now: call.app.uploads.now(),
  base_url: call.base_url,
  options: call.app.options,
  signer: call.app.uploads.signer,
  files: call.app.uploads.files,
  storedBytes: () => call.app.uploads.storedBytes(call.company_id),
});

const ownerOf = <N extends EndpointName>(call: Call<N>) => ({
  company_id: call.company_id,
  user_id: call.user.id,
});

/**
 * Wraps a write that names uploads. It first records what clients sent directly to the bucket, outside the
 * transaction.
 */
export const afterArrivals = <N extends EndpointName>(
  uuidsOf: (call: Call<N>) => readonly string[] | null | undefined,
  run: Run<N>,
): TwoStep<N> => ({
  prepare: async (call) => {
    await call.app.uploads.settle(ownerOf(call), uuidsOf(call) ?? []);
    return run;
  },
});

export const uploadHandlers: HandlersOf<'uploads.create' | 'uploads.show' | 'uploads.update'> = {
  'uploads.create': {
    prepare: async (call) => {
      const insert = await createUpload(uploadContext(call), null, call.body);
      return async (inside) => ({ data: await insert(inside.db) });
    },
  },
  'uploads.show': async (call) => {
    await call.app.uploads.settle(ownerOf(call), [call.params.uuid]);
    return showUpload(call.db, uploadContext(call), call.params.uuid);
  },
  'uploads.update': {
    // Computes the whole file's sha256 before the transaction, because others share its commit and must not wait for
    // a disk.
    prepare: async (call) => {
      const { uuid } = call.params;
      await call.app.uploads.settle(ownerOf(call), [uuid]);
      const upload = await ownUpload(call.db, uploadContext(call), uuid);
      const rows = await listSegments(call.db, call.company_id, uuid);
      checkCompletion(call.body, rows);
      const ends = saysComplete(call.body) && !isComplete(upload);
      const finding = {
        digest: ends ? await wholeDigest(call.app.uploads, rows) : null,
        targets: await renewTargets(call.db, uploadContext(call), uuid),
        if_match: call.if_match,
      };
      return (inside) =>
        finishSegments(inside.db, uploadContext(inside), uuid, inside.body, finding);
    },
  },
};
