/**
 * `membership.bulk_add`: many reference users into the project in one request. All or none are added; who is a member already is
 * left out of the answer (decisions §7), so that a second try harms nobody.
 */
import { ok } from '../../../contract/problem.ts';
import { type MembersOutcome, putMembers } from './members.ts';
import type { Operation } from './operation.ts';

export const membershipBulkAddOperation: Operation<'membership.bulk_add', readonly number[]> = {
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
      entry_id: entry.id,
      account,
      project_id,
      lane: key,
      kind: entry.kind,
      at: seen_at,
      data: { done: added, left } satisfies MembersOutcome,
    });
    return [];
  },
};
