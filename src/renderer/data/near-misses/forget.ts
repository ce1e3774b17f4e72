/**
 * Removes near misses from this laptop, with all that is kept here of the server's record. An unfinished edit keeps the whole
 * text. Everything that removes a record that the server had calls this.
 */
import type { Table } from 'dexie';
import type { NearMissRow, SpotterDb } from '../db/db.ts';
import { orphanEdits } from './drafts.ts';

/** The tables that a transaction of `forgetNearMisses` must include. */
export const tablesOfForgetting = (db: SpotterDb): readonly Table[] => [
  db.near_misses,
  db.drafts,
  db.photos,
  db.news,
  db.history,
  db.server_history,
  db.comments,
  db.comment_drafts,
];

/** The thumbnails of delivered photos, and what was done here. The daily sweep of orphans removes the photos' bytes. */
const dropDelivered = async (db: SpotterDb, keys: readonly string[]): Promise<void> => {
  await db.history.where('key').anyOf(keys).delete();
  await db.photos
    .where('near_miss_key')
    .anyOf(keys)
    .and(({ state }) => state === 'delivered')
    .delete();
};

/** Call it inside a transaction. */
export const forgetNearMisses = async (
  db: SpotterDb,
  rows: readonly NearMissRow[],
): Promise<void> => {
  await orphanEdits(db, rows);
  const keys = rows.map(({ key }) => key);
  await db.near_misses.bulkDelete(keys);
  await db.news.bulkDelete(keys);
  await dropDelivered(db, keys);
  await db.server_history.bulkDelete(keys);
  await db.comments.bulkDelete(keys);
  await db.comment_drafts.bulkDelete(keys);
};
