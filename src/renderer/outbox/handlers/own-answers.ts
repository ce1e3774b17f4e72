/**
 * Keeps one report of this laptop per near miss on the server. A response that names the record of another report is a
 * proxy's mistake, and trusting it would lose one of the two texts.
 */
import type { SpotterDb } from '../../data/db/db.ts';
import { isFromServer } from '../../data/model/near-miss-rows.ts';

/** Lanes of this window's creates, by account and by the id in the response. Their rows may not be written yet. */
const answered = new WeakMap<SpotterDb, Map<string, string>>();

/** True if another report of this laptop already has this record. Otherwise reserves it for the lane. */
export const isAnothers = async (
  db: SpotterDb,
  { account, lane }: { readonly account: string; readonly lane: string },
  server_id: number,
): Promise<boolean> => {
  const lanes = answered.get(db) ?? new Map<string, string>();
  answered.set(db, lanes);
  const name = `${server_id} ${account}`;
  const first = lanes.get(name) ?? lane;
  if (first !== lane) return true;
  // Claim the id before the first await, so that two responses that arrive together see each other.
  lanes.set(name, lane);
  const rows = await db.near_misses
    .where('[account+server_id]')
    .equals([account, server_id])
    .toArray();
  const others = rows.some(({ key }) => key !== lane && !isFromServer(key));
  if (others) lanes.delete(name);
  return others;
};
