/** Fetches the members of a project from the server. */
import { ok, type Result } from '../../../contract/problem.ts';
import { everyRow } from '../../../contract/rest/protocol/every-page.ts';
import type { Deps } from '../db/db.ts';

const PAGE_SIZE = 1000;

/** Membership ids by party id. */
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
