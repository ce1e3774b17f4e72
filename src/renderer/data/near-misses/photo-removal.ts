/**
 * Removes a photo from a saved near miss. If the server cannot have it, the photo leaves the queue and the laptop at
 * once. Otherwise a removal is queued behind the pending operations, and the photo is hidden meanwhile.
 */
import type { Result } from '../../../contract/problem.ts';
import { addOperation, dropOperation } from '../../outbox/queue/enqueue.ts';
import { bytesOf } from '../../operations/operation.ts';
import { photo as queued } from '../../operations/queued.ts';
import { provablyNotSent, type OutboxOperation } from '../../outbox/queue/operation-life.ts';
import type { PhotoToRemove } from '../../operations/photo.ts';
import { removalsIn, removes } from '../../operations/photo-removals.ts';
import type { Deps, PhotoRow } from '../db/db.ts';
import { changeRecord } from './near-misses.ts';
import { discardBytes } from '../photos/discard-bytes.ts';
import type { PhotoView } from '../photos/photos.ts';

/**
 * True if the record on the server cannot have the photo: its operation was never sent, or it is parked as damaged before
 * its upload completed.
 */
const cannotBeThere = (operation: OutboxOperation): boolean =>
  provablyNotSent(operation) ||
  (operation.state === 'parked' &&
    operation.last_problem?.kind === 'photo_damaged' &&
    !bytesOf(operation)?.uploaded);

const removalOf = (
  row: { readonly key: string; readonly project_id: number; readonly server_id: number | null },
  { local, remote }: PhotoView,
): PhotoToRemove => ({
  key: row.key,
  project_id: row.project_id,
  server_id: row.server_id,
  attachment_id: remote?.id ?? local?.attachment_id ?? null,
  upload_uuid: local?.upload_uuid ?? remote?.upload_uuid ?? null,
  sha256: local?.sha256 ?? remote?.sha256 ?? null,
});

/** `cancelled`: the server never had it, and it is gone from this laptop. `queued`: the removal is sent later. */
export const removePhoto = async (
  deps: Deps,
  key: string,
  photo: PhotoView,
): Promise<Result<'cancelled' | 'queued'>> => {
  const { db, clock, history } = deps;
  let discard: PhotoRow | null = null;
  const done = await changeRecord(deps, key, (change) => async (row, lane) => {
    const own = photo.local?.photo_id;
    const send = lane.find((operation) => bytesOf(operation)?.photo.photo_id === (own ?? ''));
    if (photo.local !== null && send !== undefined && cannotBeThere(send)) {
      await history.dropped(db, send, clock.now());
      await dropOperation(db, change, send);
      await db.photos.delete(photo.local.photo_id);
      discard = photo.local;
      return 'cancelled' as const;
    }
    const removal = removalOf(row, photo);
    const known = { ...removal, sha256: removal.sha256 ?? '' };
    if (removalsIn(lane).some((queued) => removes(queued, known))) return 'queued' as const;
    // A parked operation does not retry, so drop it; the queued removal deletes any copy on the server.
    if (send?.state === 'parked') await dropOperation(db, change, send);
    await addOperation(db, change, row.account, clock.now(), queued.remove(removal));
    return 'queued' as const;
  });
  const gone = discard as PhotoRow | null;
  if (done.ok && gone !== null) await discardBytes(deps, gone);
  return done;
};
