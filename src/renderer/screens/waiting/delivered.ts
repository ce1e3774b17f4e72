/** Near misses created on this laptop and delivered recently, with their receipts. */
import type { Deps, NearMissRow } from '../../data/db/db.ts';
import { listNearMisses } from '../../data/index/near-miss-list.ts';

const DAYS = 7;
const SHOWN = 20;
const LOOKED_AT = 200;

export interface Delivered {
  readonly row: NearMissRow;
  readonly photos: number;
  readonly bytes: number;
  /** When its last part was accepted or verified, in milliseconds since the epoch. */
  readonly at: number;
}

/**
 * The newest near misses of the last days that were created on this laptop and have no pending operations. `created_at` of a
 * delivered record is the server's, so a report written last week and delivered today is included.
 */
export const deliveredLately = async (
  deps: Pick<Deps, 'db'>,
  { account, project_id }: { readonly account: string; readonly project_id: number },
  now: number,
): Promise<readonly Delivered[]> => {
  const page = await listNearMisses(deps, { account, project_id, offset: 0, limit: LOOKED_AT });
  const fresh = page.rows.filter(
    (row) =>
      row.server_id !== null &&
      !row.key.startsWith('srv-') &&
      row.created_at >= now - DAYS * 86_400_000,
  );
  const lanes = fresh.map((row) => row.key);
  const waits = await deps.db.operations.where('lane').anyOf(lanes).toArray();
  const waiting = new Set(waits.map((operation) => operation.lane));
  const mine = fresh.filter((row) => !waiting.has(row.key));
  const photos = await deps.db.photos
    .where('near_miss_key')
    .anyOf(mine.map((row) => row.key))
    .toArray();
  const receipts = Map.groupBy(
    photos.flatMap(({ near_miss_key, receipt }) => (receipt ? [{ near_miss_key, receipt }] : [])),
    ({ near_miss_key }) => near_miss_key ?? '',
  );
  return mine
    .map((row) => {
      const of = (receipts.get(row.key) ?? []).map(({ receipt }) => receipt);
      // `named`: the server lists the file, but its bytes were not verified.
      const read = of.filter((receipt) => receipt.checked !== 'named');
      return {
        row,
        photos: read.length,
        bytes: read.reduce((sum, receipt) => sum + receipt.size, 0),
        at: Math.max(row.created_at, ...of.map((receipt) => receipt.checked_at)),
      };
    })
    .sort((a, b) => b.at - a.at)
    .slice(0, SHOWN);
};
