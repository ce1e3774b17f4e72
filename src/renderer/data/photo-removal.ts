/**
 * Taking a photo off a saved near miss. Where the server cannot have it, it leaves the queue and the laptop at once;
 * else a removal goes behind what waits, and the photo is hidden meanwhile.
 */
import type { Result } from '../../contract/problem.ts';
import { addEntry, dropEntry } from '../outbox/enqueue.ts';
import { bytesOf } from '../entries/entry.ts';
import { photo as queued } from '../entries/queued.ts';
import { neverDone, type OutboxEntry } from '../outbox/entry-life.ts';
import type { PhotoToRemove } from '../entries/photo.ts';
import { removalsIn, removes } from '../entries/photo-removals.ts';
import type { Deps, PhotoRow } from './db.ts';
import { changeRecord } from './near-misses.ts';
import { discardBytes } from './discard-bytes.ts';
import type { PhotoView } from './photos.ts';

/** No upload of it was ever completed, or none is on its way: the record cannot have it. */
const cannotBeThere = (entry: OutboxEntry): boolean =>
  neverDone(entry) ||
  (entry.state === 'parked' &&
    entry.last_problem?.kind === 'photo_damaged' &&
    !bytesOf(entry)?.uploaded);

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

/** `taken_back`: the server never had it, it is gone from this laptop. `queued`: it goes when the queue moves. */
export const removePhoto = async (
  deps: Deps,
  key: string,
  photo: PhotoView,
): Promise<Result<'taken_back' | 'queued'>> => {
  const { db, clock, history } = deps;
  let discard: PhotoRow | null = null;
  const done = await changeRecord(deps, key, (change) => async (row, lane) => {
    const own = photo.local?.photo_id;
    const send = lane.find((entry) => bytesOf(entry)?.photo.photo_id === (own ?? ''));
    if (photo.local !== null && send !== undefined && cannotBeThere(send)) {
      await history.dropped(db, send, clock.now());
      await dropEntry(db, change, send);
      await db.photos.delete(photo.local.photo_id);
      discard = photo.local;
      return 'taken_back' as const;
    }
    const removal = removalOf(row, photo);
    const known = { ...removal, sha256: removal.sha256 ?? '' };
    if (removalsIn(lane).some((queued) => removes(queued, known))) return 'queued' as const;
    // One that will never be sent again by itself: only what the server may have of it is left to remove.
    if (send?.state === 'parked') await dropEntry(db, change, send);
    await addEntry(db, change, row.account, clock.now(), queued.remove(removal));
    return 'queued' as const;
  });
  const gone = discard as PhotoRow | null;
  if (done.ok && gone !== null) await discardBytes(deps, gone);
  return done;
};
