/** What was made on this laptop and delivered lately, with its receipt. */
import type { Deps, NearMissRow } from '../../data/db.ts';
import { listNearMisses } from '../../data/near-miss-list.ts';

const DAYS = 7;
const SHOWN = 20;
const LOOKED_AT = 200;

export interface Delivered {
  readonly row: NearMissRow;
  readonly photos: number;
  readonly bytes: number;
  /** When the last part of it was accepted or read back. */
  readonly at: number;
}

/**
 * Made on this laptop, on the server whole, with nothing of them waiting: the newest of the last days. `created_at` of a
 * delivered record is the server's, so that one recorded last week and delivered today is here.
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
  const waits = await deps.db.entries.where('lane').anyOf(lanes).toArray();
  const waiting = new Set(waits.map((entry) => entry.lane));
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
      // One that is only named on the server was not read back.
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
