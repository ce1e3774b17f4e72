/** Removes the bytes of a discarded photo from the host's spool. */
import type { Deps, PhotoRow } from '../db/db.ts';

/** Drops the sent version of a photo and its original from the spool. */
export const discardBytes = async (
  { host }: Pick<Deps, 'host'>,
  photo: Pick<PhotoRow, 'photo_id' | 'original'>,
): Promise<void> => {
  await host.call('photos.discard', { photo_id: photo.photo_id });
  if (photo.original) await host.call('photos.discard', { photo_id: photo.original.photo_id });
};
