/** What the operations on members share: who is in by the server's list, and the rows of those who came or went. */
import { everyRow } from '../../../contract/rest/every-page.ts';
import { ok, type Result } from '../../../contract/problem.ts';
import type { Place } from '../../data/company-change.ts';
import type { SpotterDb } from '../../data/db.ts';
import type { SendContext } from './operation.ts';

const PAGE_SIZE = 1000;

/** The parties that are members, by the membership's id. */
export const memberIds = async (
  { host }: Pick<SendContext, 'host'>,
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

/** Inside the settling transaction: they are in; their memberships' ids are known with the next refresh. */
export const putMembers = async (
  db: SpotterDb,
  { account, project_id }: Place,
  party_ids: readonly number[],
  seen_at: number,
): Promise<void> => {
  const keys = party_ids.map((id): [string, number, number] => [account, project_id, id]);
  const known = await db.memberships.bulkGet(keys);
  await db.memberships.bulkPut(
    party_ids.map((party_id, at) => ({
      account,
      project_id,
      party_id,
      seen_at,
      server_id: known[at]?.server_id ?? null,
    })),
  );
};

export const dropMembers = (
  db: SpotterDb,
  { account, project_id }: Place,
  party_ids: readonly number[],
): Promise<void> =>
  db.memberships.bulkDelete(
    party_ids.map((id): [string, number, number] => [account, project_id, id]),
  );

/** What a bulk write came to, as the members' screen tells it. */
export interface MembersOutcome {
  readonly done: readonly number[];
  /** Of a removal: skipped. Of an adding: members already. */
  readonly left: readonly number[];
}
