/** The last near miss recorded on this laptop: what "Same again" takes over. And the jobs a new one may begin with. */
import type { Deps, NearMissRow } from './db.ts';

/** Rows looked at, newest first: a laptop that only reads has none of its own among thousands. */
const LOOKED_AT = 300;

/** Active ones only. */
const newest = (
  { db }: Pick<Deps, 'db'>,
  account: string,
  project_id: number,
): Promise<readonly NearMissRow[]> =>
  db.near_misses
    .where('[account+project_id+bin+created_at]')
    .between([account, project_id, 0, -Infinity], [account, project_id, 0, Infinity])
    .reverse()
    .limit(LOOKED_AT)
    .toArray();

/** liveQuery: what other people reported does not count. */
export const lastReport = async (
  deps: Pick<Deps, 'db'>,
  account: string,
  project_id: number,
): Promise<NearMissRow | null> =>
  (await newest(deps, account, project_id)).find((row) => !row.key.startsWith('srv-')) ?? null;

/**
 * The jobs and areas (the API's incidents) that near misses were filed under of late, the likeliest first: that of this person's
 * last one, wherever it was reported, then those that have the most of everybody's.
 */
export const usualIncidents = async (
  deps: Pick<Deps, 'db'>,
  account: string,
  project_id: number,
  me: number | null,
): Promise<readonly number[]> => {
  const rows = (await newest(deps, account, project_id)).filter((row) => row.incident_id > 0);
  const mine = rows.filter((row) => me !== null && row.server?.incident_created_by?.id === me);
  const ids = rows.map((row) => row.incident_id);
  const often = [...Map.groupBy(ids, (id) => id).values()]
    .sort((a, b) => b.length - a.length)
    .flatMap(([id]) => id ?? []);
  return [...new Set([...mine.slice(0, 1).map((row) => row.incident_id), ...often])];
};
