/**
 * Drops what this laptop keeps of a near miss that the server has anonymised (decisions §20.3): its photos, and the texts in both
 * histories. The daily sweep of orphans then removes the photos' bytes. Unsent work stays.
 */
import type { NearMissRow, SpotterDb } from '../db/db.ts';

const isAnonymised = ({ server }: Pick<NearMissRow, 'server'>): boolean =>
  Boolean(server?.anonymised_at);

/** Call it inside a transaction that includes photos and both histories. */
export const dropAnonymised = async (
  db: SpotterDb,
  rows: readonly NearMissRow[],
): Promise<void> => {
  const keys = rows.filter(isAnonymised).map(({ key }) => key);
  if (keys.length === 0) return;
  await db.history.where('key').anyOf(keys).delete();
  await db.server_history.bulkDelete(keys);
  await db.photos
    .where('near_miss_key')
    .anyOf(keys)
    .and(({ state }) => state === 'delivered')
    .delete();
};
