/**
 * `membership.create`: one reference user into the project (reference: Project memberships; decisions §7). The answer names the
 * party and no membership, so that its id comes with the next refresh. Where an earlier try may have done it, a server
 * that keeps no keys is asked first: it refuses who is a member already.
 */
import { ok } from '../../../contract/problem.ts';
import { mayBeDouble } from './company.ts';
import { memberIds, putMembers } from './members.ts';
import type { Operation } from './operation.ts';

export const membershipCreateOperation: Operation<'membership.create', readonly number[]> = {
  async send({ project_id, party_id }, context) {
    const double = await mayBeDouble(context, project_id);
    if (!double.ok) return double;
    if (double.value) {
      const members = await memberIds(context, project_id);
      if (!members.ok) return members;
      if (members.value.has(party_id)) return ok([party_id]);
    }
    const answer = await context.host.request('project_memberships.create', {
      params: { project_id },
      body: { project_membership: { party_id } },
      idempotency_key: context.entry.id,
    });
    return answer.ok ? ok([party_id]) : answer;
  },

  async settle({ project_id }, added, { db, entry, seen_at }) {
    await putMembers(db, { account: entry.account, project_id }, added, seen_at);
    return [];
  },
};
