/**
 * Drops what this laptop keeps from before of a near miss in which the server has erased a name (decisions §21.2): both histories, the
 * comments, and photos that a blurred copy replaced. The daily sweep of orphans then removes the photos' bytes. Unsent work stays.
 */
import type { NearMiss } from '../../../contract/rest/near-misses.ts';
import type { NearMissRow, PhotoRow, SpotterDb } from '../db/db.ts';

/** The tables that a transaction of `dropErased` must include. */
export const tablesOfErased = (db: SpotterDb) => [
  db.photos,
  db.history,
  db.server_history,
  db.comments,
];

/** Call it inside a transaction. @param before the server's copies that the rows had, by key */
export const dropErased = async (
  db: SpotterDb,
  rows: readonly NearMissRow[],
  before: ReadonlyMap<string, NearMiss | null>,
): Promise<void> => {
  const erased = rows.filter(
    ({ key, server }) => server?.erased_at && server.erased_at !== before.get(key)?.erased_at,
  );
  if (erased.length === 0) return;
  const keys = erased.map(({ key }) => key);
  await db.history.where('key').anyOf(keys).delete();
  await db.server_history.bulkDelete(keys);
  await db.comments.bulkDelete(keys);
  const there = erased.flatMap(({ server }) => server?.attachments ?? []);
  const isThere = ({ attachment_id, upload_uuid }: PhotoRow): boolean =>
    there.some(
      (one) =>
        one.id === attachment_id || (upload_uuid !== null && one.upload_uuid === upload_uuid),
    );
  await db.photos
    .where('near_miss_key')
    .anyOf(keys)
    .and((photo) => photo.state === 'delivered' && !isThere(photo))
    .delete();
};
