/**
 * Is a photo on its record already? Another laptop may have sent it from an export (import.ts): under the same key, but
 * from an upload of its own, so that the key alone cannot tell. Its bytes can.
 */
import { ok, type Result } from '../../../contract/problem.ts';
import type { SendContext } from './operation.ts';

interface Wanted {
  readonly key: string;
  readonly project_id: number;
  readonly photo: { readonly photo_id: string; readonly size: number; readonly sha256: string };
}

/** The upload it came from; null: it is not there, or is another photo of this laptop with the same bytes. */
export const uploadThere = async (
  { key, project_id, photo }: Wanted,
  id: number,
  { host, db }: Pick<SendContext, 'host' | 'db'>,
): Promise<Result<string | null>> => {
  const shown = await host.request('near_misses.show', { params: { project_id, id } });
  if (!shown.ok) return shown;
  const others = await db.photos.where('near_miss_key').equals(key).toArray();
  const held = new Set(
    others.flatMap((one) => (one.photo_id === photo.photo_id ? [] : (one.upload_uuid ?? []))),
  );
  const same = shown.value.data.attachments?.find(
    (one) =>
      one.sha256 === photo.sha256 &&
      one.size === photo.size &&
      typeof one.upload_uuid === 'string' &&
      !held.has(one.upload_uuid),
  );
  return ok(same?.upload_uuid ?? null);
};
