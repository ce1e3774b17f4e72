/**
 * `membership.delete`: one reference user out of the project. The membership's id is asked for where this laptop does not know it;
 * one that is not there (any more) is what was wanted.
 */
import { ok } from '../../../contract/problem.ts';
import { dropMembers, memberIds } from './members.ts';
import type { Operation } from './operation.ts';

export const membershipDeleteOperation: Operation<'membership.delete', null> = {
  async send({ project_id, party_id, server_id }, context) {
    let id = server_id;
    if (id === null) {
      const members = await memberIds(context, project_id);
      if (!members.ok) return members;
      id = members.value.get(party_id) ?? null;
    }
    if (id === null) return ok(null);
    const answer = await context.host.request('project_memberships.delete', {
      params: { project_id, id },
      query: { party_id },
      idempotency_key: context.entry.id,
    });
    return answer.ok || answer.problem.kind === 'gone' ? ok(null) : answer;
  },

  async settle({ project_id, party_id }, _done, { db, entry }) {
    await dropMembers(db, { account: entry.account, project_id }, [party_id]);
    return [];
  },
};
