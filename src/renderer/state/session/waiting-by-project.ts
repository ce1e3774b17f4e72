/** Counts pending records per project, so that a person sees them before switching sites. */
import { companyLaneOf } from '../../data/model/lanes.ts';
import type { Deps } from '../../data/db/db.ts';
import { operationSummaries } from '../../data/near-misses/queue-summary.ts';
import { tmEntryOf } from '../../data/company/tm-rows.ts';

/**
 * liveQuery: the number of records that are pending, being sent or need the user, by project. Projects without any are omitted.
 */
export const waitingByProject = async (
  { db }: Pick<Deps, 'db'>,
  account: string,
): Promise<ReadonlyMap<number, number>> => {
  const lanes = [...new Set((await operationSummaries(db, account)).map(({ lane }) => lane))];
  const projects = new Map(
    lanes.flatMap((lane) => {
      const of = companyLaneOf(lane) ?? tmEntryOf(lane);
      return of === null ? [] : [[lane, of.project_id] as const];
    }),
  );
  const keys = lanes.filter((lane) => !projects.has(lane));
  const rows = await db.near_misses.bulkGet(keys);
  const counts = new Map<number, number>();
  for (const project_id of [...projects.values(), ...rows.map((row) => row?.project_id)])
    // The company's own data belongs to no project.
    if (project_id !== undefined && project_id !== null)
      counts.set(project_id, (counts.get(project_id) ?? 0) + 1);
  return counts;
};
