/** Members as the server has them. */
import { ok, type Result } from '../../../contract/problem.ts';
import { everyRow } from '../../../contract/rest/every-page.ts';
import type { Deps } from '../db.ts';

const PAGE_SIZE = 1000;

/** The parties that are members, by the membership's id. */
export const memberIds = async (
  { host }: Pick<Deps, 'host'>,
  project_id: number,
): Promise<Result<ReadonlyMap<number, number>>> => {
  const all = new Map<number, number>();
  const members = await everyRow(PAGE_SIZE, (query) =>
    host.request('project_memberships.list', { params: { project_id }, query }),
  );
  if (!members.ok) return members;
  for (const { id, party_id } of members.value) if (party_id) all.set(party_id, id);
  return ok(all);
};
