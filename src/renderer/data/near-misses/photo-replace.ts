/**
 * Replaces a pending photo of a saved record with another picture, for instance after drawing on it. Only a photo
 * that was provably not sent can be replaced. The operation keeps its position and its upload policy.
 */
import { ulid } from 'ulid';
import { fail, ok, type Result } from '../../../contract/problem.ts';
import { replaceOperation } from '../../outbox/queue/enqueue.ts';
import { photo as queued } from '../../operations/queued.ts';
import { provablyNotSent } from '../../outbox/queue/operation-life.ts';
import type { Deps, OutboxOperation, PhotoRow } from '../db/db.ts';
import { changeRecord } from './near-misses.ts';
import { carriedPhotoOf } from '../model/photo-rows.ts';

const sendingOf = (lane: readonly OutboxOperation[], photo_id: string) =>
  queued.send.in(lane).find(({ payload }) => payload.photo.photo_id === photo_id);

/** True while the photo has not been sent. Check it before a person starts to draw. */
export const replaceable = async (
  { db }: Pick<Deps, 'db'>,
  photo: Pick<PhotoRow, 'photo_id' | 'near_miss_key'>,
): Promise<boolean> => {
  const lane = await db.operations
    .where('lane')
    .equals(photo.near_miss_key ?? '')
    .toArray();
  const operation = sendingOf(lane, photo.photo_id);
  return operation !== undefined && provablyNotSent(operation);
};

/**
 * `ok` when database and journal have the new picture. Problems: `conflict` once sending has begun, and those of
 * `changeRecord`.
 */
export const replaceQueuedPhoto = async (
  deps: Deps,
  from: string,
  row: PhotoRow,
): Promise<Result<PhotoRow>> => {
  const { db, clock } = deps;
  const done = await changeRecord(deps, row.near_miss_key ?? '', (change) => async (_row, lane) => {
    const operation = sendingOf(lane, from);
    if (operation === undefined || !provablyNotSent(operation)) return false;
    // The body names another upload, so the association needs a new idempotency key.
    const other = queued.send({
      ...operation.payload,
      associate_key: ulid(),
      photo: carriedPhotoOf(row),
    });
    const next = await replaceOperation(db, change, operation, other, clock.now());
    if (operation.photo_pace)
      await db.operations.update(next.id, { photo_pace: operation.photo_pace });
    await db.photos.delete(from);
    await db.photos.put({ ...row, state: 'waiting', problem: null });
    return true;
  });
  if (!done.ok) return done;
  return done.value ? ok(row) : fail({ kind: 'conflict', status: 409, messages: [] });
};
