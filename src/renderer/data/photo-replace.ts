/**
 * Another picture in the place of a photo that waits: drawn on after the record was saved. Only where no record can have the
 * one before (the queue's own rule); the entry keeps its place in the order and what a person said of its pace.
 */
import { ulid } from 'ulid';
import { fail, ok, type Result } from '../../contract/problem.ts';
import { replaceEntry } from '../outbox/enqueue.ts';
import { photo as queued } from '../entries/queued.ts';
import { neverDone } from '../outbox/entry-life.ts';
import type { Deps, OutboxEntry, PhotoRow } from './db.ts';
import { changeRecord } from './near-misses.ts';
import { carriedPhotoOf } from './photo-rows.ts';

const sendingOf = (lane: readonly OutboxEntry[], photo_id: string) =>
  queued.send.in(lane).find(({ payload }) => payload.photo.photo_id === photo_id);

/** May the photo still be changed? No, where its sending has begun or is over. Asked before a person draws. */
export const replaceable = async (
  { db }: Pick<Deps, 'db'>,
  photo: Pick<PhotoRow, 'photo_id' | 'near_miss_key'>,
): Promise<boolean> => {
  const lane = await db.entries
    .where('lane')
    .equals(photo.near_miss_key ?? '')
    .toArray();
  const entry = sendingOf(lane, photo.photo_id);
  return entry !== undefined && neverDone(entry);
};

/** `ok` when database and journal have the new one. Problems: `conflict` where its sending has begun; as of `changeRecord`. */
export const replaceQueuedPhoto = async (
  deps: Deps,
  from: string,
  row: PhotoRow,
): Promise<Result<PhotoRow>> => {
  const { db, clock } = deps;
  const done = await changeRecord(deps, row.near_miss_key ?? '', (change) => async (_row, lane) => {
    const entry = sendingOf(lane, from);
    if (entry === undefined || !neverDone(entry)) return false;
    // The body names another upload: the association needs another key too.
    const other = queued.send({
      ...entry.payload,
      associate_key: ulid(),
      photo: carriedPhotoOf(row),
    });
    const next = await replaceEntry(db, change, entry, other, clock.now());
    if (entry.photo_pace) await db.entries.update(next.id, { photo_pace: entry.photo_pace });
    await db.photos.delete(from);
    await db.photos.put({ ...row, state: 'waiting', problem: null });
    return true;
  });
  if (!done.ok) return done;
  return done.value ? ok(row) : fail({ kind: 'conflict', status: 409, messages: [] });
};
