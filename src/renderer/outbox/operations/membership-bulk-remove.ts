/**
 * `membership.bulk_remove`: many out of the project, at most 1,000 in one request, for the API ignores the rest (reference:
 * Limits). Whom it skipped stays a member as far as this laptop knows, until the next refresh says otherwise.
 */
import { ok } from '../../../contract/problem.ts';
import { dropMembers, type MembersOutcome } from './members.ts';
import type { Operation } from './operation.ts';

export const membershipBulkRemoveOperation: Operation<'membership.bulk_remove', MembersOutcome> = {
  async send({ company_id, project_id, party_ids }, { host, entry }) {
    const answer = await host.request('project_memberships.bulk_remove', {
      params: { company_id: String(company_id), project_id: String(project_id) },
      body: { party_ids },
      idempotency_key: entry.id,
    });
    if (!answer.ok) return answer;
    const { processed_ids, skipped_ids } = answer.value.data.data;
    return ok({ done: processed_ids, left: skipped_ids });
  },

  async settle({ key, project_id }, outcome, { db, entry, seen_at }) {
    const { account } = entry;
    await dropMembers(db, { account, project_id }, outcome.done);
    await db.outcomes.put({
      entry_id: entry.id,
      account,
      project_id,
      lane: key,
      kind: entry.kind,
      at: seen_at,
      data: outcome,
    });
    return [];
  },
};
