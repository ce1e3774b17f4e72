/**
 * `membership.bulk_remove`: many out of the project, at most 1,000 in one request, for the API ignores the rest (reference:
 * Limits). Whom it skipped stays a member as far as this laptop knows, until the next refresh says otherwise.
 */
import { z } from 'zod';
import { ok } from '../../../contract/problem.ts';
import { BULK_REMOVE_MAX } from '../../../contract/rest/project-memberships.ts';
import { companyFields, describeNothing, positiveId } from './company.ts';
import { dropMembers, type MembersOutcome } from './members.ts';
import type { Operation } from './operation.ts';

export const membershipBulkRemoveSchema = z.object({
  ...companyFields,
  party_ids: z.array(positiveId).min(1).max(BULK_REMOVE_MAX),
});
export type MembershipBulkRemove = z.infer<typeof membershipBulkRemoveSchema>;

export const membershipBulkRemoveOperation: Operation<MembershipBulkRemove, MembersOutcome> = {
  kind: 'membership.bulk_remove',
  version: 1,
  schema: membershipBulkRemoveSchema,
  blocks: false,
  asks: 'members',
  lane: (payload) => payload.key,
  describe: describeNothing,

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
      ...{ entry_id: entry.id, account, project_id, lane: key, kind: entry.kind, at: seen_at },
      data: outcome,
    });
    return [];
  },
};
