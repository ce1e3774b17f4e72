/**
 * Remembers vendors and time-and-material entries opened recently on this laptop. If a server offers no list of them,
 * this is the only way back.
 */
import type { Deps } from '../db/db.ts';
import type { Place } from '../near-misses/pending-operations.ts';

/** Prefix of the key in `meta`. */
type Opened = 'vendor_recent' | 'tm_recent';

const RECENT = 20;

/** liveQuery: their ids, the most recent first. */
export const recentOf = async (
  { db }: Pick<Deps, 'db'>,
  what: Opened,
  { account, project_id }: Place,
): Promise<readonly number[]> => {
  const kept = (await db.meta.get(`${what} ${project_id} ${account}`))?.value;
  return Array.isArray(kept) ? kept.filter((id): id is number => typeof id === 'number') : [];
};

export const remember = async (
  deps: Pick<Deps, 'db'>,
  what: Opened,
  place: Place,
  id: number,
): Promise<void> => {
  const had = await recentOf(deps, what, place);
  const value = [id, ...had.filter((one) => one !== id)].slice(0, RECENT);
  await deps.db.meta.put({ name: `${what} ${place.project_id} ${place.account}`, value });
};
