/**
 * Lists the members of a project with pending changes applied. Pure. A member is a party of the project; the
 * membership's id is known only from the server (reference: Project membership).
 */
import { optimisticPatchOf } from '../../operations/operation.ts';
import { briefOf, type PendingSummary } from '../near-misses/pending-operations.ts';
import { companyLane } from '../model/lanes.ts';
import type { MembershipRow, OutboxOperation } from '../db/db.ts';

export const membersLane = (account: string, project_id: number): string =>
  companyLane(account, { kind: 'members', project_id });

export interface MemberView {
  readonly party_id: number;
  readonly server_id: number | null;
  /** `in`: a member as far as this laptop knows. `coming` and `going`: the change is queued. */
  readonly standing: 'in' | 'coming' | 'going';
  readonly waiting: readonly PendingSummary[];
}

/** Members in the given order, pending additions last. A member with a parked removal stays `in`. */
export const showMembers = (
  rows: readonly MembershipRow[],
  operations: readonly OutboxOperation[],
): readonly MemberView[] => {
  const views = new Map<number, MemberView>();
  for (const { party_id, server_id } of rows)
    views.set(party_id, { party_id, server_id, standing: 'in', waiting: [] });
  for (const operation of operations) {
    const over = optimisticPatchOf(operation);
    if (over?.puts !== 'members' && over?.puts !== 'no_members') continue;
    const removes = over.puts === 'no_members';
    for (const id of over.party_ids) {
      const had = views.get(id);
      if (had === undefined && removes) continue;
      const stays = removes && operation.state === 'parked' ? had?.standing : undefined;
      views.set(id, {
        ...(had ?? { party_id: id, server_id: null }),
        standing: stays ?? (removes ? 'going' : had === undefined ? 'coming' : 'in'),
        waiting: [...(had?.waiting ?? []), briefOf(operation)],
      });
    }
  }
  return [...views.values()];
};
