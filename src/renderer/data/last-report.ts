/** The last near miss recorded on this laptop: what "Same again" takes over, and the incident a new one begins with. */
import type { Deps, NearMissRow } from './db.ts';

/** Rows looked at, newest first: a laptop that only reads has none of its own among thousands. */
const LOOKED_AT = 300;

/** liveQuery: active ones only; what other people reported does not count. */
export const lastReport = async (
  { db }: Pick<Deps, 'db'>,
  account: string,
  project_id: number,
): Promise<NearMissRow | null> => {
  const newest = await db.near_misses
    .where('[account+project_id+bin+created_at]')
    .between([account, project_id, 0, -Infinity], [account, project_id, 0, Infinity])
    .reverse()
    .limit(LOOKED_AT)
    .toArray();
  return newest.find((row) => !row.key.startsWith('srv-')) ?? null;
};
