/**
 * Pure: who is a member, with what waits laid over. A member is a party of the project; its membership's id is known only
 * once the server told it (reference: Project membership).
 */
import { overOf } from '../../entries/entry.ts';
import { briefOf, type WaitingBrief } from '../waiting-entries.ts';
import { companyLane } from '../lanes.ts';
import type { MembershipRow, OutboxEntry } from '../db.ts';

export const membersLane = (account: string, project_id: number): string =>
  companyLane(account, { kind: 'members', project_id });

export interface MemberView {
  readonly party_id: number;
  readonly server_id: number | null;
  /** In: a member as far as this laptop knows. Coming and going: once the queue has moved. */
  readonly standing: 'in' | 'coming' | 'going';
  readonly waiting: readonly WaitingBrief[];
}

/** Members in the order given, those coming last. Whose removal is parked is in, and says so. */
export const showMembers = (
  rows: readonly MembershipRow[],
  entries: readonly OutboxEntry[],
): readonly MemberView[] => {
  const views = new Map<number, MemberView>();
  for (const { party_id, server_id } of rows)
    views.set(party_id, { party_id, server_id, standing: 'in', waiting: [] });
  for (const entry of entries) {
    const over = overOf(entry);
    if (over?.puts !== 'members' && over?.puts !== 'no_members') continue;
    const removes = over.puts === 'no_members';
    for (const id of over.party_ids) {
      const had = views.get(id);
      if (had === undefined && removes) continue;
      const stays = removes && entry.state === 'parked' ? had?.standing : undefined;
      views.set(id, {
        ...(had ?? { party_id: id, server_id: null }),
        standing: stays ?? (removes ? 'going' : had === undefined ? 'coming' : 'in'),
        waiting: [...(had?.waiting ?? []), briefOf(entry)],
      });
    }
  }
  return [...views.values()];
};
