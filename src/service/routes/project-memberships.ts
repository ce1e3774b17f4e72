/** Project memberships (reference: Project memberships; decisions §7). */
import type { EndpointName } from '../../contract/rest/index.ts';
import type { ProjectContext } from '../domain/context.ts';
import * as rules from '../domain/company/project-memberships.ts';
import type { Call, HandlersOf } from './handler.ts';

type MembershipEndpoint = Extract<EndpointName, `project_memberships.${string}`>;

const contextOf = (call: Call<MembershipEndpoint>): ProjectContext => ({
  db: call.db,
  company_id: call.company_id,
  // The v2.0 path has it as a text.
  project_id: Number(call.params.project_id),
  user_id: call.user.id,
  now: call.now,
});

export const projectMembershipHandlers: HandlersOf<MembershipEndpoint> = {
  'project_memberships.list': (call) => rules.listMemberships(contextOf(call), call.query),
  'project_memberships.create': async (call) => ({
    data: await rules.addMember(contextOf(call), call.body.project_membership.party_id),
  }),
  'project_memberships.delete': async (call) => {
    await rules.removeMember(contextOf(call), call.params.id, call.query.party_id);
    return { data: undefined };
  },
  'project_memberships.bulk_add': async (call) => ({
    data: await rules.addMembers(contextOf(call), call.body.party_ids),
  }),
  'project_memberships.bulk_remove': async (call) => ({
    data: { data: await rules.removeMembers(contextOf(call), call.body.party_ids) },
  }),
};
