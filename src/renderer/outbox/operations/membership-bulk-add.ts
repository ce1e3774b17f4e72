/**
 * `membership.bulk_add`: many reference users into the project in one request. All or none are added; who is a member already is
 * left out of the answer (decisions §7), so that a second try harms nobody.
 */
import { z } from 'zod';
import { ok } from '../../../contract/problem.ts';
import { companyFields, describeNothing, positiveId } from './company.ts';
import { type MembersOutcome, putMembers } from './members.ts';
import type { Operation } from './operation.ts';

export const membershipBulkAddSchema = z.object({
  ...companyFields,
  party_ids: z.array(positiveId).min(1),
});
export type MembershipBulkAdd = z.infer<typeof membershipBulkAddSchema>;

export const membershipBulkAddOperation: Operation<MembershipBulkAdd, readonly number[]> = {
  kind: 'membership.bulk_add',
  version: 1,
  schema: membershipBulkAddSchema,
  blocks: false,
  asks: 'members',
  lane: (payload) => payload.key,
  describe: describeNothing,

  async send({ project_id, party_ids }, { host, entry }) {
    const answer = await host.request('project_memberships.bulk_add', {
      params: { project_id },
      body: { party_ids },
      idempotency_key: entry.id,
    });
    return answer.ok ? ok(answer.value.data) : answer;
  },

  async settle({ key, project_id, party_ids }, added, { db, entry, seen_at }) {
    const { account } = entry;
    await putMembers(db, { account, project_id }, party_ids, seen_at);
    const left = party_ids.filter((id) => !added.includes(id));
    await db.outcomes.put({
      ...{ entry_id: entry.id, account, project_id, lane: key, kind: entry.kind, at: seen_at },
      data: { done: added, left } satisfies MembersOutcome,
    });
    return [];
  },
};
