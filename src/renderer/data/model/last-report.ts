/** Finds the last near miss recorded on this laptop, for "Same again", and suggests incidents for a new one. */
import type { Deps, NearMissRow } from '../db/db.ts';
import { isFromServer } from './near-miss-rows.ts';

/** Rows to search, newest first: a laptop that only reads has no local record among thousands. */
const LOOKED_AT = 300;

/** Active records only, newest first. */
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

/** liveQuery: the newest record that was created on this laptop. */
export const lastReport = async (
  deps: Pick<Deps, 'db'>,
  account: string,
  project_id: number,
): Promise<NearMissRow | null> =>
  (await newest(deps, account, project_id)).find((row) => !isFromServer(row.key)) ?? null;

/**
 * Recently used incidents (jobs and areas), the likeliest first: the one of this person's last report from any
 * device, then the most frequent ones of everybody.
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
