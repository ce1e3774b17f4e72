/** What waits in each project of an account, so that a person sees it before they change the site. */
import { companyLaneOf } from '../data/lanes.ts';
import type { Deps } from '../data/db.ts';
import { entryDigests } from '../data/entries-digest.ts';
import { tmEntryOf } from '../data/company/tm-rows.ts';

/** liveQuery: records with anything waiting, sending or needing the user, by project. A project with none is not in it. */
export const waitingByProject = async (
  { db }: Pick<Deps, 'db'>,
  account: string,
): Promise<ReadonlyMap<number, number>> => {
  const lanes = [...new Set((await entryDigests(db, account)).map(({ lane }) => lane))];
  const told = new Map(
    lanes.flatMap((lane) => {
      const of = companyLaneOf(lane) ?? tmEntryOf(lane);
      return of === null ? [] : [[lane, of.project_id] as const];
    }),
  );
  const keys = lanes.filter((lane) => !told.has(lane));
  const rows = await db.near_misses.bulkGet(keys);
  const counts = new Map<number, number>();
  for (const project_id of [...told.values(), ...rows.map((row) => row?.project_id)])
    // The company's own data waits in none.
    if (project_id !== undefined && project_id !== null)
      counts.set(project_id, (counts.get(project_id) ?? 0) + 1);
  return counts;
};
