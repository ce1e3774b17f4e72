/** Uploads photos, at most one upload per photo at a time. */
import { fail, type Result } from '../../contract/problem.ts';
import type { Checkpoints } from './checkpoint.ts';
import type { PhotosParts } from './photos-parts.ts';
import type { Link } from './segment-size.ts';
import type { Spool } from './spool/spool-types.ts';
import { uploadPhoto } from './upload.ts';

interface Running {
  readonly key: string;
  readonly result: Promise<Result<{ upload_uuid: string }>>;
  readonly controller: AbortController;
}

export interface UploadInput {
  readonly photo_id: string;
  readonly company_id: number;
  readonly account?: string | undefined;
}

export const createUploads = (
  parts: PhotosParts,
  stores: { readonly spool: Spool; readonly checkpoints: Checkpoints; readonly link: Link },
) => {
  const { session } = parts;
  const sending = new Map<string, Running>();
  /** Once set, no upload starts. */
  let closed = false;

  const begin = async (input: UploadInput, signal: AbortSignal) => {
    const { photo_id: photoId, company_id: companyId, account } = input;
    const photo = await stores.spool.find(photoId);
    if (!photo.ok) return photo;
    const target = await session.target(account);
    if (!target.ok) return target;
    if (signal.aborted) return fail({ kind: 'cancelled' });
    if (target.value.company_id !== companyId) {
      const message = `The session is of company ${target.value.company_id}, not ${companyId}.`;
      return fail({ kind: 'bad_input', messages: [message], fields: { company_id: [message] } });
    }
    const result = await uploadPhoto(
      { ...parts, ...stores },
      { photo: photo.value, target: target.value, account: session.view().account ?? '', signal },
    );
    return session.believe(target.value, result);
  };

  /** A repeated call shares the result. */
  const upload = (input: UploadInput): Promise<Result<{ upload_uuid: string }>> => {
    const { photo_id: photoId, company_id: companyId } = input;
    const key = `${session.view().account} ${companyId}`;
    const now = sending.get(photoId);
    if (now?.key === key && !now.controller.signal.aborted) return now.result;
    now?.controller.abort();
    const controller = new AbortController();
    if (closed) controller.abort();
    const result = (now?.result ?? Promise.resolve())
      .then(() => begin(input, controller.signal))
      .finally(() => sending.get(photoId)?.controller === controller && sending.delete(photoId));
    sending.set(photoId, { key, result, controller });
    return result;
  };

  const cancel = async (photoId: string): Promise<void> => {
    const now = sending.get(photoId);
    now?.controller.abort();
    await now?.result;
  };

  const abort = (): void => {
    closed = true;
    for (const one of sending.values()) one.controller.abort();
  };

  return {
    upload,
    cancel,
    abort,
    ended: () => Promise.allSettled([...sending.values()].map((one) => one.result)),
    has: (photoId: string): boolean => sending.has(photoId),
  };
};
