/** The bytes of a photo that nobody needs any more leave the host's spool, its original with them. */
import type { Deps, PhotoRow } from './db.ts';

/** Drops a photo's bytes from the spool: what was sent, and the original it was made from. */
export const discardBytes = async (
  { host }: Pick<Deps, 'host'>,
  photo: Pick<PhotoRow, 'photo_id' | 'original'>,
): Promise<void> => {
  await host.call('photos.discard', { photo_id: photo.photo_id });
  if (photo.original) await host.call('photos.discard', { photo_id: photo.original.photo_id });
};
